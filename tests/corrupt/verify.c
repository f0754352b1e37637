/*
 * verify STORE: `kb-verify --store STORE PATH` for every PATH, a line of
 * standard input, each in this one process. A line "status N" follows what
 * it printed. Starting an instrumented kb-verify takes thirty times as long
 * as what it then does with a small bundle.
 */
#define main kb_verify_main
int kb_verify_main(int argc, char *argv[]);
#include "cmd/main.c"
#undef main

int main(int argc, char *argv[])
{
	char name[] = "kb-verify", option[] = "--store", path[4096];

	if (argc != 2)
		return KB_EXIT_USAGE;
	while (fgets(path, sizeof(path), stdin)) {
		char *again[] = { name, option, argv[1], path, NULL };

		path[strcspn(path, "\n")] = '\0';
		printf("status %d\n", kb_verify_main(4, again));
		fflush(stdout);
	}
	return KB_EXIT_OK;
}
