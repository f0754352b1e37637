#ifndef KB_CMD_CMD_H
#define KB_CMD_CMD_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/options.h"

struct kb_err;

/*
 * Every kb-* binary is cmd/kb-<name>.c plus cmd/main.c. The former defines
 * kb_command; the latter owns main(), --help, --version, option parsing,
 * stdio and the exit status. Adding a binary:
 *
 *	. write src/door/cmd/kb-<name>.c, defining kb_command
 *	. add <name> to cmd/stages.c
 *	. write doc/kb-<name>.1 and tests/cli/<name>.cases
 *
 * A verb's run() gets the operands that are left after the options, as many
 * as the usage line says (cli/operands.h). It
 * returns KB_EXIT_OK or KB_EXIT_NO, or a negative kb_err_kind with `err`
 * filled in. Results go to stdout; only progress goes to stderr.
 */
enum kb_exit {
	KB_EXIT_OK = 0,		/* did the work; the answer is yes */
	KB_EXIT_NO = 1,		/* did the work; the answer is no */
	KB_EXIT_USAGE = 2,	/* did nothing: the command line is wrong */
	KB_EXIT_INPUT = 3,	/* what we were given is bad */
	KB_EXIT_FAILED = 4,	/* the machine let us down */
	KB_EXIT_AGAIN = 75,	/* interrupted (sysexits.h: EX_TEMPFAIL) */
};

/* The help of a program that resumes after an interruption. */
#define KB_RESUMES "interrupted, and the same command continues"

/* The verbs of a program. A verb without a name is the only one, or what is
 * meant where the first argument is not the name of another. */
struct kb_verb {
	const char *name;		/* first argument, or NULL */
	const char *about;		/* one phrase, of one that has a name */
	const char *operands;		/* as in the usage line: "BUNDLE..." */
	const char *(*operand_word)(size_t i); /* what the first operand may be,
					   then NULL; or NULL */
	const struct kb_option *options; /* ends with one without a name */
	bool (*without_operands)(void);	/* none need be there as options are,
					   once they are parsed; or NULL */
	int (*run)(int argc, char *argv[], struct kb_err *err);
};

struct kb_command {
	const char *name;		/* "kb-score" */
	const char *about;		/* a sentence, in lines of 80 columns */
	const char *example;		/* a command line that can be typed */
	const struct kb_verb *verbs;
	int verb_count;
	const char *no;			/* what KB_EXIT_NO means here; NULL: it
					   is never given */
	const char *interrupted;	/* what KB_EXIT_AGAIN means here; NULL: it
					   is never given */

	/* Set by kb alone, which runs the other programs. */
	bool passes_on;			/* what follows the name of something
					   that is no verb is not for kb */
	const char *verbs_are;		/* the heading of its verbs */

	void (*print_more)(FILE *out);	/* into the help, or NULL */
};

extern const struct kb_command kb_command;

#endif
