#ifndef KB_ANSWERS_BLOCK_H
#define KB_ANSWERS_BLOCK_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/extraction.h"

struct kb_buf;

/*
 * Blocks of code in what a model wrote, by a rule that kb-generate(1)
 * documents for people. By "blocks-1":
 *
 * A block begins at a line of up to three spaces and a fence, three or more
 * of ` or ~, behind which a word may tell what it is: the tag. It ends at a
 * line of up to three spaces, a fence of the same kind that is no shorter, and
 * no more than white space; or at the end of the text, then it is open. Its
 * lines lose as many leading spaces as the opening fence has, and a CR at
 * their end. One without a character that is not white space does not count.
 *
 * By "blocks-2" a fence may be in a list: behind any blanks, and marks of
 * lists. The closing one has no such mark, and no more than three blanks more
 * than there is before the opening one. Lines lose as many blanks as that, or
 * as the first one has, if those are fewer.
 */
struct kb_block {
	char tag[16];			/* lower case; "" without one */
	const char *text;		/* the lines between the fences */
	size_t len;
	size_t indent;			/* blanks that its lines lose */
	bool strips_tabs;		/* of which some may be tabs */
	bool is_open;			/* the text ends in it */
};

/* The next block from `*at`, which is moved behind it. False at the end. */
bool kb_block_next(struct kb_block *out, const char **at, const char *end,
		   enum kb_extraction_rule rule);

/* Append the block's code: from its first line that is not blank to its
 * last, each ended by LF. */
void kb_block_code(struct kb_buf *out, const struct kb_block *b);

enum kb_extracted {
	KB_EXTRACTED_CODE,
	KB_EXTRACTED_NONE,		/* there is no block */
	KB_EXTRACTED_CUT_OFF,		/* the last one is open, and was cut */
};

/*
 * The candidate. By "blocks-1" the last block that is tagged for the backend
 * and complete (complete.h), else the last block. By "blocks-2" only what
 * stands behind the last "</think>" is read, and before these blocks come
 * those that define what the problem asks for, the class ModelNew or the
 * function kb_forward(): the last of them that is complete, else the last.
 *
 * Where `was_cut`, the answer was longer than allowed: a block that is open at
 * its end gives none, and by "blocks-2" nor does a text that begins with
 * "<think>" and does not end that.
 */
enum kb_extracted kb_extract(struct kb_buf *code, const char *text, size_t len,
			     bool was_cut, struct kb_extraction how);

#endif
