#ifndef KB_PAGES_SOURCE_TEXT_H
#define KB_PAGES_SOURCE_TEXT_H

#include <stddef.h>

struct kb_buf;

/* Code with line numbers, at most `max_bytes` of it; what is cut is told. */
void kb_source_print(struct kb_buf *out, const char *text, size_t len,
		     size_t max_bytes);

/* Print the output of a program unchanged. */
void kb_log_print(struct kb_buf *out, const char *text, size_t max_bytes);

/* In what lines two texts differ, with three lines around each change; or in
 * words that nothing does, or too much. */
void kb_diff_print(struct kb_buf *out, const struct kb_buf *a,
		   const struct kb_buf *b);

#endif
