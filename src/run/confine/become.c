#include "confine/become.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/confine.h"
#include "confine/landlock.h"
#include "confine/pass_fd.h"
#include "confine/process.h"

/* close_range(2), Linux 5.9. */
#define NR_CLOSE_RANGE 436

/* Kernels before 5.9 have them closed one by one. The last one may be INT_MAX,
 * and so many calls would take minutes: there, what lies above 65535 stays open
 * until an exec. */
static void close_range_of(int first, int last)
{
	if (first > last || !syscall(NR_CLOSE_RANGE, first, last, 0))
		return;
	for (int fd = first; fd <= last && fd < 65536; fd++)
		close(fd);
}

/* By the kernel's own call: glibc's leaves out the two signals that it needs itself,
 * which posix_spawn(3) ignores in each program that make(1) starts. */
void kb_reset_signals(void)
{
	static const unsigned char by_default[64];	/* a struct sigaction of Linux */

	for (int sig = 1; sig < NSIG; sig++)
		(void)syscall(SYS_rt_sigaction, sig, by_default, NULL,
			      (NSIG - 1) / 8);
}

void kb_close_others(const int keep[], int count)
{
	int first = 3;

	for (;;) {
		int next = INT_MAX;

		for (int i = 0; i < count; i++)
			if (keep[i] >= first && keep[i] < next)
				next = keep[i];
		close_range_of(first, next == INT_MAX ? next : next - 1);
		if (next == INT_MAX)
			return;
		first = next + 1;
	}
}

/* Out of the way of descriptors 0 to 3: dup2(2) closes what it finds at its
 * target, which may be one that is still to be moved. */
int kb_move_high(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 64);
}

/* Descriptors 0 to 2, the channel if there is one, and `keep`. */
static int set_descriptors(const struct kb_spawn *s, int print_fd,
			   int error_fd, int program_fd)
{
	int null_fd = kb_move_high(open("/dev/null", O_RDONLY | O_CLOEXEC));
	int out_fd = kb_move_high(print_fd);
	int channel_fd = kb_move_high(s->channel_fd);
	int keep[] = { error_fd, program_fd, channel_fd };

	/* Copies made by dup2(2) lack FD_CLOEXEC, so these three survive the
	 * exec. Whoever reads standard input finds its end, not the user's
	 * terminal. */
	if (null_fd < 0 || dup2(null_fd, 0) < 0 || dup2(out_fd, 1) < 0 ||
	    dup2(out_fd, 2) < 0)
		return errno;
	kb_close_others(keep, KB_ARRAY_LEN(keep));
	if (channel_fd >= 0 && dup2(channel_fd, KB_SPAWN_CHANNEL_FD) < 0)
		return errno;
	if (channel_fd >= 0)
		close(channel_fd);
	return 0;
}

const char *kb_work_of(const struct kb_spawn *s, uint32_t features)
{
	return features & (1u << KB_FEATURE_PRIVATE_TMP) ? "/tmp"
							 : s->files.scratch;
}

/* The monitor is notified of refused system calls. */
static int refuse_calls(const struct kb_spawn *s, uint32_t features,
			int error_fd)
{
	const struct kb_call_rules rules = {
		.ipc = features & (1u << KB_FEATURE_IPC_NAMESPACE),
		/* The machine's loopback stays out of reach. */
		.loopback = s->loopback &&
			    features & (1u << KB_FEATURE_NET_NAMESPACE),
		.keeps_processors = s->limits.niceness > 0,
	};
	const int none = 0;
	int notify_fd;
	int ret = kb_confine_syscalls(&rules, &notify_fd);

	if (!ret && notify_fd >= 0 &&
	    kb_pass_fd(error_fd, &none, sizeof(none), notify_fd) < 0)
		ret = errno;
	if (notify_fd >= 0)
		close(notify_fd);
	return ret;
}

/* Other effects of execve(2) on a process: it may look into itself again, which
 * it could not while it was a copy of a server, and is called by its name. */
static int show_path(const char *path)
{
	const char *slash = strrchr(path, '/');

	return prctl(PR_SET_DUMPABLE, 1) < 0 ||
	       prctl(PR_SET_NAME, slash ? slash + 1 : path) < 0 ? errno : 0;
}

int kb_become_program(const struct kb_spawn *s, int print_fd, int error_fd,
		      uint32_t features)
{
	char *const *argv = (char *const *)(uintptr_t)s->argv;
	char *const *env = (char *const *)(uintptr_t)s->env;
	int program_fd = kb_move_high(s->program_fd);
	sigset_t none;
	int ret;

	/* A group of its own, for signals, but no session: only the leader
	 * of one can get a terminal, and a terminal can send SIGCONT. */
	if (setpgid(0, 0) < 0)
		return errno;
	/* Signals that are ignored stay so across execve(2), as does the mask,
	 * and the monitor has blocked all. */
	kb_reset_signals();
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		return errno;

	ret = set_descriptors(s, print_fd, error_fd, program_fd);
	if (ret)
		return ret;
	if (chdir(kb_work_of(s, features)) < 0)
		return errno;
	/* kb_confine_user() gives up all capabilities and sets no_new_privs,
	 * which landlock_restrict_self(2) and seccomp(2) want of a process
	 * without CAP_SYS_ADMIN. So these two come after it. */
	ret = kb_confine_limits(&s->limits);
	if (!ret && !s->unconfined)
		ret = kb_confine_user(features & (1u << KB_FEATURE_OTHER_USER));
	if (!ret && features & (1u << KB_FEATURE_LANDLOCK))
		ret = kb_landlock_confine(&s->files, features &
					  (1u << KB_FEATURE_OWN_ROOT),
					  program_fd);
	if (!ret && s->goes_on)
		ret = show_path(s->argv[0]);
	if (!ret && features & (1u << KB_FEATURE_SYSCALL_FILTER))
		ret = refuse_calls(s, features, error_fd);
	if (!ret)
		ret = kb_confine_descriptors(&s->limits);
	if (ret)
		return ret;
	if (s->goes_on) {
		close(error_fd);
		return 0;
	}

	/* By descriptor, because a root of the worker's own need not have the
	 * file. */
	if (program_fd >= 0)
		syscall(SYS_execveat, program_fd, "", argv, env, AT_EMPTY_PATH);
	else
		execve(argv[0], argv, env);
	return errno;
}
