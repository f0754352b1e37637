/*
 * again: a program of ours, run once in this process for each line of standard
 * input, whose arguments have tabs between them. A NUL and a line "status N"
 * follow what a run printed. To start an instrumented program, or to copy one
 * that runs and look for leaks when the copy ends, takes ten times as long as a
 * run. What all runs leaked is told when standard input ends.
 *
 * Nothing but the values of options outlives a run of a program; they are set
 * back.
 */
#define main program_main
int program_main(int argc, char *argv[]);
#include "cmd/main.c"
#undef main

#define ARGS_MAX 64
#define OPTIONS_MAX 64

/* What an option's `value` points at. */
union value {
	bool flag;
	const char *string;
	int64_t number;
	struct kb_option_list list;
};

static const size_t value_bytes[] = {
	[KB_OPTION_FLAG] = sizeof(bool),
	[KB_OPTION_STRING] = sizeof(const char *),
	[KB_OPTION_INT] = sizeof(int64_t),
	[KB_OPTION_LIST] = sizeof(struct kb_option_list),
};

/* Every option of the program, and its value before any run. */
static struct {
	const struct kb_option *option;
	union value before;
} kept[OPTIONS_MAX];
static size_t kept_count;

static bool keep_options(void)
{
	for (int i = 0; i < kb_command.verb_count; i++)
		for (const struct kb_option *o = kb_command.verbs[i].options;
		     o->name; o++) {
			if (kept_count == OPTIONS_MAX)
				return false;
			kept[kept_count].option = o;
			memcpy(&kept[kept_count++].before, o->value,
			       value_bytes[o->type]);
		}
	return true;
}

static void set_options_back(void)
{
	for (size_t i = 0; i < kept_count; i++)
		memcpy(kept[i].option->value, &kept[i].before,
		       value_bytes[kept[i].option->type]);
}

/* `line` is without its newline. */
static int run_program(char *line)
{
	char *argv[ARGS_MAX] = { (char *)kb_command.name }, *rest = line;
	int argc = 1;

	while (argc < ARGS_MAX - 1 && (argv[argc] = strsep(&rest, "\t")))
		argc++;
	return rest ? KB_EXIT_USAGE : program_main(argc, argv);
}

int main(int argc, char *argv[])
{
	char line[4096];

	if (argc != 1 || !keep_options())
		return KB_EXIT_USAGE;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		printf("%cstatus %d\n", '\0', run_program(line));
		fflush(stdout);
		set_options_back();
	}
	(void)argv;
	return KB_EXIT_OK;
}
