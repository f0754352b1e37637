#include "confine/fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "confine/become.h"
#include "confine/pass_fd.h"
#include "confine/process.h"
#include "confine/spawn_bytes.h"

/* A fork takes milliseconds. Who is stopped, or waits for memory for so long, is
 * not waited for any more. */
#define ANSWER_NS (30 * KB_NS_PER_S)

/* In the child, which keeps to system calls. It ends with us, also while it
 * imports and does not look at its socket; and what a terminal sends to us is
 * not for it. It leaves the directory that we are in, which is where an empty part
 * of PYTHONPATH or LD_LIBRARY_PATH has it look for modules and libraries. */
static void __attribute__((noreturn)) become_server(const char *const argv[],
						    const char *const env[],
						    int fd)
{
	const int socket_fd = kb_move_high(fd);
	const int null_fd = kb_move_high(open("/dev/null", O_RDWR | O_CLOEXEC));
	sigset_t none;

	kb_reset_signals();
	sigemptyset(&none);
	if (null_fd < 0 || socket_fd < 0 ||
	    sigprocmask(SIG_SETMASK, &none, NULL) < 0 ||
	    prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || setsid() < 0 ||
	    chdir("/") < 0 || dup2(null_fd, 0) < 0 ||
	    dup2(null_fd, 1) < 0 || dup2(null_fd, 2) < 0)
		_exit(127);
	kb_close_others(&socket_fd, 1);
	if (dup2(socket_fd, KB_FORK_SERVER_FD) < 0)
		_exit(127);
	execve(argv[0], (char *const *)(uintptr_t)argv,
	       (char *const *)(uintptr_t)env);
	_exit(127);
}

int kb_fork_server_start(struct kb_fork_server *f, const char *const argv[],
			 const char *const env[], int64_t timeout_ns,
			 struct kb_err *err)
{
	int fds[2];

	*f = (struct kb_fork_server)KB_FORK_SERVER_INIT;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return kb_err_sys(err, "cannot make a socket");
	f->fd = fds[0];
	f->owner = getpid();
	f->deadline_ns = kb_clock_ns() + timeout_ns;
	f->answer_ns = ANSWER_NS;
	f->pid = fork();
	if (!f->pid)
		become_server(argv, env, fds[1]);
	close(fds[1]);
	if (f->pid > 0)
		return 0;
	f->pid = 0;
	kb_err_sys(err, "cannot start a process");
	kb_fork_server_end(f);
	return -KB_ERR_SYS;
}

bool kb_fork_server_is_there(const struct kb_fork_server *f)
{
	return f->pid > 0 && f->owner == getpid();
}

static int lose_server(struct kb_fork_server *f, struct kb_err *err)
{
	kb_fork_server_end(f);
	errno = ECHILD;
	return kb_err_sys(err, "the fork server is gone");
}

static int await_answer(struct kb_fork_server *f, struct kb_fork_answer *a,
			struct kb_err *err)
{
	struct pollfd fd = { .fd = f->fd, .events = POLLIN };
	int count;

	while ((count = poll(&fd, 1, kb_clock_poll_ms(f->deadline_ns))) <= 0) {
		if (count < 0 && errno != EINTR)
			return kb_err_sys(err, "cannot wait for a fork server");
		if (kb_interrupted()) {
			kb_fork_server_end(f);	/* its answer would come late */
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		}
		if (!count && kb_clock_ns() >= f->deadline_ns)
			return lose_server(f, err);
	}
	return recv(f->fd, a, sizeof(*a), 0) == sizeof(*a)
		   ? 0
		   : lose_server(f, err);
}

static int await_ready(struct kb_fork_server *f, struct kb_err *err)
{
	struct kb_fork_answer a = { .pid = -1 };
	int ret = f->is_ready ? 0 : await_answer(f, &a, err);

	if (ret < 0 || f->is_ready)
		return ret;
	f->is_ready = true;
	return 0;
}

static int ask_server(struct kb_fork_server *f, unsigned clone_flags,
		      const int all[], struct kb_err *err)
{
	struct kb_fork_request r = { .clone_flags = clone_flags };
	int fds[KB_FORK_FDS];
	size_t count = 0;

	for (int i = 0; i < KB_FORK_FDS; i++) {
		if (all[i] < 0)
			continue;
		r.fds |= 1u << i;
		fds[count++] = all[i];
	}
	f->deadline_ns = kb_clock_ns() + f->answer_ns;
	return kb_pass_fds(f->fd, &r, sizeof(r), fds, count, 0) < 0
		   ? lose_server(f, err)
		   : 0;
}

static int describe_spawn(const struct kb_spawn *spawn, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	kb_auto(fd) int fd = memfd_create("kb-spawn", MFD_CLOEXEC);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot make a memory file");
	kb_spawn_to_bytes(&bytes, spawn);
	ret = kb_file_write_all(fd, bytes.data, bytes.len, "a memory file", err);
	if (ret >= 0) {
		ret = fd;
		fd = -1;
	}
	return ret;
}

int kb_fork_server_fork(struct kb_fork_server *f, pid_t *pid,
			const struct kb_spawn *spawn, unsigned clone_flags,
			int monitor_fd, struct kb_err *err)
{
	struct kb_fork_answer a = { .pid = -1 };
	kb_auto(fd) int spawn_fd = describe_spawn(spawn, err);
	const int fds[KB_FORK_FDS] = {
		[KB_FORK_MONITOR] = monitor_fd, [KB_FORK_SPAWN] = spawn_fd,
		[KB_FORK_LOG] = spawn->log_fd,
		[KB_FORK_CHANNEL] = spawn->channel_fd,
		[KB_FORK_GROUP] = spawn->group_fd,
	};
	int ret = spawn_fd < 0 ? spawn_fd : await_ready(f, err);

	if (ret >= 0)
		ret = ask_server(f, clone_flags, fds, err);
	if (ret >= 0)
		ret = await_answer(f, &a, err);
	if (ret < 0)
		return ret;
	*pid = a.pid < 0 ? -1 : a.pid;
	errno = a.pid < 0 ? -a.pid : 0;
	return 0;
}

void kb_fork_server_end(struct kb_fork_server *f)
{
	const int saved = errno;

	if (f->fd >= 0)
		close(f->fd);
	if (kb_fork_server_is_there(f)) {
		(void)kill(f->pid, SIGKILL);
		while (waitpid(f->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	*f = (struct kb_fork_server)KB_FORK_SERVER_INIT;
	errno = saved;
}
