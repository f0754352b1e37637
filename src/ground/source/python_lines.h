#ifndef KB_SOURCE_PYTHON_LINES_H
#define KB_SOURCE_PYTHON_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;

/*
 * A Python module as logical lines of tokens: what a line is, where brackets,
 * strings and continued lines go on over several, is Python's own rule. A
 * semicolon outside of brackets ends a line, too. Comments and empty lines are
 * left out.
 *
 * What this reader cannot follow it refuses, since who rewrites a file must
 * have understood all of it: a byte that is not ASCII outside of strings and
 * comments, a string without an end, a bracket without its other one, a
 * control character, a line that begins with a backslash or a semicolon.
 * Whether the tokens are a program is not asked.
 */
enum kb_python_token_kind {
	KB_PYTHON_WORD,			/* a name or a keyword */
	KB_PYTHON_NUMBER,
	KB_PYTHON_STRING,		/* with its letters and quotes */
	KB_PYTHON_OPERATOR,		/* "=", "==", ":=", "(", ... */
};

struct kb_python_token {
	enum kb_python_token_kind kind;
	const char *text;		/* in the module; borrowed */
	size_t len;
	int depth;			/* of brackets around it */
};

struct kb_python_line {
	const char *next;		/* the reader's own: where it is, */
	const char *end;		/* and where the module ends */
	size_t at_line;			/* the number of the physical line
					   that `next` is in, from 1 */
	bool is_fresh;			/* `next` begins a physical line */

	size_t number;			/* where this one begins, from 1 */
	bool is_indented;
	struct kb_python_token *tokens;	/* one or more; owned */
	size_t count, capacity;
};

#define KB_PYTHON_LINE_INIT { .next = NULL }

/* Before the first line of `len` bytes at `text`, which are borrowed until the
 * release. */
void kb_python_line_begin(struct kb_python_line *l, const char *text,
			  size_t len);
void kb_python_line_release(struct kb_python_line *l);

/* The next line: 1, or 0 behind the last. Fails with KB_ERR_INPUT; the
 * message begins "line 7: ". */
int kb_python_line_read(struct kb_python_line *l, struct kb_err *err);

bool kb_python_token_is(const struct kb_python_token *t, const char *text);

static inline void kb_cleanup_python_line(struct kb_python_line *l)
{
	kb_python_line_release(l);
}

#endif
