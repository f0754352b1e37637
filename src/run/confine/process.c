#include "confine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/pause.h"
#include "confine/fork_server.h"
#include "confine/monitor.h"
#include "confine/pass_fd.h"

#define NAMESPACES (CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | \
		    CLONE_NEWUTS)

/* From strongest to none; the first that the kernel grants is used. */
static const unsigned isolation[] = {
	NAMESPACES,			/* root */
	NAMESPACES | CLONE_NEWUSER,	/* where users may have namespaces */
	0,
};

/*
 * Neither fork(3) nor unshare(2) will do: the one takes no flags, the other
 * puts later children into a new PID namespace and not the caller. Machines
 * disagree on the order of the last arguments (clone(2)), which are all NULL.
 */
static pid_t fork_into(unsigned flags)
{
	return (pid_t)syscall(SYS_clone, flags | SIGCHLD, NULL, NULL, NULL,
			      NULL);
}

static bool grants_namespaces(unsigned flags)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();
	const struct kb_files none = { 0 };
	const pid_t pid = fork_into(flags);
	uint32_t features = 0;
	int status = -1;

	/* A user namespace may be granted without what it is asked for. */
	if (!pid)
		_exit(kb_confine_namespaces(flags & ~(unsigned)CLONE_NEWNS, uid,
					    gid, false, &none, &features) ||
		      mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

bool kb_process_has_one_user(void)
{
	return !grants_namespaces(NAMESPACES) &&
	       grants_namespaces(NAMESPACES | CLONE_NEWUSER);
}

/* Not blocking; with KB_MONITOR_WORK comes its descriptor. */
static ssize_t receive_report(struct kb_process *p, struct kb_monitor_report *r)
{
	int fd;
	const ssize_t n = kb_take_fd(p->monitor_fd, r, sizeof(*r), &fd,
				     MSG_DONTWAIT);

	if (fd >= 0 && p->work_fd < 0)
		p->work_fd = fd;
	else if (fd >= 0)
		close(fd);
	return n;
}

/* Somebody stopped the monitor, which then answers nobody. A monitor that is stopped
 * with all of a job goes on with it, a moment before us or behind us. */
struct stopped_monitor {
	int64_t since_ns;		/* 0: it is not stopped */
	uint32_t pauses;
};

#define STOPPED_MONITOR_NS (2 * KB_NS_PER_S)

static bool is_stopped_for_good(const struct kb_process *p,
				struct stopped_monitor *s)
{
	siginfo_t info = { .si_pid = 0 };

	if (waitid(P_PID, (id_t)p->monitor, &info,
		   WSTOPPED | WNOHANG | WNOWAIT) < 0 || !info.si_pid) {
		s->since_ns = 0;
		return false;
	}
	if (!s->since_ns || s->pauses != kb_pause_count())
		*s = (struct stopped_monitor){ kb_clock_ns(),
					       kb_pause_count() };
	return kb_clock_ns() - s->since_ns >= STOPPED_MONITOR_NS;
}

/* Whatever it is. */
static int receive_any(struct kb_process *p, struct kb_monitor_report *r,
		       int64_t deadline_ns, struct kb_err *err)
{
	struct pollfd fd = { .fd = p->monitor_fd, .events = POLLIN };
	struct stopped_monitor stopped = { .since_ns = 0 };
	ssize_t n;

	for (;;) {
		const int64_t look_ns = kb_clock_ns() + KB_PAUSE_LOOK_NS;
		int count = poll(&fd, 1, kb_clock_poll_ms(
			deadline_ns < look_ns ? deadline_ns : look_ns));

		kb_pause_look();
		if (count > 0)
			break;
		if (count < 0 && errno != EINTR)
			return kb_err_sys(err, "cannot wait for the monitor");
		if (count < 0 && kb_interrupted())
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		if (!count && kb_clock_ns() >= deadline_ns)
			return 0;
		if (is_stopped_for_good(p, &stopped)) {
			*r = (struct kb_monitor_report){ KB_MONITOR_GONE,
							 SIGKILL };
			return 1;
		}
	}

	n = receive_report(p, r);
	if (n != sizeof(*r))
		*r = (struct kb_monitor_report){ KB_MONITOR_GONE, SIGKILL };
	return 1;
}

/* Next report of the monitor that is to be waited for. Returns 1, or 0 if none
 * came in time. */
static int receive(struct kb_process *p, struct kb_monitor_report *r,
		   int64_t deadline_ns, struct kb_err *err)
{
	int ret;

	while ((ret = receive_any(p, r, deadline_ns, err)) > 0 &&
	       r->event == KB_MONITOR_CALL)
		if ((uint32_t)r->value < KB_CALL_NUMBERS)
			kb_calls_add(&p->refused, (uint32_t)r->value);
	return ret;
}

static void note_end(struct kb_process *p, const struct kb_monitor_report *r)
{
	p->ended = true;
	p->unstoppable = r->event == KB_MONITOR_UNSTOPPABLE;
	p->unwatched = r->event == KB_MONITOR_GONE;
	p->running = false;
	p->wait_status = r->value;
}

static int command_monitor(struct kb_process *p, enum kb_monitor_command c,
			   struct kb_err *err)
{
	const char byte = (char)c;

	/* A monitor that is gone is found out by whoever waits for it. */
	if (send(p->monitor_fd, &byte, 1, MSG_NOSIGNAL) != 1 && errno != EPIPE)
		return kb_err_sys(err, "cannot command the monitor");
	return 0;
}

/* And the report that comes when the program has started, or has not. */
static int fill_work(struct kb_process *p, const struct kb_spawn *spawn,
		     struct kb_monitor_report *r, struct kb_err *err)
{
	int ret = spawn->fill ? spawn->fill(spawn->fill_context, p->work_fd,
					    err) : 0;

	if (ret >= 0)
		ret = command_monitor(p, KB_MONITOR_CONTINUE, err);
	return ret < 0 ? ret : receive(p, r, INT64_MAX, err);
}

/* A lack of processes or memory may pass: others took them, such as another
 * candidate of the same user. It is no reason to use less isolation, and none
 * to end a run. */
static bool may_pass(int error)
{
	return error == EAGAIN || error == ENOMEM;
}

/* The monitor, by a fork of ours or of the server's: its parent is this process
 * in any case. Fails if the server is gone. */
static int start_monitor(struct kb_process *p, const struct kb_spawn *spawn,
			 unsigned flags, int fd, struct kb_err *err)
{
	/* Asked before the clone: in a new user namespace that has no map yet,
	 * ids are those of nobody. */
	const uid_t uid = geteuid();
	const gid_t gid = getegid();

	if (spawn->server)
		return kb_fork_server_fork(spawn->server, &p->monitor, spawn,
					   flags, fd, err);
	p->monitor = fork_into(flags);
	if (!p->monitor) {
		kb_monitor_run(spawn, flags, uid, gid, fd);
		_exit(1);
	}
	return 0;
}

/* Returns 1 when the program runs, 0 if this isolation cannot be had. */
static int try_start(struct kb_process *p, const struct kb_spawn *spawn,
		     unsigned flags, struct kb_err *err)
{
	struct kb_monitor_report r;
	int fds[2], ret;

	/* SOCK_SEQPACKET keeps reports apart, and has an end of file by which
	 * each side learns that the other is gone. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		return kb_err_sys(err, "cannot make a socket");
	p->monitor_fd = fds[0];
	ret = start_monitor(p, spawn, flags, fds[1], err);
	close(fds[1]);
	if (ret < 0)
		return ret;
	if (p->monitor < 0)
		return flags && !may_pass(errno) ? 0 :
		       kb_err_sys(err, "cannot start a process");

	ret = receive(p, &r, INT64_MAX, err);
	if (ret > 0 && r.event == KB_MONITOR_WORK)
		ret = fill_work(p, spawn, &r, err);
	if (ret < 0)
		return ret;
	if (r.event == KB_MONITOR_GONE) {
		errno = ECHILD;
		return kb_err_sys(err, "the monitor of a worker is gone");
	}
	if (r.event == KB_MONITOR_REFUSED && flags && !may_pass(r.value))
		return 0;
	if (r.event != KB_MONITOR_READY) {
		errno = r.value;
		return kb_err_sys(err, "cannot run '%s'", spawn->argv[0]);
	}
	p->features |= (uint32_t)r.value;
	p->running = true;
	return 1;
}

/* How many processes the kernel has killed for want of memory, ever. */
static uint64_t count_oom_kills(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	const char *p;

	/* The line is there since Linux 4.13, and is never the first. */
	if (kb_file_read(&text, AT_FDCWD, "/proc/vmstat", 1 << 20, NULL) < 0)
		return 0;
	p = strstr(text.data, "\noom_kill ");
	return p ? strtoull(p + strlen("\noom_kill "), NULL, 10) : 0;
}

/* A group counts the processes of one worker; RLIMIT_NPROC those of a user. */
static int make_group(struct kb_process *p, struct kb_spawn *s,
		      struct kb_err *err)
{
	struct kb_cgroups *g = s->groups;
	int ret = kb_cgroup_make(&p->group, g, s->limits.memory_bytes,
				 s->limits.processes, err);

	s->group_fd = p->group.fd;
	p->oom_kills = count_oom_kills();
	if (ret < 0 || p->group.fd < 0)
		return ret;
	if (g->has_memory)
		p->features |= 1u << KB_FEATURE_CGROUP_MEMORY;
	if (g->has_pids) {
		p->features |= 1u << KB_FEATURE_CGROUP_PIDS;
		s->limits.processes = 0;
	}
	return 0;
}

/* Returns as try_start(). On failure nothing is left. */
static int start_once(struct kb_process *p, const struct kb_spawn *spawn,
		      unsigned flags, struct kb_err *err)
{
	struct kb_spawn s = *spawn;
	int ret;

	*p = (struct kb_process)KB_PROCESS_INIT;
	kb_pause_begin();
	ret = make_group(p, &s, err);
	if (ret >= 0)
		ret = try_start(p, &s, flags, err);
	if (ret <= 0)
		kb_process_end(p);
	return ret;
}

/* Longer than a candidate may hold processes for in one request, by default. */
#define PATIENCE_NS (90 * KB_NS_PER_S)

static int start_patiently(struct kb_process *p, const struct kb_spawn *spawn,
			   unsigned flags, struct kb_err *err)
{
	const struct timespec pause = { .tv_nsec = 20 * KB_NS_PER_MS };
	const int64_t end_ns = kb_clock_ns() + PATIENCE_NS;
	struct kb_err passing;
	int ret;

	for (;;) {
		passing = (struct kb_err)KB_ERR_INIT;
		ret = start_once(p, spawn, flags, &passing);
		if (ret >= 0)
			return ret;
		if (ret != -KB_ERR_SYS || !may_pass(passing.sys_errno) ||
		    kb_clock_ns() >= end_ns)
			return kb_err_take(err, &passing);
		if (kb_interrupted())
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		nanosleep(&pause, NULL);
	}
}

static int start(struct kb_process *p, const struct kb_spawn *spawn,
		 struct kb_err *err)
{
	int ret = 0;

	for (size_t i = spawn->unconfined ? KB_ARRAY_LEN(isolation) - 1 : 0;
	     i < KB_ARRAY_LEN(isolation) && !ret; i++)
		ret = start_patiently(p, spawn, isolation[i], err);
	if (ret > 0)
		p->ended = false;
	return ret < 0 ? ret : 0;
}

int kb_process_start(struct kb_process *p, const struct kb_spawn *spawn,
		     struct kb_err *err)
{
	struct kb_spawn s = *spawn;
	struct kb_err of_server = KB_ERR_INIT;

	if (s.server) {
		int ret = start(p, &s, &of_server);

		if (ret >= 0 || ret == -KB_ERR_INTERRUPTED ||
		    kb_fork_server_is_there(s.server))
			return ret < 0 ? kb_err_take(err, &of_server) : ret;
	}
	s.server = NULL;
	return start(p, &s, err);
}

int kb_process_stop(struct kb_process *p, struct kb_err *err)
{
	struct kb_monitor_report r;
	int ret;

	/* A SIGCONT that continued us has continued stopped programs, too. */
	if (p->ended || (!p->running && p->pauses == kb_pause_count()))
		return !p->ended;
	p->pauses = kb_pause_count();
	ret = command_monitor(p, KB_MONITOR_STOP, err);
	if (ret < 0)
		return ret;
	ret = receive(p, &r, INT64_MAX, err);
	if (ret < 0)
		return ret;
	if (r.event != KB_MONITOR_STOPPED) {
		note_end(p, &r);
		return 0;
	}
	p->running = false;
	return 1;
}

int kb_process_continue(struct kb_process *p, struct kb_err *err)
{
	int ret;

	if (p->ended || p->running)
		return !p->ended;
	p->running = true;
	ret = command_monitor(p, KB_MONITOR_CONTINUE, err);
	return ret < 0 ? ret : 1;
}

int kb_process_wait(struct kb_process *p, int64_t deadline_ns,
		    struct kb_err *err)
{
	struct kb_monitor_report r;
	int ret;

	if (p->ended)
		return 0;
	ret = receive(p, &r, deadline_ns, err);
	if (ret <= 0)
		return ret < 0 ? ret : 1;
	note_end(p, &r);
	return 0;
}

int kb_process_poll(struct kb_process *p, struct kb_err *err)
{
	return kb_process_wait(p, 0, err);
}

static int64_t ns_of(const struct timeval *t)
{
	return t->tv_sec * KB_NS_PER_S + t->tv_usec * INT64_C(1000);
}

/* A monitor has waited for all that it started, so that its times are theirs. Whoever
 * stopped it does not keep it from that. */
static void reap_monitor(struct kb_process *p)
{
	struct rusage used = { .ru_maxrss = 0 };
	int status = 0;
	pid_t pid;

	do {
		pid = wait4(p->monitor, &status, WUNTRACED, &used);
		if (pid > 0 && WIFSTOPPED(status))
			kill(p->monitor, SIGCONT);
	} while (pid < 0 ? errno == EINTR : WIFSTOPPED(status));
	p->cpu_ns = ns_of(&used.ru_utime) + ns_of(&used.ru_stime);
}

void kb_process_kill(struct kb_process *p)
{
	if (p->monitor_fd < 0)
		return;
	/* At end of file the monitor kills and reaps what is below it; SIGKILL at
	 * once would leave that to the namespace, which there may not be. */
	shutdown(p->monitor_fd, SHUT_RDWR);
	close(p->monitor_fd);
	p->monitor_fd = -1;
}

void kb_process_end(struct kb_process *p)
{
	int saved = errno;

	kb_process_kill(p);
	if (p->monitor > 0) {
		reap_monitor(p);
		/* The counts go with the group, which is removed next. */
		p->out_of_memory = kb_process_out_of_memory(p);
	}
	kb_cgroup_remove(&p->group);
	if (p->work_fd >= 0)
		close(p->work_fd);
	p->work_fd = -1;
	p->monitor = 0;
	p->ended = true;
	p->running = false;
	errno = saved;
}

const char *kb_process_out_of_memory(const struct kb_process *p)
{
	if (p->out_of_memory)
		return p->out_of_memory;
	if (p->features & (1u << KB_FEATURE_CGROUP_MEMORY)) {
		switch (kb_cgroup_kills(&p->group)) {
		case KB_CGROUP_NO_KILLS:
			return NULL;
		case KB_CGROUP_KILLS_BY_LIMIT:
			return "killed: its processes together took more "
			       "memory than they may";
		case KB_CGROUP_KILLS:
			break;
		}
	} else if (count_oom_kills() == p->oom_kills) {
		return NULL;
	}
	return "killed: the machine ran out of memory";
}
