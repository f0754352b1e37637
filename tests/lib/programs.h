#ifndef KB_TESTS_PROGRAMS_H
#define KB_TESTS_PROGRAMS_H

#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "lib/tap.h"

/*
 * Programs of tests/workers, which are built beside the test, and a machine
 * that grants no namespaces to run them on.
 */

/* Open for execution; the caller closes it. */
static inline int program_open(const char *name)
{
	char self[PATH_MAX], path[PATH_MAX + 64];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	int fd;

	if (len < 0)
		KB_BUG("cannot read /proc/self/exe");
	self[len] = '\0';
	*strrchr(self, '/') = '\0';
	snprintf(path, sizeof(path), "%s/../workers/%s", self, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		KB_BUG("cannot open a program of tests/workers");
	return fd;
}

/* From now on this process gets no PID namespace, so none at all. */
static inline void refuse_namespaces(void)
{
	struct sock_filter program[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_NEWPID, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1 /* EPERM */),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog prog = {
		.len = KB_ARRAY_LEN(program),
		.filter = program,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog) < 0)
		KB_BUG("cannot install a system call filter");
}

/* A test again, in a process that is refused namespaces. */
static inline void without_namespaces(void (*test)(void))
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		refuse_namespaces();
		test();
		fflush(stdout);
		_exit(tap_failed ? 1 : tap_skipped ? 2 : 0);
	}
	check(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		tap_skip("nor can it be with namespaces");
	else
		check_int(status, 0);
}

#define TEST_WITHOUT_NAMESPACES(name)				\
	static void name##_without_namespaces(void)		\
	{							\
		without_namespaces(name);			\
	}							\
	struct tap_swallow_semicolon

#endif
