#ifndef KB_TABLES_TABLE_H
#define KB_TABLES_TABLE_H

#include <stddef.h>

struct kb_buf;

/*
 * A table as plain text: columns as wide as their widest cell, two spaces
 * between them, no trailing spaces, no rules and no colours, so that it
 * reads the same in a terminal, a file and a diff. Widths count characters,
 * not bytes; cells are valid UTF-8, cleaned by kb_format_text().
 */

enum kb_align {
	KB_ALIGN_LEFT,		/* words */
	KB_ALIGN_RIGHT,		/* numbers */
};

struct kb_column {
	const char *head;	/* with the unit, if the cells have one */
	enum kb_align align;
};

struct kb_table;

/* `columns` is borrowed until free. Caller frees with kb_table_free(). */
struct kb_table *kb_table_new(const struct kb_column columns[],
			      size_t column_count);
void kb_table_free(struct kb_table *t);

/* The next cell, row by row from the left. The text is copied. */
void kb_table_add(struct kb_table *t, const char *text);
void kb_table_addf(struct kb_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Append the head and every row to `out`. The last row must be full. */
void kb_table_print(struct kb_buf *out, const struct kb_table *t);

static inline void kb_cleanup_table(struct kb_table **t)
{
	kb_table_free(*t);
}

#endif
