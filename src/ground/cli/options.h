#ifndef KB_CLI_OPTIONS_H
#define KB_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct kb_err;
struct kb_json;

/*
 * Command-line options from a table. The same table parses, prints the
 * help, and is what doc/ is tested against.
 *
 * Options are `--name VALUE`, `--name=VALUE`, `-x VALUE` or `-xVALUE`;
 * they may stand before or after operands; `--` ends them. An option given
 * twice is refused unless it is a list, or of stores. A spelling of an earlier release is
 * refused with what to write instead. Values are borrowed from argv.
 */

enum kb_option_type {
	KB_OPTION_FLAG,		/* bool */
	KB_OPTION_STRING,	/* const char * */
	KB_OPTION_INT,		/* int64_t, within min..max */
	KB_OPTION_LIST,		/* struct kb_option_list */
	KB_OPTION_STORES,	/* const char *, the first: kb_store_also() gets
				   the others */
};

/* The subject of an option: the help has a heading for each subject. */
enum kb_option_group {
	KB_OPTION_MORE,		/* where a program has too few to be sorted */
	KB_OPTION_PROBLEMS,
	KB_OPTION_MODEL,
	KB_OPTION_PROMPT,
	KB_OPTION_TURNS,
	KB_OPTION_MEASUREMENT,
	KB_OPTION_LIMITS,
	KB_OPTION_PROGRAMS,	/* of others, and what they need */
	KB_OPTION_OUTPUT,
	KB_OPTION_GROUP_COUNT
};

#define KB_OPTION_LIST_MAX 64

struct kb_option_list {
	const char *items[KB_OPTION_LIST_MAX];
	int count;
};

struct kb_option {
	const char *name;	/* long name, without dashes */
	char letter;		/* short name, or 0 */
	const char *arg;	/* what the value is called: "DIR"; NULL for a flag */
	const char *help;	/* one phrase, lower case, without the default,
				   which is `value`'s where it has one; words
				   that are taken come last: "which: a, b or c" */
	const char *otherwise;	/* the default of an option whose value has
				   none: "3/4 of all memory"; or NULL */
	enum kb_option_group group;
	enum kb_option_type type;
	void *value;		/* of the type above; holds the default */
	int64_t min, max;	/* KB_OPTION_INT */
	bool is_place;		/* where something is on this machine, or what
				   it is called there */
};

/* May it be given again? */
static inline bool kb_option_repeats(const struct kb_option *o)
{
	return o->type == KB_OPTION_LIST || o->type == KB_OPTION_STORES;
}

/* Ends a table. */
#define KB_OPTION_END { .name = NULL }

/*
 * Parse `argv` (without the program's name). Operands are moved to the
 * front, in order; returns how many there are. Fails with KB_ERR_USAGE.
 */
int kb_options_parse(const struct kb_option options[], int argc,
		     char *argv[], struct kb_err *err);

/* The `i`th of the words that an option's help ends with; NULL if there are no
 * more. The caller frees. */
char *kb_option_word(const struct kb_option *o, size_t i);

/* Is a value one of `words`, which NULL ends? Fails with KB_ERR_USAGE, and a
 * message that lists them. */
int kb_option_check_word(const char *option, const char *word,
			 const char *const words[], struct kb_err *err);

/*
 * The part of the help that describes `options`: a line each, with the
 * default, below an empty line and a heading for each group; for all together
 * where the first has none. `verb` is the command that they are of, or NULL.
 */
void kb_options_print_help(FILE *out, const char *verb,
			   const struct kb_option options[]);

/* The effective value of every option that has one, as text: a flat object
 * of strings for a record. Places are left out: they say nothing about a
 * result, and something about who made it. */
struct kb_json *kb_options_to_json(const struct kb_option options[]);

#endif
