/* The seccomp filter, made of the lists in confine/calls.h. */

#include "confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/calls.h"

/*
 * A list of what is allowed, in confine/calls.c, behind conditions on some
 * calls' arguments. Left out are four kinds: ways to other processes' memory
 * and to more rights; ways to the network; what would outlive a worker; and,
 * because nothing of a stopped worker may change while the supervisor looks at
 * its outputs, ways to have the kernel store to memory later, and every way to
 * have SIGCONT delivered (timers, exit signals of children and I/O signals can
 * carry it too, and a terminal that hangs up sends it to its session's leader:
 * no new ones).
 *
 * What is refused fails with EPERM, by the monitor, so that it can be named;
 * what is newer than the list fails with ENOSYS.
 */

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "name this machine's AUDIT_ARCH"
#endif

#define NR_CLONE3 435
#define MADVISE_COLLAPSE 25		/* Linux 6.1 */

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

/* Refuse call `nr` when its argument `arg` is `v`. */
#define DENY_IF(nr, arg, v)						\
	UNLESS_EQ((nr), 4), LOAD(ARG(arg)), UNLESS_EQ((v), 1),		\
	FAIL(EPERM), LOAD_NR

/* Refuse call `nr` unless its argument `arg` is `v`. */
#define DENY_UNLESS(nr, arg, v)						\
	UNLESS_EQ((nr), 4), LOAD(ARG(arg)),				\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (v), 1, 0), FAIL(EPERM), LOAD_NR

#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET |	\
		    CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)

static const struct sock_filter conditions[] = {
	LOAD(offsetof(struct seccomp_data, arch)),
	/* A 64-bit process can make calls of the 32-bit ABI (int 0x80 on x86),
	 * where each number is another call (seccomp(2)). */
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
	KILL,
	LOAD_NR,
#ifdef __x86_64__
	/* The x32 table would be a second name for everything below. */
	BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
	KILL,
#endif
	/* clone3 passes its flags by pointer, where no filter can see
	 * them; libc falls back to clone. */
	UNLESS_EQ(NR_CLONE3, 1), FAIL(ENOSYS),
	UNLESS_EQ(SYS_clone, 7),
	LOAD(ARG(0)),
	UNLESS_ANY(NAMESPACES, 1), FAIL(EPERM),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, CSIGNAL),
	UNLESS_EQ(SIGCONT, 1), FAIL(EPERM),
	LOAD_NR,

	/* Groups and sessions. */
	PRETEND(SYS_setpgid),
	/* Pretended, since programs that start others give up if these fail,
	 * and do not look whether they had an effect. Where there is no PID
	 * namespace, who left the group would not be stopped with it. */
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

	/* Limits of others: the monitor's may be the same user's. */
	DENY_UNLESS(SYS_prlimit64, 0, 0),

	/* Huge pages for its own slots, where the reference has small ones. */
	DENY_IF(SYS_madvise, 2, MADVISE_COLLAPSE),
};

/* The network: it has none, and of loopback there are TCP and UDP. The other
 * protocols of AF_INET would be more of the kernel to be attacked. */
static const struct sock_filter sockets[] = {
	UNLESS_EQ(SYS_socket, 6),
	LOAD(ARG(0)),
	UNLESS_EQ(AF_UNIX, 1), ALLOW,
	UNLESS_EQ(AF_NETLINK, 1), ALLOW,
	FAIL(EPERM),
}, loopback_sockets[] = {
	UNLESS_EQ(SYS_socket, 16),
	LOAD(ARG(0)),
	UNLESS_EQ(AF_UNIX, 1), ALLOW,
	UNLESS_EQ(AF_NETLINK, 1), ALLOW,
	UNLESS_EQ(AF_INET, 9),
	/* The type, without its flags: it chooses among protocols, and makes
	 * the kernel load a module. */
	LOAD(ARG(1)),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0),
	UNLESS_EQ(SOCK_DGRAM, 5),
	LOAD(ARG(2)),
	UNLESS_EQ(0, 1), ALLOW,
	UNLESS_EQ(IPPROTO_TCP, 1), ALLOW,
	FAIL(EPERM),
};

/* Builds keep off the processors that time. Programs that choose some do not
 * look whether that had an effect. */
static const struct sock_filter processors[] = {
	PRETEND(SYS_sched_setaffinity),
};

/* Three instructions for each run of numbers that are allowed, at most one for
 * every second number. */
#define PROGRAM_MAX (KB_ARRAY_LEN(conditions) +				\
		     KB_ARRAY_LEN(loopback_sockets) +			\
		     KB_ARRAY_LEN(processors) + 3 *			\
		     (KB_CALL_NUMBERS / 2 + 1) + 3)

static void add_instruction(struct sock_fprog *p,
			    struct sock_filter instruction)
{
	p->filter[p->len++] = instruction;
}

#define ADD(p, instruction)                                                    \
	add_instruction((p), (struct sock_filter)instruction)

/* The numbers from `first` to `last` are allowed. */
static void allow_run(struct sock_fprog *p, uint32_t first, uint32_t last)
{
	ADD(p, BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first, 0, 2));
	ADD(p, BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last, 1, 0));
	ADD(p, ALLOW);
}

static void add_all(struct sock_fprog *p, const struct sock_filter from[],
		    size_t count)
{
	memcpy(p->filter + p->len, from, count * sizeof(*from));
	p->len += (unsigned short)count;
}

#define ADD_ALL(p, from) add_all((p), (from), KB_ARRAY_LEN(from))

static void allow_list(struct sock_fprog *p, const struct kb_calls *allowed)
{
	uint32_t first = 0;

	for (uint32_t n = 0; n <= KB_CALL_NUMBERS; n++) {
		if (kb_calls_has(allowed, n))
			continue;
		if (first < n)
			allow_run(p, first, n - 1);
		first = n + 1;
	}
}

/* SECCOMP_RET_USER_NOTIF, Linux 5.0: somebody else says what comes of it. */
#define TELL BPF_STMT(BPF_RET | BPF_K, 0x7fc00000)
#define NEW_LISTENER (1ul << 3)

int kb_confine_syscalls(const struct kb_call_rules *rules, int *notify_fd)
{
	const struct kb_calls allowed = kb_calls_allowed(rules->ipc);
	struct sock_filter program[PROGRAM_MAX];
	struct sock_fprog p = { .filter = program };

	ADD_ALL(&p, conditions);
	if (rules->keeps_processors)
		ADD_ALL(&p, processors);
	if (rules->loopback)
		ADD_ALL(&p, loopback_sockets);
	else
		ADD_ALL(&p, sockets);
	allow_list(&p, &allowed);
	ADD(&p, BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, KB_CALL_NUMBERS, 0, 1));
	ADD(&p, FAIL(ENOSYS));
	ADD(&p, TELL);
	/* This fails before Linux 5.0, and where we run under a filter that has
	 * a listener already (EBUSY, seccomp(2)). */
	*notify_fd = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
				NEW_LISTENER, &p);
	if (*notify_fd >= 0)
		return 0;
	/* Nobody is told. */
	p.len--;
	ADD(&p, FAIL(EPERM));
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) < 0 ? errno : 0;
}
