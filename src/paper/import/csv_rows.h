#ifndef KB_IMPORT_CSV_ROWS_H
#define KB_IMPORT_CSV_ROWS_H

#include <stddef.h>

#include "base/buf.h"

struct kb_err;

/*
 * Comma-separated values of other people's, row by row (RFC 4180; a row may
 * end in a line feed alone, and the last in nothing). A cell is text: UTF-8
 * without NUL.
 *
 *	struct kb_csv_rows r = KB_CSV_ROWS(data, len, name);
 *
 *	while ((ret = kb_csv_rows_next(&r, err)) > 0)
 *		use(r.cells, r.count);
 *	kb_csv_rows_release(&r);
 */
#define KB_CSV_CELLS_MAX 128		/* of a row */

struct kb_csv_rows {
	const char *at, *end;		/* borrowed */
	const char *name;		/* for messages */
	size_t line;			/* of the row, the first is 1 */
	size_t next_line;
	const char *cells[KB_CSV_CELLS_MAX];	/* borrowed until the next */
	size_t count;
	struct kb_buf text;		/* of the cells */
};

#define KB_CSV_ROWS(data, len, called)					\
	{ .at = (data), .end = (const char *)(data) + (len),		\
	  .name = (called), .text = KB_BUF_INIT }

void kb_csv_rows_release(struct kb_csv_rows *r);

/* Returns 1, or 0 at the end. Fails with KB_ERR_INPUT. */
int kb_csv_rows_next(struct kb_csv_rows *r, struct kb_err *err);

static inline void kb_cleanup_csv_rows(struct kb_csv_rows *r)
{
	kb_csv_rows_release(r);
}

#endif
