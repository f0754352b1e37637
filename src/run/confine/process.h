#ifndef KB_CONFINE_PROCESS_H
#define KB_CONFINE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "confine/calls.h"
#include "confine/cgroups.h"
#include "confine/confine.h"

struct kb_err;
struct kb_fork_server;

/*
 * A program of somebody else's, run confined and watched.
 *
 * Three processes take part. The supervisor (this process) starts a
 * monitor, a child that runs only our own code. The monitor enters the
 * namespaces, starts the program, and is its init and reaper from then on:
 * it stops and continues everything below it when told to, reports how the
 * program ended, and when it goes, everything below it goes. If the
 * supervisor dies the monitor ends everything.
 *
 * Without a PID namespace (feature not in force) the monitor is a child
 * subreaper and signals the program's process group instead, which the
 * system call filter does not let it leave.
 */

/* Where a program finds its channel. */
#define KB_SPAWN_CHANNEL_FD 3

struct kb_spawn {
	const char *const *argv;	/* argv[0] is an absolute path */
	const char *const *env;		/* "NAME=value", NULL-terminated */
	struct kb_files files;		/* the program begins in its /tmp if it
					   has one, else in `scratch` */
	int program_fd;			/* what to execute instead of the
					   path argv[0], or -1 */
	int channel_fd;			/* becomes KB_SPAWN_CHANNEL_FD, or -1 */
	int log_fd;			/* of confine/log.h: what it prints; */
	bool prints_directly;		/* or what becomes standard output and
					   error, and is no log */
	bool other_user;		/* run as KB_WORKER_UID if we can */
	bool unconfined;		/* nothing but `limits` and `groups` */
	bool loopback;			/* its network namespace has one, and it
					   may use it: see kb_confine_syscalls() */
	struct kb_limits limits;
	struct kb_cgroups *groups;	/* where it gets one, or NULL */
	int group_fd;			/* set by kb_process_start() */
	struct kb_fork_server *server;	/* forks the program instead of having
					   it executed; or NULL */
	bool goes_on;			/* it is this process that goes on as
					   the program: nothing is executed */

	/* Put into the directory that the program will have as `scratch`,
	 * before it starts, whatever is to be in it; or NULL. What it returns
	 * below 0 is what kb_process_start() fails with. */
	int (*fill)(const void *context, int work_fd, struct kb_err *err);
	const void *fill_context;
};

struct kb_process {
	pid_t monitor;		/* 0 when there is none */
	int monitor_fd;
	int work_fd;		/* that directory, or -1 */
	uint32_t features;	/* in force: bit (1 << enum kb_feature) */
	bool running;		/* neither stopped nor ended */
	uint32_t pauses;	/* of ours, when it was last stopped: see
				   base/pause.h */
	bool ended;
	bool unstoppable;	/* it was ended because it would not stop */
	bool unwatched;		/* its monitor was ended: by it, or for want
				   of memory */
	int wait_status;	/* as waitpid(2), once ended */
	int64_t cpu_ns;		/* processor time of the monitor and of all
				   below it, after kb_process_end() */
	struct kb_cgroup group;	/* of all but the monitor */
	uint64_t oom_kills;	/* of the machine, at the start */
	const char *out_of_memory;	/* once its group is gone */
	struct kb_calls refused;	/* system calls that were, as far as
					   it has been waited for */
};

#define KB_PROCESS_INIT { .monitor_fd = -1, .work_fd = -1, \
			  .group = KB_CGROUP_INIT }

/* Does the kernel grant namespaces only with a user namespace, in which there
 * are no users but ours? So it is for root without CAP_SYS_ADMIN, as in an
 * ordinary user's podman: who wants namespaces cannot become another user. */
bool kb_process_has_one_user(void);

/*
 * Start it, running, as isolated as the machine grants. A server that is gone is
 * no failure: then the program is executed. While there are not
 * enough processes or is not enough memory to start it so, it is tried for 90
 * seconds, and not with less isolation. Fails with KB_ERR_SYS, also when the
 * program cannot be executed, and KB_ERR_INTERRUPTED. On failure nothing is left
 * behind.
 */
int kb_process_start(struct kb_process *p, const struct kb_spawn *spawn,
		     struct kb_err *err);

/*
 * Stop every process and thread below the monitor, and return when each of
 * them has stopped, also those that were in a system call: after that nothing
 * executes, and no memory of theirs changes, until the program is continued.
 * If not all have stopped after some two seconds the program is ended. One that
 * was stopped before a pause of ours is stopped again.
 * Returns 1, or 0 if the program has ended (see `ended`). Fails with
 * KB_ERR_SYS, KB_ERR_INTERRUPTED.
 */
int kb_process_stop(struct kb_process *p, struct kb_err *err);

/* Let it run on. Returns 1, or 0 if it has ended. Fails with KB_ERR_SYS. */
int kb_process_continue(struct kb_process *p, struct kb_err *err);

/*
 * Wait until the program ends or `deadline_ns` (CLOCK_MONOTONIC) passes.
 * Returns 0 if it has ended, else 1. Fails with KB_ERR_SYS,
 * KB_ERR_INTERRUPTED.
 */
int kb_process_wait(struct kb_process *p, int64_t deadline_ns,
		    struct kb_err *err);

/* Take note of what the monitor says without blocking; as kb_process_wait. */
int kb_process_poll(struct kb_process *p, struct kb_err *err);

/* Have the program and its descendants killed; kb_process_end() waits until they are
 * gone. Nothing else may be asked of it. */
void kb_process_kill(struct kb_process *p);

/* Kill and reap the program and its descendants. Safe to call on a process that
 * has ended or was never started. */
void kb_process_end(struct kb_process *p);

/*
 * The reason to give if the kernel has killed the program for want of memory,
 * or NULL. Its control group knows; without one it is presumed if any process
 * of the machine was killed for that since it was started.
 */
const char *kb_process_out_of_memory(const struct kb_process *p);

#endif
