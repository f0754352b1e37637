#include "confine/monitor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "confine/become.h"
#include "confine/landlock.h"
#include "confine/log.h"
#include "confine/notify.h"
#include "confine/pass_fd.h"
#include "confine/process.h"
#include "confine/stopped.h"

/*
 * Two seconds in all; see try_stop(). Nobody gains by being slow to stop: the
 * interval that is timed ends when all have. On a machine with more to do than
 * processors a task may wait for one for some tenths of a second.
 */
#define STOP_ATTEMPTS 10
#define STOP_PATIENCE_NS (100 * KB_NS_PER_MS)

/* How often we ask, after the first time, whether all have stopped. */
#define STOP_LOOK_US 50

/*
 * This code runs between fork and exit in a copy of the supervisor, so it
 * keeps to system calls: no allocation, no stdio, no locks.
 */

struct monitor {
	int fd;			/* to the supervisor */
	int child_fd;		/* signalfd for SIGCHLD */
	pid_t program;
	bool is_init;		/* kill(-1) reaches exactly what is below us */
	pid_t group;		/* as kb_all_stopped() wants it */
	struct kb_alone alone;	/* of the program */
	int log_fd;		/* of confine/log.h */
	int printed_fd;		/* the pipe that the program prints to; or -1 */
	int notify_fd;		/* of its system calls that are refused; or -1 */
	struct kb_calls told;	/* those that were reported */
	char oom_score[16];	/* that we had, as text */
	ssize_t oom_score_len;	/* 0 or less: it is unchanged */
};

static void report_event(const struct monitor *k, enum kb_monitor_event event,
			 int value)
{
	const struct kb_monitor_report r = { .event = event, .value = value };

	/* If the supervisor is gone, we read so and end. */
	(void)!send(k->fd, &r, sizeof(r), MSG_NOSIGNAL);
}

/* Without a namespace the program's process group has to do, which nobody
 * in it can leave. Nobody is left to be signalled if this fails. */
static void signal_all(const struct monitor *k, int sig)
{
	(void)kill(k->is_init ? -1 : -k->program, sig);
}

/* SIGKILL for each child that /proc lists for us. */
static void kill_children(void)
{
	kb_auto(fd) int fd = open("/proc/thread-self/children",
				  O_RDONLY | O_CLOEXEC);
	char text[4096];
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text));
	/* A list of /proc/PID/task/TID/children may lack some while others come
	 * and go (proc(5)), so the caller asks until nobody is left. It is
	 * there only if the kernel was built with CONFIG_PROC_CHILDREN. */
	pid_t pid = 0;

	for (ssize_t i = 0; i < len; i++) {
		if (text[i] >= '0' && text[i] <= '9') {
			pid = 10 * pid + (text[i] - '0');
			continue;
		}
		if (pid > 0)
			(void)kill(pid, SIGKILL);	/* or it has ended */
		pid = 0;
	}
}

static void kill_all(const struct monitor *k)
{
	signal_all(k, SIGKILL);
	if (k->is_init)
		return;		/* that reached everybody */

	/* A process becomes our child when its parent has died: kill children
	 * until there are none. */
	do
		kill_children();
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR);
}

/* The kernel would end with us whom it has not ended yet, but the processor
 * time of a process counts as its parent's only if the parent waits for it. */
static void __attribute__((noreturn)) end(void)
{
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	_exit(0);
}

/* Put into the log what of the program's lies in the pipe; a part at a time while
 * it runs, since it may print faster than we read. Returns false when nobody is
 * left to print. */
static bool keep_printed(const struct monitor *k, bool all)
{
	char part[16384];
	ssize_t n;

	do {
		n = read(k->printed_fd, part, sizeof(part));
		if (n > 0)
			kb_log_add(k->log_fd, part, (size_t)n);
	} while (all && n > 0);
	return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Stay until dismissed: a command that nobody takes off the socket would
 * have the supervisor find a reset connection in place of our report. */
static void __attribute__((noreturn)) leave(const struct monitor *k,
					    enum kb_monitor_event event,
					    int value)
{
	char command;

	kill_all(k);
	keep_printed(k, true);
	report_event(k, event, value);
	while (recv(k->fd, &command, 1, 0) > 0)
		;
	end();
}

/* Collect the dead; if the program is among them, that is the end. */
static void reap_all(const struct monitor *k)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == k->program)
			leave(k, KB_MONITOR_ENDED, status);
}

/* Whether all threads of the program stop while we look: only then does
 * the kernel report the stop. */
static bool await_program(const struct monitor *k, int64_t deadline_ns)
{
	struct pollfd child = { .fd = k->child_fd, .events = POLLIN };
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (!(pid = waitpid(k->program, &status, WNOHANG | WUNTRACED))) {
		if (kb_clock_ns() >= deadline_ns)
			return false;
		(void)poll(&child, 1, kb_clock_poll_ms(deadline_ns));
		(void)!read(k->child_fd, &info, sizeof(info));
	}
	if (pid < 0)
		_exit(1);
	if (!WIFSTOPPED(status))
		leave(k, KB_MONITOR_ENDED, status);
	return true;
}

/* And then all threads of all that it has started. */
static bool await_others(const struct monitor *k, int64_t deadline_ns)
{
	while (!kb_alone_holds(&k->alone) && !kb_all_stopped(k->group)) {
		if (kb_clock_ns() >= deadline_ns)
			return false;
		usleep(STOP_LOOK_US);
	}
	return true;
}

/*
 * A thread that waits for its vfork child does not stop before the child has
 * gone on to another program, which it does not while it is stopped itself.
 * So if need be all are let go for a moment: the others until the program has
 * stopped, which is told to at once.
 */
static bool try_stop(const struct monitor *k)
{
	int64_t deadline_ns = kb_clock_ns() + STOP_PATIENCE_NS;

	signal_all(k, SIGSTOP);
	if (await_program(k, deadline_ns) && await_others(k, deadline_ns))
		return true;
	signal_all(k, SIGCONT);
	(void)kill(k->program, SIGSTOP);	/* waited for below */
	deadline_ns = kb_clock_ns() + STOP_PATIENCE_NS;
	if (!await_program(k, deadline_ns))
		return false;
	signal_all(k, SIGSTOP);
	if (await_others(k, deadline_ns))
		return true;
	signal_all(k, SIGCONT);		/* the next one is to be reported */
	return false;
}

/* Whether SIGCHLD comes when the program stops or goes on, too. */
static void hear_of_stops(bool yes)
{
	const struct sigaction a = {
		.sa_handler = SIG_DFL, .sa_flags = yes ? 0 : SA_NOCLDSTOP,
	};

	(void)sigaction(SIGCHLD, &a, NULL);	/* it exists */
}

/* Continue all. SIGCHLD for that is not wanted. */
static void continue_all(const struct monitor *k)
{
	hear_of_stops(false);
	signal_all(k, SIGCONT);
}

/* The system call filter leaves nobody below us a way to send SIGCONT. */
static void stop_all(const struct monitor *k)
{
	hear_of_stops(true);
	for (int i = 0; i < STOP_ATTEMPTS; i++) {
		if (try_stop(k)) {
			keep_printed(k, true);
			report_event(k, KB_MONITOR_STOPPED, 0);
			return;
		}
	}
	leave(k, KB_MONITOR_UNSTOPPABLE, SIGKILL);
}

/* Refuse it; each is reported once. */
static void answer_call(struct monitor *k)
{
	const int number = kb_notify_refuse(k->notify_fd);

	if (number < 0 || kb_calls_has(&k->told, (uint32_t)number))
		return;
	kb_calls_add(&k->told, (uint32_t)number);
	report_event(k, KB_MONITOR_CALL, number);
}

static void __attribute__((noreturn)) serve(struct monitor *k)
{
	struct pollfd fds[] = {
		{ .fd = k->fd, .events = POLLIN },
		{ .fd = k->child_fd, .events = POLLIN },
		{ .fd = k->notify_fd, .events = POLLIN },
		{ .fd = k->printed_fd, .events = POLLIN },
	};

	for (;;) {
		struct signalfd_siginfo info;
		char command;

		if (poll(fds, KB_ARRAY_LEN(fds), -1) < 0 && errno != EINTR)
			_exit(1);
		if (fds[2].revents & POLLIN)
			answer_call(k);
		else if (fds[2].revents)
			fds[2].fd = -1;		/* nobody is left to ask */
		if (fds[3].revents && !keep_printed(k, false))
			fds[3].fd = -1;
		if (fds[1].revents) {
			(void)!read(k->child_fd, &info, sizeof(info));
			reap_all(k);
		}
		if (!fds[0].revents)
			continue;
		if (recv(k->fd, &command, 1, 0) != 1) {
			kill_all(k);
			keep_printed(k, true);
			end();
		}
		/* A report of a stop answers every one of these;
		 * KB_MONITOR_CONTINUE has no answer. */
		if (command == KB_MONITOR_STOP)
			stop_all(k);
		else
			continue_all(k);
	}
}

/* The supervisor may fill the directory in which the program will work: a
 * mount that it does not see. Without an answer there is no supervisor. */
static int hand_over_work(const struct monitor *k, const char *path)
{
	const struct kb_monitor_report r = { .event = KB_MONITOR_WORK };
	kb_auto(fd) int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char command;

	if (fd < 0)
		return errno;
	if (kb_pass_fd(k->fd, &r, sizeof(r), fd) < 0 ||
	    recv(k->fd, &command, 1, 0) != 1)
		_exit(1);
	return 0;
}

/* The other end is closed by exec, after the descriptor that we are to have, or
 * says why not. */
static int await_exec(struct monitor *k, int fd)
{
	int failure = 0, taken = -1;
	ssize_t n;

	do {
		n = kb_take_fd(fd, &failure, sizeof(failure), &taken, 0);
		if (taken >= 0)
			k->notify_fd = taken;
	} while ((n < 0 && errno == EINTR) || (n > 0 && !failure));
	return failure;
}

/* The result of start_program() in the program. */
#define IN_THE_PROGRAM (-1)

/* A fork of a server cannot be looked into, and its files in /proc are root's:
 * until the file is open it can. Only while there is no program. */
static int open_oom_score(void)
{
	const int was = prctl(PR_GET_DUMPABLE);
	int fd;

	(void)prctl(PR_SET_DUMPABLE, 1);
	fd = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
	if (was == 0)
		(void)prctl(PR_SET_DUMPABLE, 0);
	return fd;
}

/*
 * If memory does run out, the program is what the kernel kills: it inherits
 * this. We are not, though it may lower its own. The file must be closed again
 * before files become read-only, which they do not while one is written to.
 */
static void expect_to_be_killed(struct monitor *k)
{
	kb_auto(fd) int fd = open_oom_score();

	k->oom_score_len = fd < 0 ? -1 : read(fd, k->oom_score,
					      sizeof(k->oom_score));
	if (k->oom_score_len > 0)
		(void)!pwrite(fd, "1000", 4, 0);
}

/* Give the monitor its own OOM score back. The program keeps what it inherited. */
static void expect_to_live(const struct monitor *k, int oom_fd)
{
	if (oom_fd >= 0 && k->oom_score_len > 0)
		(void)!pwrite(oom_fd, k->oom_score, (size_t)k->oom_score_len,
			      0);
}

/* Start the program, which prints to `print_fd`; returns 0 or the errno value
 * that prevented it. */
static int start_program(struct monitor *k, const struct kb_spawn *s,
			 int print_fd, uint32_t features)
{
	kb_auto(fd) int oom_fd = open_oom_score();
	int fds[2], error_fd, failure = 0;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return errno;
	error_fd = kb_move_high(fds[1]);
	if (error_fd < 0)
		return errno;
	close(fds[1]);

	k->program = kb_cgroup_fork(s->group_fd);
	if (k->program < 0)
		return errno;
	if (!k->program) {
		failure = kb_become_program(s, print_fd, error_fd,
					    features);
		if (!failure)
			return IN_THE_PROGRAM;
		(void)!send(error_fd, &failure, sizeof(failure), 0);
		_exit(127);
	}
	expect_to_live(k, oom_fd);
	close(error_fd);
	failure = await_exec(k, fds[0]);
	close(fds[0]);
	if (failure)
		(void)waitpid(k->program, NULL, 0);
	return failure;
}

/* The program's process group, which nobody below us leaves, as /proc has
 * it. What has been orphaned meanwhile is a later child of ours. */
static pid_t group_of(const struct monitor *k, uint32_t features)
{
	if (features & (1u << KB_FEATURE_PRIVATE_PROC))
		return KB_EVERYBODY;
	return k->is_init ? kb_first_child() : k->program;
}

/* Where each session is a group to the scheduler, niceness counts within one
 * alone, and we begin a session: the group makes way. */
static void be_nice_as_group(int niceness)
{
	kb_auto(fd) int fd = niceness > 0 ?
		open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC) : -1;

	if (fd >= 0)
		(void)!dprintf(fd, "%d", niceness);
}

/* Where the kernel finds our command line, by /proc/self/stat (proc(5)): the 48th
 * and 49th field, of which the first that is no name is the third. */
static bool find_arguments(uintptr_t *start, uintptr_t *end)
{
	char text[1024];
	kb_auto(fd) int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	char *at;

	if (n < 0)
		return false;
	text[n] = '\0';
	at = strrchr(text, ')');
	for (int field = 3; at && field <= 48; field++) {
		at = strchr(at, ' ');
		at += !!at;
	}
	if (!at)
		return false;
	*start = strtoull(at, &at, 10);
	*end = strtoull(at, NULL, 10);
	return *start && *end > *start;
}

/* Our command line is the supervisor's, which names suite, store and
 * submission, and which the program can read. */
static void clear_arguments(void)
{
	uintptr_t start, end;

	if (find_arguments(&start, &end))
		memset((void *)start, 0, end - start);
}

/* Become what reaps all that the program leaves, and is told by a descriptor of
 * each child that ends. Returns an errno, or 0. */
static int become_reaper(struct monitor *k)
{
	sigset_t set;

	(void)prctl(PR_SET_NAME, "kb-monitor");	/* for people alone */
	/* A supervisor that is killed closes its end, and we do the rest. As
	 * an init we may as well be killed with it. */
	if (k->is_init && prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return errno;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0 || setsid() < 0)
		return errno;

	hear_of_stops(false);		/* and ours may have ignored SIGCHLD */
	sigfillset(&set);
	/* All but SIGKILL and SIGSTOP: a signal that ended us would leave the
	 * program to nobody. SIGCHLD has to be blocked in any case, or
	 * signalfd(2) does not give it. */
	if (sigprocmask(SIG_SETMASK, &set, NULL) < 0)
		return errno;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	k->child_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return k->child_fd < 0 ? errno : 0;
}

/* A pipe to print to, of which our end does not block; an errno, or 0. */
static int open_printed(struct monitor *k, int fds[2])
{
	if (pipe2(fds, O_CLOEXEC) < 0 ||
	    fcntl(fds[0], F_SETFL, O_NONBLOCK) < 0)
		return errno;
	/* Programs open /dev/stderr anew, and may be of another user. */
	(void)fchmod(fds[1], 0622);
	k->printed_fd = fds[0];
	return 0;
}

void kb_monitor_run(const struct kb_spawn *spawn, uint32_t clone_flags,
		   uint32_t uid, uint32_t gid, int fd)
{
	struct monitor k = { .fd = fd, .is_init = clone_flags & CLONE_NEWPID,
			     .log_fd = spawn->log_fd, .printed_fd = -1,
			     .notify_fd = -1,
			     .alone = KB_ALONE_INIT };
	uint32_t features = 0;
	const int keep[] = { fd, spawn->log_fd, spawn->channel_fd,
			     spawn->program_fd, spawn->group_fd };
	int printed[2] = { -1, spawn->log_fd }, failure;

	/*
	 * We never execute anything, so FD_CLOEXEC closes nothing for us. The
	 * supervisor's ends of other monitors' sockets are among what we were
	 * forked with: as long as one is open here, the monitor at its other
	 * end does not see that the supervisor is gone.
	 */
	kb_close_others(keep, KB_ARRAY_LEN(keep));
	failure = become_reaper(&k);
	if (failure) {
		report_event(&k, KB_MONITOR_FAILED, failure);
		_exit(1);
	}
	/* A reference's memory has no limit, and all candidates need it. */
	if (spawn->limits.memory_bytes)
		expect_to_be_killed(&k);
	if (k.is_init)
		clear_arguments();
	be_nice_as_group(spawn->limits.niceness);
	failure = kb_confine_namespaces(clone_flags, uid, gid,
					spawn->other_user, &spawn->files,
					&features);
	if (!failure && spawn->loopback && clone_flags & CLONE_NEWNET)
		failure = kb_confine_loopback();
	if (failure) {
		report_event(&k, KB_MONITOR_REFUSED, failure);
		_exit(1);
	}
	if (uid == 0 && spawn->other_user)
		features |= 1u << KB_FEATURE_OTHER_USER;
	if (spawn->files.root && kb_landlock_is_there())
		features |= 1u << KB_FEATURE_LANDLOCK;
	if (!spawn->unconfined)
		features |= 1u << KB_FEATURE_SYSCALL_FILTER;
	failure = hand_over_work(&k, kb_work_of(spawn, features));
	if (!failure && !spawn->prints_directly)
		failure = open_printed(&k, printed);
	if (!failure)
		failure = start_program(&k, spawn, printed[1], features);
	if (failure == IN_THE_PROGRAM)
		return;
	if (failure) {
		report_event(&k, KB_MONITOR_FAILED, failure);
		_exit(1);
	}
	k.group = group_of(&k, features);
	kb_alone_open(&k.alone);
	close(printed[1]);
	close(spawn->channel_fd);
	close(spawn->program_fd);
	close(spawn->group_fd);
	report_event(&k, KB_MONITOR_READY, (int32_t)features);
	serve(&k);
}
