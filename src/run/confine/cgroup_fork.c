/* A process that begins in a control group. */

#include "confine/cgroups.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* clone3(2), Linux 5.3; into a group, 5.7. */
#define NR_CLONE3 435
#define INTO_CGROUP (UINT64_C(1) << 33)

struct clone3_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack,
		 stack_size, tls, set_tid, set_tid_size, cgroup;
};

/* Where the C library keeps the number of the first thread, which it compares
 * with the owners of mutexes, and the mutexes that the kernel is to release
 * should the thread die. */
static pid_t *own_tid;
static void *robust_list;
static size_t robust_bytes;

int kb_cgroup_fork_prepare(void)
{
	pid_t *tid = NULL;

	/* The kernel tells it only if it was built with
	 * CONFIG_CHECKPOINT_RESTORE, and of another C library it may be another
	 * word that is cleared when the thread ends. */
	if (prctl(PR_GET_TID_ADDRESS, &tid, 0, 0, 0) < 0 ||
	    syscall(SYS_get_robust_list, 0, &robust_list, &robust_bytes) < 0)
		return errno;
	if (!tid || *tid != (pid_t)syscall(SYS_gettid))
		return ENOTSUP;
	own_tid = tid;
	return 0;
}

pid_t kb_cgroup_fork(int fd)
{
	struct clone3_args args = { .exit_signal = SIGCHLD };
	pid_t pid;

	if (fd < 0)
		return fork();
	args.flags = INTO_CGROUP;
	args.cgroup = (uint64_t)fd;
	if (own_tid) {
		args.flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
		args.child_tid = (uint64_t)(uintptr_t)own_tid;
	}
	pid = (pid_t)syscall(NR_CLONE3, &args, sizeof(args));
	if (!pid && own_tid)
		(void)syscall(SYS_set_robust_list, robust_list, robust_bytes);
	return pid;
}
