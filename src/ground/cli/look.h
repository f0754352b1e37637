#ifndef KB_CLI_LOOK_H
#define KB_CLI_LOOK_H

#include <stdbool.h>
#include <stddef.h>

/* For whom a text is made: a terminal has so many columns, and may have
 * colours; a file, a pipe and a test have neither, and get all of it. */
struct kb_look {
	size_t columns;			/* 0: as many as it takes */
	bool has_colour;
};

#define KB_LOOK_PLAIN ((struct kb_look){ .columns = 0 })

/* The colour of a word on a terminal with colours. */
enum kb_tint {
	KB_TINT_NONE,
	KB_TINT_GOOD,
	KB_TINT_BAD,
};

#endif
