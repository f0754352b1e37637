/* The main() of every program: options, help, errors and exit statuses. */

#include "cmd/cmd.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/operands.h"
#include "cmd/completion.h"
#include "json/utf8.h"
#include "version.h"

static int exit_status(enum kb_err_kind kind)
{
	switch (kind) {
	case KB_ERR_USAGE:
		return KB_EXIT_USAGE;
	case KB_ERR_INPUT:
	case KB_ERR_CORRUPT:
	case KB_ERR_MISSING:
		return KB_EXIT_INPUT;
	case KB_ERR_SYS:
	case KB_ERR_DEVICE:
	case KB_ERR_TIMEOUT:
		return KB_EXIT_FAILED;
	case KB_ERR_INTERRUPTED:
		return KB_EXIT_AGAIN;
	}
	return KB_EXIT_FAILED;
}

static void print_usage_of(FILE *out, const struct kb_verb *v,
			   const char *before)
{
	fprintf(out, "%s %s", before, kb_command.name);
	if (v->name)
		fprintf(out, " %s", v->name);
	fputs(" [OPTION]...", out);
	if (*v->operands)
		fprintf(out, " %s", v->operands);
	fputc('\n', out);
}

/* Print the usage of one verb, or of all. */
static void print_usage(FILE *out, const struct kb_verb *asked)
{
	if (asked) {
		print_usage_of(out, asked, "usage:");
		return;
	}
	for (int i = 0; i < kb_command.verb_count; i++)
		print_usage_of(out, &kb_command.verbs[i],
			       i ? "      " : "usage:");
}

static void print_verbs(FILE *out)
{
	int count = 0;

	for (int i = 0; i < kb_command.verb_count; i++) {
		const struct kb_verb *v = &kb_command.verbs[i];

		if (!v->name)
			continue;
		if (!count++)
			fprintf(out, "\n%s:\n", kb_command.verbs_are ?
				kb_command.verbs_are : "Commands");
		fprintf(out, "  %-12s %s\n", v->name, v->about);
	}
}

/* List only the statuses that this program returns. */
static void print_statuses(void)
{
	printf("\nExit status:\n"
	       "  0   done\n");
	if (kb_command.no)
		printf("  1   %s\n", kb_command.no);
	printf("  2   the command line is wrong, and nothing was done\n"
	       "  3   an input is missing or refused\n"
	       "  4   the machine failed, for example a full disk\n");
	if (kb_command.interrupted)
		printf("  75  %s\n", kb_command.interrupted);
}

static void print_help(void)
{
	print_usage(stdout, NULL);
	printf("\n%s\n", kb_command.about);
	print_verbs(stdout);
	if (kb_command.print_more)
		kb_command.print_more(stdout);
	for (int i = 0; i < kb_command.verb_count; i++) {
		const struct kb_verb *v = &kb_command.verbs[i];

		kb_options_print_help(stdout, v->name, v->options);
	}
	printf("\n      --help                   print this and exit\n"
	       "      --version                print the version and exit\n");
	printf("\nExample:\n  %s\n", kb_command.example);
	print_statuses();
}

static const struct kb_verb *find_named(const char *name)
{
	for (int i = 0; i < kb_command.verb_count; i++) {
		const struct kb_verb *v = &kb_command.verbs[i];

		if (v->name && !strcmp(v->name, name))
			return v;
	}
	return NULL;
}

static const struct kb_verb *find_verb(int *argc, char ***argv,
				       struct kb_err *err)
{
	const struct kb_verb *v = *argc ? find_named((*argv)[0]) : NULL;

	if (v) {
		++*argv;
		--*argc;
		return v;
	}
	if (!kb_command.verbs[0].name)
		return &kb_command.verbs[0];
	if (*argc == 0)
		kb_err(err, KB_ERR_USAGE, "no command given");
	else
		kb_err(err, KB_ERR_USAGE, "unknown command '%s'", (*argv)[0]);
	return NULL;
}

/* Then every word of it is somebody else's, --help too. */
static bool is_passed_on(int argc, char *argv[])
{
	return kb_command.passes_on && argc > 0 && argv[0][0] != '-' &&
	       !find_named(argv[0]);
}

/* For kb, which puts the parts of all programs together. */
static int print_completion(const char *shell_name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	enum kb_shell shell;
	int ret = kb_shell_parse(&shell, shell_name, err);

	if (ret < 0)
		return ret;
	kb_completion_part(&text, shell, &kb_command);
	fputs(text.data, stdout);
	return KB_EXIT_OK;
}

/* `*asked` is the verb, as soon as it is known. */
static int run(int argc, char *argv[], const struct kb_verb **asked,
	       struct kb_err *err)
{
	const bool passed_on = is_passed_on(argc, argv);
	const struct kb_verb *verb = find_verb(&argc, &argv, err);
	int ret;

	*asked = verb && verb->name ? verb : NULL;
	if (!verb)
		return -KB_ERR_USAGE;
	if (passed_on)
		return verb->run(argc, argv, err);
	ret = kb_options_parse(verb->options, argc, argv, err);
	if (ret < 0)
		return ret;
	argc = ret;
	ret = 0;
	if (argc || !verb->without_operands || !verb->without_operands())
		ret = kb_operands_check(verb->operands, argc, argv, err);
	return ret < 0 ? ret : verb->run(argc, argv, err);
}

/* Messages quote names and keys from files that we were given. */
static void print_error(const struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_utf8_clean(&text, err->msg, strlen(err->msg));
	fprintf(stderr, "%s: %s\n", kb_command.name, text.data);
}

static int has_word(int argc, char *argv[], const char *word)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], word))
			return 1;
	return 0;
}

static bool reader_is_gone(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

int main(int argc, char *argv[])
{
	struct kb_err err = KB_ERR_INIT;
	void (*on_sigpipe)(int) = signal(SIGPIPE, SIG_IGN);
	const struct kb_verb *asked = NULL;
	int ret = KB_EXIT_OK;
	bool unsaid;

	/* A reader that goes away ends a program when its work is done; kb, which
	 * does none, at once, and what it runs finds the signal as it was. */
	if (kb_command.passes_on)
		signal(SIGPIPE, on_sigpipe);
	/* Inherited as ignored it would leave no child to wait for. */
	signal(SIGCHLD, SIG_DFL);
	/* A file that may not be as large is an error of write(2), too. */
	signal(SIGXFSZ, SIG_IGN);

	if (is_passed_on(argc - 1, argv + 1))
		ret = run(argc - 1, argv + 1, &asked, &err);
	else if (argc == 3 && !strcmp(argv[1], "--completion"))
		ret = print_completion(argv[2], &err);
	else if (has_word(argc, argv, "--help"))
		print_help();
	else if (has_word(argc, argv, "--version"))
		printf("%s %s (%s%s)\n", kb_command.name, KB_VERSION,
		       KB_GIT_COMMIT[0] ? KB_GIT_COMMIT : "unknown commit",
		       KB_GIT_DIRTY == 1 ? ", modified" : "");
	else
		ret = run(argc - 1, argv + 1, &asked, &err);

	unsaid = fflush(stdout) || ferror(stdout);
	if (unsaid && (ret >= 0 || err.sys_errno == EPIPE) && reader_is_gone()) {
		signal(SIGPIPE, on_sigpipe);
		raise(SIGPIPE);
	}
	/* A full disk must not look like success. */
	if (unsaid && ret >= 0)
		ret = kb_err_sys(&err, "cannot write standard output");

	if (ret >= 0)
		return ret;

	print_error(&err);
	if (err.kind == KB_ERR_USAGE)
		print_usage(stderr, asked);
	return exit_status(err.kind);
}
