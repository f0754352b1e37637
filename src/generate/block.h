#ifndef KB_GENERATE_BLOCK_H
#define KB_GENERATE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/backend.h"

struct kb_buf;

/*
 * Blocks of code in what a model wrote, by the rule "blocks-1", which
 * kb-generate(1) documents for people:
 *
 * A block begins at a line of up to three spaces and a fence, three or more
 * of ` or ~, behind which a word may tell what it is: the tag. It ends at a
 * line of up to three spaces, a fence of the same kind that is no shorter, and
 * no more than white space; or at the end of the text, then it is open. Its
 * lines lose as many leading spaces as the opening fence has, and a CR at
 * their end. One without a character that is not white space does not count.
 */
struct kb_block {
	char tag[16];			/* lower case; "" without one */
	const char *text;		/* the lines between the fences */
	size_t len;
	size_t indent;			/* spaces that its lines lose */
	bool is_open;			/* the text ends in it */
};

/* The next block from `*at`, which is moved behind it. False at the end. */
bool kb_block_next(struct kb_block *out, const char **at, const char *end);

/* Append the block's code: from its first line that is not blank to its
 * last, each ended by LF. */
void kb_block_code(struct kb_buf *out, const struct kb_block *b);

enum kb_extracted {
	KB_EXTRACTED_CODE,
	KB_EXTRACTED_NONE,		/* there is no block */
	KB_EXTRACTED_CUT_OFF,		/* the last one is open, and was cut */
};

/*
 * The candidate: the last block that is tagged for the backend and complete
 * (complete.h), else the last block. Where `was_cut`, the answer was longer
 * than allowed, and one that is open at its end gives none.
 */
enum kb_extracted kb_extract(struct kb_buf *code, const char *text, size_t len,
			     bool was_cut, enum kb_backend backend);

#endif
