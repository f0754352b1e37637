/* A process that begins in a control group. */

#include "confine/cgroups.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

/* clone3(2), Linux 5.3; into a group, 5.7. */
#define NR_CLONE3 435
#define INTO_CGROUP (UINT64_C(1) << 33)

struct clone3_args {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack,
		 stack_size, tls, set_tid, set_tid_size, cgroup;
};

pid_t kb_cgroup_fork(int fd)
{
	struct clone3_args args = { .exit_signal = SIGCHLD };

	if (fd < 0)
		return fork();
	args.flags = INTO_CGROUP;
	args.cgroup = (uint64_t)fd;
	return (pid_t)syscall(NR_CLONE3, &args, sizeof(args));
}
