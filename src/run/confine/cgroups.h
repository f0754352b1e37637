#ifndef KB_CONFINE_CGROUPS_H
#define KB_CONFINE_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kb_err;

/*
 * Control groups of version 2: limits for all processes of a worker together,
 * what they keep in a tmpfs included. They take Linux 5.7, the groups mounted
 * at /sys/fs/cgroup, and a group in which we may make others: our own, if none
 * but our ancestors and descendants are in it, or else the nearest one around
 * it, unless that would be a way out of a limit on memory or processors.
 * The group of a service or scope that systemd does not delegate is the last
 * choice: systemd may end a service in which the kernel kills for want of memory.
 *
 * A run has one group, "kb-run-*", which it holds locked; one whose owner was
 * killed is swept by the next run, with all that is in it. Each worker has a
 * group in that. A group of our own is empty while it has others in it: then
 * those that were in it wait in "kb-self".
 */
struct kb_cgroups {
	int base_fd;			/* where the run's group is made */
	int run_fd;			/* the run's group; -1: there is none */
	char *run;			/* its name */
	char *why_not;			/* if there is none; else NULL */
	bool has_memory, has_pids;	/* which limits can be had */
	bool is_gathered;		/* "kb-self" is to be emptied */
	pid_t owner;			/* who removes it all */
	unsigned next;
};

#define KB_CGROUPS_INIT { .base_fd = -1, .run_fd = -1 }

/* No control group is no error; `why_not` has the reason. */
void kb_cgroups_open(struct kb_cgroups *g);

/* Removes what the run has made, if this process opened it. */
void kb_cgroups_release(struct kb_cgroups *g);

/* The control group of one worker. */
struct kb_cgroup {
	int fd;				/* the directory; -1: it has none */
	int run_fd;			/* borrowed from the struct kb_cgroups */
	char name[32];
};

#define KB_CGROUP_INIT { .fd = -1, .run_fd = -1 }

/*
 * A group with room for `memory_bytes`, none of it in swap, and for
 * `processes`, threads included; 0 is no limit. When memory runs out the
 * kernel kills all that is in the group. Without `g`, or if that has no groups,
 * there is none, and `fd` is -1. Fails with KB_ERR_SYS.
 */
int kb_cgroup_make(struct kb_cgroup *c, struct kb_cgroups *g,
		   uint64_t memory_bytes, uint64_t processes,
		   struct kb_err *err);

/* The number of processes that the kernel killed in it for lack of memory, and
 * the reason. */
enum kb_cgroup_kills {
	KB_CGROUP_NO_KILLS,
	KB_CGROUP_KILLS_BY_LIMIT,	/* the group's own was reached */
	KB_CGROUP_KILLS,		/* one around it, or the machine's */
};

enum kb_cgroup_kills kb_cgroup_kills(const struct kb_cgroup *c);

/* Kills whatever is in it, and removes it. Fine on KB_CGROUP_INIT. */
void kb_cgroup_remove(struct kb_cgroup *c);

/* fork(), and the child is in the group from its first instruction on, or as
 * its parent if `fd` is -1. A system call, no more. */
pid_t kb_cgroup_fork(int fd);

/*
 * For who goes on without exec in a process that kb_cgroup_fork() makes: let it
 * do for the calling thread what fork(3) does, which knows its number and its
 * robust mutexes. Asked once, by the first thread of a program, before any other
 * fork. Returns 0 or an errno value.
 */
int kb_cgroup_fork_prepare(void);

#endif
