#ifndef KB_TABLES_TABLE_H
#define KB_TABLES_TABLE_H

#include <stddef.h>

#include "cli/look.h"

struct kb_buf;

/*
 * A table as text: columns as wide as their widest cell, two spaces between
 * them, no trailing spaces and no rules. Without a look (cli/look.h) it reads
 * the same in a file and in a diff. Widths count characters, not bytes; cells
 * are valid UTF-8, cleaned by kb_format_text().
 *
 * In a terminal that is too narrow columns that are not needed are left out,
 * then the texts of the last column, if that is one of words, and those that
 * end a row are broken into lines, and at last the columns that do not fit
 * beside each other stand below, the first ones again in front of them.
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

/* A text in place of the next cell and all others of its row: no column is as
 * wide as that. */
void kb_table_add_rest(struct kb_table *t, const char *text);

/* The colour of the cell that was added last. */
void kb_table_tint(struct kb_table *t, enum kb_tint tint);

/* Where there is no room `column` is left out before those of a lower `rank`,
 * with all others of its rank; at 0, which all have at first, it never is. */
void kb_table_rank(struct kb_table *t, size_t column, int rank);

/* How many columns say which row this is, and stand in front of each part of a
 * table that has several; 1 at first. */
void kb_table_set_keys(struct kb_table *t, size_t count);

/* Append the head and every row to `out`. The last row must be full. */
void kb_table_print(struct kb_buf *out, const struct kb_table *t,
		    struct kb_look look);

/* Append `text` with its colour, if there are any. */
void kb_tint_print(struct kb_buf *out, const char *text, enum kb_tint tint,
		   struct kb_look look);

static inline void kb_cleanup_table(struct kb_table **t)
{
	kb_table_free(*t);
}

#endif
