#include "worker/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/alloc.h"

/*
 * System calls that no kernel benchmark needs, refused with EPERM. Four
 * kinds: ways to other processes' memory and to more rights; ways to the
 * network; and, because nothing of a stopped worker may change while the
 * supervisor looks at its outputs, ways to have the kernel store to memory
 * later, and every way to have SIGCONT delivered (timers, exit signals of
 * children and I/O signals can carry it too, and a terminal that hangs up
 * sends it to its session's leader: no new ones).
 */

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "name this machine's AUDIT_ARCH"
#endif

/* Calls newer than some headers; the numbers are the same everywhere. */
#define NR_IO_URING_SETUP 425
#define NR_OPEN_TREE 428
#define NR_MOVE_MOUNT 429
#define NR_FSOPEN 430
#define NR_FSMOUNT 432
#define NR_CLONE3 435
#define NR_PIDFD_GETFD 438
#define NR_MOUNT_SETATTR 442

#define ARG(n) (offsetof(struct seccomp_data, args) + 8 * (n))

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (field))
#define LOAD_NR LOAD(offsetof(struct seccomp_data, nr))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define FAIL(e) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (e))
#define KILL BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)

/* Skip the next `n` instructions unless the loaded word is `v`. */
#define UNLESS_EQ(v, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (v), 0, (n))
#define UNLESS_ANY(bits, n) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, (n))

/* Return 0 without doing it. */
#define PRETEND(nr) UNLESS_EQ((nr), 1), FAIL(0)

#define DENY(nr) UNLESS_EQ((nr), 1), FAIL(EPERM)

/* Refuse call `nr` when its argument `arg` is `v`. */
#define DENY_IF(nr, arg, v)						\
	UNLESS_EQ((nr), 4), LOAD(ARG(arg)), UNLESS_EQ((v), 1),		\
	FAIL(EPERM), LOAD_NR

#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |	\
		    CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static struct sock_filter program[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
	KILL,
	LOAD_NR,
#ifdef __x86_64__
	/* The x32 table would be a second name for everything below. */
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
	KILL,
#endif
	/* Other processes, other rights. */
	DENY(SYS_ptrace),
	DENY(SYS_process_vm_readv),
	DENY(SYS_process_vm_writev),
	DENY(NR_PIDFD_GETFD),
	DENY(SYS_bpf),
	DENY(SYS_perf_event_open),
	DENY(SYS_userfaultfd),
	DENY(SYS_keyctl),
	DENY(SYS_add_key),
	DENY(SYS_request_key),
	DENY(SYS_open_by_handle_at),
	DENY(SYS_mount),
	DENY(SYS_umount2),
	DENY(SYS_pivot_root),
	DENY(SYS_chroot),
	DENY(NR_OPEN_TREE),
	DENY(NR_MOVE_MOUNT),
	DENY(NR_FSOPEN),
	DENY(NR_FSMOUNT),
	DENY(NR_MOUNT_SETATTR),
	DENY(SYS_unshare),
	DENY(SYS_setns),
	DENY(SYS_reboot),
	DENY(SYS_kexec_load),
	DENY(SYS_init_module),
	DENY(SYS_finit_module),
	DENY(SYS_delete_module),
	DENY(SYS_swapon),
	DENY(SYS_swapoff),
	DENY(SYS_settimeofday),
	DENY(SYS_clock_settime),
	DENY(SYS_clock_adjtime),
	DENY(SYS_adjtimex),

	/* Stores by somebody else, while the process is stopped. */
	DENY(NR_IO_URING_SETUP),
	DENY(SYS_io_setup),
	DENY(SYS_io_submit),

	/* clone3 passes its flags by pointer, where no filter can see
	 * them; libc falls back to clone. */
	UNLESS_EQ(NR_CLONE3, 1), FAIL(ENOSYS),
	UNLESS_EQ(SYS_clone, 7),
	LOAD(ARG(0)),
	UNLESS_ANY(NAMESPACES, 1), FAIL(EPERM),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CSIGNAL),
	UNLESS_EQ(SIGCONT, 1), FAIL(EPERM),
	LOAD_NR,

	/* The network. */
	UNLESS_EQ(SYS_socket, 6),
	LOAD(ARG(0)),
	UNLESS_EQ(AF_UNIX, 1), ALLOW,
	UNLESS_EQ(AF_NETLINK, 1), ALLOW,
	FAIL(EPERM),

	/* Groups and sessions. */
	PRETEND(SYS_setpgid),
	PRETEND(SYS_setsid),

	/* SIGCONT. */
	DENY_IF(SYS_kill, 1, SIGCONT),
	DENY_IF(SYS_tkill, 1, SIGCONT),
	DENY_IF(SYS_tgkill, 2, SIGCONT),
	DENY_IF(SYS_rt_sigqueueinfo, 1, SIGCONT),
	DENY_IF(SYS_rt_tgsigqueueinfo, 2, SIGCONT),
	DENY_IF(SYS_pidfd_send_signal, 1, SIGCONT),
	DENY_IF(SYS_fcntl, 1, F_SETSIG),
	DENY_IF(SYS_prctl, 0, PR_SET_PDEATHSIG),
	DENY_IF(SYS_ioctl, 1, TIOCSPTLCK),
	DENY_IF(SYS_ioctl, 1, TIOCSCTTY),
	DENY(SYS_timer_create),
	DENY(SYS_mq_notify),

	ALLOW,
};

int kb_confine_syscalls(void)
{
	const struct sock_fprog prog = {
		.len = KB_ARRAY_LEN(program),
		.filter = program,
	};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0 ? errno : 0;
}
