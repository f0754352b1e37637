#ifndef KB_CONFINE_CONFINE_H
#define KB_CONFINE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct kb_buf;
struct kb_json;
struct kb_private_tmp;
struct kb_root;

/*
 * The barriers between a candidate and the machine. Each feature is tried where
 * the kernel and our own rights allow it, and what is in force is recorded;
 * SECURITY.md says what each is worth. None of this is what the verdict rests
 * on: that is the process boundary itself.
 */

enum kb_feature {
	KB_FEATURE_PID_NAMESPACE,	/* sees and signals only its own */
	KB_FEATURE_NET_NAMESPACE,	/* no network; loopback for ranks alone */
	KB_FEATURE_IPC_NAMESPACE,
	KB_FEATURE_OWN_ROOT,		/* see confine/root.h */
	KB_FEATURE_PRIVATE_PROC,	/* /proc shows its own processes only */
	KB_FEATURE_READ_ONLY_FILES,	/* all but its own scratch directory */
	KB_FEATURE_PRIVATE_SHM,		/* a /dev/shm of its own */
	KB_FEATURE_PRIVATE_TMP,		/* see confine/private_tmp.h */
	KB_FEATURE_OTHER_USER,		/* not the supervisor's user id */
	KB_FEATURE_LANDLOCK,		/* see confine/landlock.h */
	KB_FEATURE_SYSCALL_FILTER,	/* see syscall_filter.c */
	KB_FEATURE_CGROUP_MEMORY,	/* see confine/cgroups.h */
	KB_FEATURE_CGROUP_PIDS,
	KB_FEATURE_COUNT,
};

/* `features` has bit (1 << feature) for each in force: {"pid_namespace": true, ...} */
struct kb_json *kb_features_to_json(uint32_t features);

/*
 * The names of those that are not in force, with commas between, appended to
 * `out`. A worker can have another user only if its supervisor is root, so it is
 * not missed by anybody else.
 */
void kb_features_missing(struct kb_buf *out, uint32_t features, bool is_root);

/* Whom a worker runs as when the supervisor is root: nobody. */
#define KB_WORKER_UID 65534
#define KB_WORKER_GID 65534

struct kb_limits {
	uint64_t address_bytes;		/* RLIMIT_AS; 0 for none */
	uint64_t memory_bytes;		/* of all its processes, if they have a
					   control group; 0 for none */
	uint64_t file_bytes;		/* RLIMIT_FSIZE; 0 for none */
	uint64_t processes;		/* threads included: of its control
					   group, else RLIMIT_NPROC; 0 for
					   none */
	uint64_t files;			/* RLIMIT_NOFILE */
	int niceness;			/* above what the caller has; above 0
					   it also stays on the processors that
					   the caller may use */
};

/*
 * The three steps, in the process that is being confined; no allocation,
 * no locks. Each returns 0 or an errno value, except that features that
 * cannot be had are left out of `features` and that is no error.
 */

/* The files that a program sees. */
struct kb_files {
	const char *scratch;		/* the directory that stays writable */
	uint64_t work_bytes, work_files;	/* at most in it, if it is of a
						   root of its own; 0: as much
						   as there is room for */
	const struct kb_private_tmp *tmp;	/* or NULL */
	const struct kb_root *root;	/* with `tmp` alone, which may be had
					   where this cannot; or NULL */
	const char *const *hidden;	/* files that are not to be there, which
					   is an error if it cannot be had; ends
					   with NULL; or NULL */
};

/* As the first process of new namespaces: identity, mounts. `other_user`: the
 * program will run as KB_WORKER_UID if `uid` is 0. */
int kb_confine_namespaces(uint32_t clone_flags, uid_t uid, gid_t gid,
			  bool other_user, const struct kb_files *files,
			  uint32_t *features);

/* In a network namespace of our own: set up its loopback device, the only one
 * that it has. */
int kb_confine_loopback(void);

/* Just before exec, in this order. */
int kb_confine_limits(const struct kb_limits *limits);
int kb_confine_user(bool other_user);

/*
 * Limit open files, after all other steps and after the last descriptor is sent.
 * The kernel refuses to send a descriptor while the sender's user has more on
 * their way than the sender may have open. A candidate of the same user can have
 * sent as many as its own limit, so that limit is at most half of ours. Returns 0
 * or an errno value.
 */
int kb_confine_descriptors(const struct kb_limits *limits);

struct kb_call_rules {
	bool ipc;			/* see confine/calls.h */
	bool loopback;			/* sockets of AF_INET may be made */
	bool keeps_processors;		/* sched_setaffinity(2) has no effect */
};

/* `*notify_fd` is where refused calls can be answered, as seccomp_unotify(2) has
 * it, or -1: then they are refused as they are. */
int kb_confine_syscalls(const struct kb_call_rules *rules, int *notify_fd);

#endif
