#include "tables/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "tables/format.h"

#define GAP 2	/* spaces between columns */

struct kb_table {
	const struct kb_column *columns;
	size_t column_count;
	char **cells;
	size_t cell_count, capacity;
};

struct kb_table *kb_table_new(const struct kb_column columns[],
			      size_t column_count)
{
	struct kb_table *t = kb_xcalloc(1, sizeof(*t));

	t->columns = columns;
	t->column_count = column_count;
	return t;
}

void kb_table_free(struct kb_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->cell_count; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t);
}

/* Texts come from records, and a terminal acts on control characters: each cell
 * is cleaned on its way in. */
void kb_table_add(struct kb_table *t, const char *text)
{
	kb_auto(buf) struct kb_buf cell = KB_BUF_INIT;

	kb_format_text(&cell, text);
	t->cells = kb_grow(t->cells, t->cell_count, &t->capacity,
			   sizeof(*t->cells));
	t->cells[t->cell_count++] = kb_xstrdup(cell.data);
}

void kb_table_addf(struct kb_table *t, const char *fmt, ...)
{
	kb_auto(mem) char *text = NULL;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0)
		KB_BUG("cannot format a cell");
	kb_table_add(t, text);
}

/* Characters of UTF-8: bytes that do not continue one. */
static size_t width_of(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static size_t column_width(const struct kb_table *t, size_t column)
{
	size_t width = width_of(t->columns[column].head);

	for (size_t i = column; i < t->cell_count; i += t->column_count) {
		size_t w = width_of(t->cells[i]);

		width = w > width ? w : width;
	}
	return width;
}

static void print_row(struct kb_buf *out, const struct kb_table *t,
		      const size_t widths[], char *const cells[])
{
	/* Spaces are owed until something stands behind them. */
	size_t owed = 0;

	for (size_t c = 0; c < t->column_count; c++) {
		const char *text = cells ? cells[c] : t->columns[c].head;
		size_t pad = widths[c] - width_of(text);
		bool right = t->columns[c].align == KB_ALIGN_RIGHT;

		owed += right ? pad : 0;
		if (*text) {
			kb_buf_addf(out, "%*s%s", (int)owed, "", text);
			owed = 0;
		}
		owed += right ? GAP : pad + GAP;
	}
	kb_buf_addch(out, '\n');
}

void kb_table_print(struct kb_buf *out, const struct kb_table *t)
{
	kb_auto(mem) size_t *widths =
		kb_xcalloc(t->column_count, sizeof(*widths));

	/* A cell too few would move all behind it into columns of others. */
	if (t->cell_count % t->column_count)
		KB_BUG("the last row of a table is not full");

	for (size_t c = 0; c < t->column_count; c++)
		widths[c] = column_width(t, c);

	print_row(out, t, widths, NULL);
	for (size_t i = 0; i < t->cell_count; i += t->column_count)
		print_row(out, t, widths, t->cells + i);
}
