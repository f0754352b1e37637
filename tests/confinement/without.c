/*
 * without namespaces|docker COMMAND...: run it where the kernel grants it less.
 *
 *	namespaces	no new PID namespace, and so none at all
 *	docker		what the default profiles of Docker refuse who lacks
 *			CAP_SYS_ADMIN: namespaces and mounts; clone3() is not
 *			there, since what it is asked cannot be looked at
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NAMESPACES (CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | \
		    CLONE_NEWUTS | CLONE_NEWUSER | CLONE_NEWCGROUP)
#define FAIL(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
			offsetof(struct seccomp_data, nr))
#define FIRST BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
		       offsetof(struct seccomp_data, args))

/* Two instructions: the call fails. */
#define REFUSE(call, error) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (call), 0, 1), FAIL(error)

/* Not in the headers of every libc that we meet. */
enum {
	NR_OPEN_TREE = 428,
	NR_MOVE_MOUNT = 429,
	NR_FSOPEN = 430,
	NR_CLONE3 = 435,
	NR_MOUNT_SETATTR = 442,
};

static struct sock_filter namespaces[] = {
	NUMBER, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
	FIRST, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWPID, 0, 1),
	FAIL(EPERM), ALLOW,
};

static struct sock_filter docker[] = {
	NUMBER,
	REFUSE(NR_CLONE3, ENOSYS), REFUSE(SYS_unshare, EPERM),
	REFUSE(SYS_setns, EPERM), REFUSE(SYS_mount, EPERM),
	REFUSE(SYS_umount2, EPERM), REFUSE(SYS_pivot_root, EPERM),
	REFUSE(NR_OPEN_TREE, EPERM), REFUSE(NR_MOVE_MOUNT, EPERM),
	REFUSE(NR_FSOPEN, EPERM), REFUSE(NR_MOUNT_SETATTR, EPERM),
	REFUSE(SYS_keyctl, EPERM), REFUSE(SYS_bpf, EPERM),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
	FIRST, BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
	FAIL(EPERM), ALLOW,
};

static int refuse(struct sock_filter *filter, size_t len)
{
	const struct sock_fprog p = { .len = (unsigned short)len,
				      .filter = filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) < 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "docker")
	    ? refuse(namespaces, sizeof(namespaces) / sizeof(namespaces[0]))
	    : refuse(docker, sizeof(docker) / sizeof(docker[0]))) {
		perror("without");
		return 4;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 4;
}
