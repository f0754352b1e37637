#ifndef KB_TESTS_DIES_H
#define KB_TESTS_DIES_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Whether `run` does not come back. In a child of its own, whose last words
 * are dropped. Any death will do: a sanitizer turns an abort for want of
 * memory into an exit status. No core is dumped, as one of a sanitized
 * program can take minutes.
 */
static inline bool dies(void (*run)(void))
{
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_DUMPABLE, 0);
		dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		run();
		_exit(0);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status != 0;
}

#endif
