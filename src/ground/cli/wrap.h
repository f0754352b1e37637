#ifndef KB_CLI_WRAP_H
#define KB_CLI_WRAP_H

#include <stddef.h>

struct kb_buf;

/* Characters of `text` as a terminal shows them: bytes of UTF-8 that continue
 * one, and colours of kb_tint_print(), have no width. */
size_t kb_text_width(const char *text);

/*
 * Append `text`, one line, of which `at` columns are there already, broken
 * before words that would reach beyond `columns`: further lines begin with
 * `indent` blanks. A word that is longer than a line stays whole. 0 columns: as
 * it is.
 */
void kb_wrap_print(struct kb_buf *out, const char *text, size_t at,
		   size_t indent, size_t columns);

/*
 * The same of a text of several lines, each by itself. Further lines begin where
 * the second column of the line does, which is what stands behind its first two
 * blanks, or at `indent` if there is none in its first third.
 */
void kb_wrap_lines_print(struct kb_buf *out, const char *text, size_t indent,
			 size_t columns);

#endif
