#ifndef KB_GENERATE_READER_H
#define KB_GENERATE_READER_H

#include <stdbool.h>

struct kb_err;

/* A place in a text that is parsed, of this room's formats that have lines. */
struct kb_reader {
	const char *p, *begin, *end;	/* borrowed */
	const char *name;		/* of the file, for messages */
	int depth;			/* of brackets: lines end nothing there */
	struct kb_err *err;
};

/* Fails with KB_ERR_INPUT: "line 3 of <name>: <why>". */
int kb_refuse(const struct kb_reader *r, const char *why);

/* Does this come next? */
bool kb_at(const struct kb_reader *r, char c);
bool kb_at_text(const struct kb_reader *r, const char *text);

/* Pass over it, if it does. */
bool kb_take(struct kb_reader *r, char c);

#endif
