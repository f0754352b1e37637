/*
 * again: a program of ours, run once for each line of standard input, whose
 * arguments have tabs between them. A NUL and a line "status N" follow what a run
 * printed; N is minus a signal, if that ended it. To start an instrumented program
 * takes ten times as long as to copy the process of one that is there.
 */
#define main program_main
int program_main(int argc, char *argv[]);
#include "cmd/main.c"
#undef main

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_MAX 64

/* Does not return; `line` is without its newline. */
static void run_program(const char *name, char *line)
{
	char *argv[ARGS_MAX] = { (char *)name }, *rest = line;
	const int nothing = open("/dev/null", O_RDONLY);
	int argc = 1;

	/* Or the end of this process would rewind what all of them read. */
	if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
		exit(KB_EXIT_FAILED);
	while (argc < ARGS_MAX - 1 && (argv[argc] = strsep(&rest, "\t")))
		argc++;
	exit(rest ? KB_EXIT_USAGE : program_main(argc, argv));
}

int main(int argc, char *argv[])
{
	char line[4096];

	if (argc != 1)
		return KB_EXIT_USAGE;
	while (fgets(line, sizeof(line), stdin)) {
		int status;
		pid_t child = fork();

		line[strcspn(line, "\n")] = '\0';
		if (!child)
			run_program(kb_command.name, line);
		if (child < 0 || waitpid(child, &status, 0) < 0)
			return KB_EXIT_FAILED;
		printf("%cstatus %d\n", '\0',
		       WIFEXITED(status) ? WEXITSTATUS(status)
					 : -WTERMSIG(status));
		fflush(stdout);
	}
	(void)argv;
	return KB_EXIT_OK;
}
