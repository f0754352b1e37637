/* kb: one name for all programs. */

#include "cmd/cmd.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/self.h"
#include "cli/shown_id.h"
#include "cli/terminal.h"
#include "cmd/completion.h"
#include "cmd/list_store.h"
#include "cmd/show_bundle.h"
#include "cmd/show_result.h"
#include "cmd/stages.h"
#include "json/utf8.h"
#include "manifest/key.h"
#include "runs/doctor.h"
#include "runs/run_all.h"
#include "store/refs.h"
#include "store/store.h"

#define WORDS_MAX 32

static const struct kb_option no_options[] = { KB_OPTION_END };

static const char *store = KB_STORE_DEFAULT;
static bool is_deletion;

static const struct kb_option name_options[] = {
	{ .name = "delete", .letter = 'd',
	  .help = "delete the name, not the bundle",
	  .type = KB_OPTION_FLAG, .value = &is_deletion },
	{ .name = "store", .arg = "DIR",
	  .help = "where bundles are",
	  .type = KB_OPTION_STRING, .value = &store },
	KB_OPTION_END
};

/* --- running others --------------------------------------------------- */

/* Everything that may be the first argument. */
static const char *nearest_command(const char *name)
{
	const char *words[WORDS_MAX];
	size_t count = 0;

	for (size_t i = 0; i < kb_stage_program_count; i++)
		words[count++] = kb_stage_programs[i].name;
	for (int i = 0; i < kb_command.verb_count; i++)
		if (kb_command.verbs[i].name)
			words[count++] = kb_command.verbs[i].name;
	return kb_nearest_word(name, words, count);
}

static int unknown_command(const char *name, struct kb_err *err)
{
	const char *stage = kb_stage_with_verb(name);
	const char *nearest = nearest_command(name);

	if (stage)
		return kb_err(err, KB_ERR_USAGE,
			      "unknown command '%s': type 'kb %s %s'", name,
			      stage, name);
	if (nearest)
		return kb_err(err, KB_ERR_USAGE,
			      "unknown command '%s': the nearest is '%s'",
			      name, nearest);
	return kb_err(err, KB_ERR_USAGE,
		      "unknown command '%s': 'kb help' lists them", name);
}

/* The program beside this one; the caller frees. NULL if there is none. */
static char *find_program(const char *name, struct kb_err *err)
{
	kb_auto(mem) char *prefix = NULL, *path = NULL;

	if (!*name || strchr(name, '/')) {
		unknown_command(name, err);
		return NULL;
	}
	prefix = kb_self_prefix(err);
	if (!prefix)
		return NULL;
	path = kb_xasprintf("%s/bin/kb-%s", prefix, name);
	if (access(path, F_OK) == 0)
		return kb_steal(path);
	for (size_t i = 0; i < kb_stage_program_count; i++) {
		if (strcmp(kb_stage_programs[i].name, name))
			continue;
		kb_err(err, KB_ERR_MISSING, "command '%s' is not installed: "
		       "there is no '%s'", name, path);
		return NULL;
	}
	unknown_command(name, err);
	return NULL;
}

/* exec, and no child: signals, the terminal and the exit status are the
 * program's own. */
static int exec_program(const char *path, char *argv[], struct kb_err *err)
{
	execv(path, argv);
	return kb_err_sys(err, "cannot run '%s'", path);
}

/* Become the other program: same arguments, descriptors and process. */
static int run_program(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(mem) char *path = NULL;

	(void)argc;
	path = find_program(argv[0], err);
	if (!path)
		return -(int)err->kind;
	argv[0] = strrchr(path, '/') + 1;
	return exec_program(path, argv, err);
}

/* --- help ------------------------------------------------------------- */

static void print_programs(FILE *out)
{
	fputs("\nCommands:\n", out);
	for (size_t i = 0; i < kb_stage_program_count; i++)
		fprintf(out, "  %-12s %s\n", kb_stage_programs[i].name,
			kb_stage_programs[i].purpose);
	fputs("\n'kb help COMMAND' prints a command's options, 'man kb-COMMAND' "
	      "its page.\n", out);
}

static bool is_own(const char *name)
{
	for (int i = 0; i < kb_command.verb_count; i++)
		if (kb_command.verbs[i].name &&
		    !strcmp(kb_command.verbs[i].name, name))
			return true;
	return false;
}

static int run_help(int argc, char *argv[], struct kb_err *err)
{
	char help[] = "--help";
	char *of_self[] = { NULL, help, NULL };
	char *of_program[] = { argc ? argv[0] : NULL, help, NULL };
	kb_auto(mem) char *prefix = NULL, *path = NULL;

	if (argc == 1 && !is_own(argv[0]))
		return run_program(2, of_program, err);
	prefix = kb_self_prefix(err);
	if (!prefix)
		return -(int)err->kind;
	path = kb_xasprintf("%s/bin/kb", prefix);
	of_self[0] = path;
	return exec_program(path, of_self, err);
}

/* --- completion ------------------------------------------------------- */

static int wait_for(pid_t pid, const char *path, struct kb_err *err)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return kb_err_sys(err, "cannot wait for '%s'", path);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	return kb_err(err, KB_ERR_MISSING,
		      "'%s' does not print its completion", path);
}

/* The program's output goes to our standard output. */
static int print_part_of(const char *name, const char *shell,
			 struct kb_err *err)
{
	kb_auto(mem) char *path = find_program(name, err);
	pid_t pid;

	if (!path)
		return -(int)err->kind;
	/* Flush first: otherwise our text would come after the child's. */
	if (fflush(stdout))
		return kb_err_sys(err, "cannot write standard output");
	pid = fork();
	if (pid < 0)
		return kb_err_sys(err, "cannot fork");
	if (pid == 0) {
		execl(path, path, "--completion", shell, (char *)NULL);
		_exit(KB_EXIT_FAILED);
	}
	return wait_for(pid, path, err);
}

static int run_completion(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	enum kb_shell shell;
	int ret;

	(void)argc;
	ret = kb_shell_parse(&shell, argv[0], err);
	if (ret < 0)
		return ret;
	kb_completion_head(&text, shell);
	kb_completion_part(&text, shell, &kb_command);
	fputs(text.data, stdout);
	for (size_t i = 0; i < kb_stage_program_count && ret == 0; i++)
		ret = print_part_of(kb_stage_programs[i].name, argv[0], err);
	if (ret < 0)
		return ret;
	kb_buf_clear(&text);
	kb_completion_foot(&text, shell);
	fputs(text.data, stdout);
	return KB_EXIT_OK;
}

/* --- all stages ------------------------------------------------------- */

static struct kb_run_options all = KB_RUN_OPTIONS_INIT;

static const struct kb_option run_options[] = {
	{ .name = "suite", .letter = 's', .arg = "SUITE",
	  .help = "a bundle, a folder, or one of kb's own",
	  .type = KB_OPTION_STRING, .value = &all.suite,
	  .group = KB_OPTION_PROBLEMS },
	{ .name = "baseline", .letter = 'b', .arg = "BUNDLE",
	  .help = "divide by the times of this baseline",
	  .type = KB_OPTION_STRING, .value = &all.baseline,
	  .otherwise = "one that matches, otherwise a new one",
	  .group = KB_OPTION_MEASUREMENT },
	{ .name = "device", .letter = 'd', .arg = "DEVICE",
	  .help = "where kernels run: cpu or cuda:N",
	  .type = KB_OPTION_STRING, .value = &all.device,
	  .otherwise = "cpu",
	  .group = KB_OPTION_MEASUREMENT },
	{ .name = "problems", .letter = 'p', .arg = "LIST",
	  .help = "only these problems: 1/19,2/76, or sound",
	  .type = KB_OPTION_STRING, .value = &all.problems,
	  .group = KB_OPTION_PROBLEMS },
	{ .name = "levels", .letter = 'l', .arg = "LIST",
	  .help = "only problems of these levels, such as 1,2",
	  .type = KB_OPTION_STRING, .value = &all.levels,
	  .group = KB_OPTION_PROBLEMS },
	{ .name = "store", .arg = "DIR",
	  .help = "where bundles are and go",
	  .type = KB_OPTION_STRING, .value = &all.store,
	  .group = KB_OPTION_OUTPUT },
	KB_MADE_OPTIONS(all.made),
	KB_OPTION_END
};

static int run_run(int argc, char *argv[], struct kb_err *err)
{
	if (argc > 1 && argv[1][0] != '-')
		return kb_err(err, KB_ERR_USAGE, "unexpected operand '%s'",
			      argv[1]);
	argv[argc] = NULL;
	return kb_run_all(&all, argv[0], argv + 1, err);
}

/* --- this host -------------------------------------------------------- */

static struct kb_doctor_options host;

static const struct kb_option doctor_options[] = {
	{ .name = "python", .arg = "PATH", .help = "Python with torch",
	  .type = KB_OPTION_STRING, .value = &host.python,
	  .otherwise = "$KB_PYTHON, else the first with torch",
	  .group = KB_OPTION_PROGRAMS },
	{ .name = "cc", .arg = "PATH", .help = "compiler of C code",
	  .type = KB_OPTION_STRING, .value = &host.cc, .otherwise = "cc",
	  .group = KB_OPTION_PROGRAMS },
	{ .name = "nvcc", .arg = "PATH", .help = "compiler of CUDA code",
	  .type = KB_OPTION_STRING, .value = &host.nvcc, .otherwise = "nvcc",
	  .group = KB_OPTION_PROGRAMS },
	KB_OPTION_END
};

static int run_doctor(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	const int ret = kb_doctor(&text, &host, err);

	(void)argc;
	(void)argv;
	if (ret < 0)
		return ret;
	kb_stdout_print(text.data);
	return ret ? KB_EXIT_OK : KB_EXIT_NO;
}

/* --- names ------------------------------------------------------------ */

static int list_names(struct kb_err *err)
{
	kb_auto(refs) struct kb_refs names = KB_REFS_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_refs_list(&names, store, err);

	for (size_t i = 0; i < names.count && ret >= 0; i++) {
		struct kb_digest id;

		ret = kb_ref_get(&id, store, names.items[i], err);
		if (ret <= 0)		/* 0: removed in the meantime */
			continue;
		kb_shown_id(hex, &id);
		printf("%s %s\n", hex, names.items[i]);
	}
	return ret < 0 ? ret : KB_EXIT_OK;
}

static int print_named(const char *name, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;
	const int ret = kb_ref_get(&id, store, name, err);

	if (ret == 0)
		return kb_err(err, KB_ERR_MISSING, "store '%s' has no name "
			      "'%s'", store, name);
	if (ret < 0)
		return ret;
	kb_shown_id(hex, &id);
	printf("%s\n", hex);
	return KB_EXIT_OK;
}

/* It is read in full, and must be in the store: elsewhere nobody would find it
 * by this name. */
static int set_name(const char *name, const char *operand, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(bundle) struct kb_bundle in_store = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest was;
	int ret = kb_ref_check(name, err);

	if (ret == 0)
		ret = kb_store_open(&b, store, operand, err);
	if (ret == 0)
		ret = kb_store_open_id(&in_store, store, &b.id, err);
	if (ret == 0)
		ret = kb_ref_set(store, name, &b.id, &was, err);
	if (ret < 0)
		return ret;
	kb_digest_format(&was, hex);
	if (ret > 0)
		fprintf(stderr, "name '%s' stood for %s\n", name, hex);
	return KB_EXIT_OK;
}

static int run_name(int argc, char *argv[], struct kb_err *err)
{
	int ret;

	if (is_deletion && argc != 1)
		return kb_err(err, KB_ERR_USAGE,
			      "give the one NAME to delete");
	if (!is_deletion && argc == 2)
		return set_name(argv[0], argv[1], err);
	if (!is_deletion)
		return argc ? print_named(argv[0], err) : list_names(err);
	ret = kb_ref_remove(store, argv[0], err);
	return ret < 0 ? ret : KB_EXIT_OK;
}

/* --- what a store has ------------------------------------------------- */

static const struct kb_option store_options[] = {
	{ .name = "store", .arg = "DIR",
	  .help = "where bundles are",
	  .type = KB_OPTION_STRING, .value = &store },
	KB_OPTION_END
};

static int run_ls(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	const int ret = kb_list_store(&text, store, kb_stdout_look(), err);

	(void)argc;
	(void)argv;
	if (ret < 0)
		return ret;
	kb_stdout_print(text.data);
	return KB_EXIT_OK;
}

static int parse_sample(int *out, const char *text, struct kb_err *err)
{
	char *end;
	const long v = strtol(text, &end, 10);

	if (!*text || *end || text[strspn(text, "0123456789")] || v < 0 ||
	    v > KB_SAMPLE_ID_MAX)
		return kb_err(err, KB_ERR_USAGE,
			      "'%s' is not the number of a sample, 0 or more",
			      text);
	*out = (int)v;
	return 0;
}

static int show_result(struct kb_buf *text, const struct kb_bundle *b,
		       const char *problem, const char *sample,
		       struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	struct kb_key key;
	int sample_id = -1;

	if (kb_key_parse(&key, problem, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	if (sample && parse_sample(&sample_id, sample, err) < 0)
		return -KB_ERR_USAGE;
	return kb_show_result(text, b, store, key, sample_id, err);
}

/* As it is, but for what a terminal would act on. */
static void print_code(const struct kb_buf *text)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;

	if (isatty(STDOUT_FILENO)) {
		kb_utf8_clean(&clean, text->data, text->len);
		text = &clean;
	}
	fwrite(text->data, 1, text->len, stdout);
}

static int run_show(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_store_open(&b, store, argv[0], err);

	if (ret == 0 && argc == 1)
		ret = kb_show_bundle(&text, &b, store, err);
	else if (ret == 0)
		ret = show_result(&text, &b, argv[1],
				  argc > 2 ? argv[2] : NULL, err);
	if (ret < 0)
		return ret;
	if (ret && argc > 1)
		print_code(&text);
	else
		kb_stdout_print(text.data);
	return KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "COMMAND [ARGUMENT...]",
	  .options = no_options, .run = run_program },
	{ .name = "help",
	  .about = "print these lines, or the options of a command",
	  .operands = "[COMMAND]",
	  .options = no_options, .run = run_help },
	{ .name = "run",
	  .about = "go through all stages, from candidates to a verified score",
	  .operands = "SUBMISSION [-- OPTION...]",
	  .options = run_options, .run = run_run },
	{ .name = "doctor",
	  .about = "say what works on this host, what does not, and what helps",
	  .operands = "",
	  .options = doctor_options, .run = run_doctor },
	{ .name = "show",
	  .about = "describe a bundle, or print one result and its log",
	  .operands = "BUNDLE [PROBLEM] [SAMPLE]",
	  .options = store_options, .run = run_show },
	{ .name = "ls",
	  .about = "list the bundles of a store",
	  .operands = "",
	  .options = store_options, .run = run_ls },
	{ .name = "name",
	  .about = "list names, look one up, name a bundle, or delete a name",
	  .operands = "[NAME] [BUNDLE]",
	  .options = name_options, .run = run_name },
	{ .name = "completion",
	  .about = "print a script that completes kb in your shell",
	  .operands = "bash|zsh|fish",
	  .options = no_options, .run = run_completion },
};

const struct kb_command kb_command = {
	.name = "kb",
	.about = "Measure correctness and speed of kernels for KernelBench's "
		 "problems.",
	.example = "kb run --suite demo tests/submissions/demo",
	.verbs = verbs,
	.verbs_are = "Commands of kb itself",
	.verb_count = KB_ARRAY_LEN(verbs),
	.no = "done, and a check failed (see the command's help)",
	.interrupted = KB_RESUMES,
	.passes_on = true,
	.print_more = print_programs,
};
