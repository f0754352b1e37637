#include "tables/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "cli/wrap.h"
#include "sheet/format.h"

#define GAP 2		/* spaces between columns */
#define ROOM_MIN 28	/* columns in which sentences can be read */
#define BELOW 4		/* how far a text is indented that has less */

struct cell {
	char *text;
	enum kb_tint tint;
	bool is_rest;		/* the others of its row are empty */
};

struct kb_table {
	const struct kb_column *columns;
	size_t column_count, key_count;
	int *ranks;
	struct cell *cells;
	size_t cell_count, capacity;
};

struct kb_table *kb_table_new(const struct kb_column columns[],
			      size_t column_count)
{
	struct kb_table *t = kb_xcalloc(1, sizeof(*t));

	t->columns = columns;
	t->column_count = column_count;
	t->key_count = 1;
	t->ranks = kb_xcalloc(column_count, sizeof(*t->ranks));
	return t;
}

void kb_table_free(struct kb_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->cell_count; i++)
		free(t->cells[i].text);
	free(t->cells);
	free(t->ranks);
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
	t->cells[t->cell_count++] = (struct cell){
		.text = kb_xstrdup(cell.data),
	};
}

void kb_table_addf(struct kb_table *t, const char *fmt, ...)
{
	kb_auto(mem) char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = kb_xvasprintf(fmt, ap);
	va_end(ap);
	kb_table_add(t, text);
}

void kb_table_add_rest(struct kb_table *t, const char *text)
{
	kb_table_add(t, text);
	t->cells[t->cell_count - 1].is_rest = true;
	while (t->cell_count % t->column_count)
		kb_table_add(t, "");
}

void kb_table_tint(struct kb_table *t, enum kb_tint tint)
{
	t->cells[t->cell_count - 1].tint = tint;
}

void kb_table_rank(struct kb_table *t, size_t column, int rank)
{
	t->ranks[column] = rank;
}

void kb_table_set_keys(struct kb_table *t, size_t count)
{
	t->key_count = count;
}

void kb_tint_print(struct kb_buf *out, const char *text, enum kb_tint tint,
		   struct kb_look look)
{
	/* SGR of ECMA-48: green, red, and as before. */
	if (look.has_colour && tint != KB_TINT_NONE)
		kb_buf_addf(out, "\033[%dm%s\033[0m",
			    tint == KB_TINT_GOOD ? 32 : 31, text);
	else
		kb_buf_addstr(out, text);
}

/* --- what fits -------------------------------------------------------- */

/* A table on its way out: the columns of one part of it. */
struct layout {
	const struct kb_table *t;
	struct kb_look look;
	size_t *widths;			/* of all columns of the table */
	size_t *shown;			/* those of this part */
	size_t count;
	size_t begin;			/* the first that no earlier part had */
};

static size_t column_width(const struct kb_table *t, size_t column)
{
	size_t width = kb_text_width(t->columns[column].head);

	for (size_t i = column; i < t->cell_count; i += t->column_count) {
		const size_t w = t->cells[i].is_rest ? 0 :
				 kb_text_width(t->cells[i].text);

		width = w > width ? w : width;
	}
	return width;
}

/* Words in the last column need no more room than their head: they are broken
 * into lines. */
static bool is_text(const struct kb_table *t, size_t column)
{
	return column + 1 == t->column_count && column &&
	       t->columns[column].align == KB_ALIGN_LEFT;
}

static size_t least_width(const struct layout *l, size_t column)
{
	return is_text(l->t, column) ? kb_text_width(l->t->columns[column].head)
				     : l->widths[column];
}

static size_t row_width(const struct layout *l)
{
	size_t width = 0;

	for (size_t i = 0; i < l->count; i++)
		width += (i ? GAP : 0) + least_width(l, l->shown[i]);
	return width;
}

static int highest_rank(const struct layout *l)
{
	int rank = 0;

	for (size_t i = 0; i < l->count; i++)
		if (l->t->ranks[l->shown[i]] > rank)
			rank = l->t->ranks[l->shown[i]];
	return rank;
}

static void leave_out(struct layout *l, int rank)
{
	size_t kept = 0;

	for (size_t i = 0; i < l->count; i++)
		if (l->t->ranks[l->shown[i]] != rank)
			l->shown[kept++] = l->shown[i];
	l->count = kept;
}

static bool is_too_wide(const struct layout *l)
{
	return l->look.columns && row_width(l) > l->look.columns;
}

/* --- rows ------------------------------------------------------------- */

/* A text that ends a row stands beside the cells, of which `at` columns are
 * there, or below them if there is too little room for it. */
static void print_text(struct kb_buf *out, const struct layout *l,
		       const char *text, size_t owed, size_t at)
{
	const size_t columns = l->look.columns;
	const bool is_beside = !columns || columns >= at + ROOM_MIN ||
			       columns >= at + kb_text_width(text);

	if (!*text)
		return;
	if (is_beside)
		kb_buf_addf(out, "%*s", (int)owed, "");
	else
		kb_buf_addf(out, "\n%*s", BELOW, "");
	at = is_beside ? at : BELOW;
	kb_wrap_print(out, text, at, at, columns);
}

/* Spaces are owed until something stands behind them. */
static void print_cell(struct kb_buf *out, const struct layout *l,
		       size_t column, const struct cell *cell, size_t *owed)
{
	const size_t pad = l->widths[column] - kb_text_width(cell->text);
	const bool right = l->t->columns[column].align == KB_ALIGN_RIGHT;

	*owed += right ? pad : 0;
	if (*cell->text) {
		kb_buf_addf(out, "%*s", (int)*owed, "");
		kb_tint_print(out, cell->text, cell->tint, l->look);
		*owed = 0;
	}
	*owed += right ? GAP : pad + GAP;
}

/* Where the text begins that ends a row, or behind all columns. */
static size_t find_rest(const struct kb_table *t, const struct cell cells[])
{
	size_t c = 0;

	while (c < t->column_count && !cells[c].is_rest && !is_text(t, c))
		c++;
	return c;
}

static void print_row(struct kb_buf *out, const struct layout *l,
		      const struct cell cells[])
{
	const size_t rest = find_rest(l->t, cells);
	size_t owed = 0, at = 0, i;

	for (i = 0; i < l->count && l->shown[i] < rest; i++) {
		print_cell(out, l, l->shown[i], &cells[l->shown[i]], &owed);
		at += l->widths[l->shown[i]] + GAP;
	}
	/* In the part of the table in which its column is or would be. */
	if (i < l->count && rest >= l->begin)
		print_text(out, l, cells[rest].text, owed, at);
	kb_buf_addch(out, '\n');
}

static void print_part(struct kb_buf *out, const struct layout *l)
{
	const struct kb_table *t = l->t;
	kb_auto(mem) struct cell *head =
		kb_xcalloc(t->column_count, sizeof(*head));

	for (size_t c = 0; c < t->column_count; c++)
		head[c].text = (char *)t->columns[c].head;
	print_row(out, l, head);
	for (size_t i = 0; i < t->cell_count; i += t->column_count)
		print_row(out, l, t->cells + i);
}

/* A column without a head belongs to the one before. */
static size_t group_end(const struct kb_table *t, const size_t columns[],
			size_t count, size_t i)
{
	for (i++; i < count && !*t->columns[columns[i]].head; i++)
		;
	return i;
}

/* As many columns in each part as fit; one group at least. */
static void print_parts(struct kb_buf *out, const struct layout *whole)
{
	const struct kb_table *t = whole->t;
	kb_auto(mem) size_t *shown = kb_xcalloc(t->column_count + 1,
						sizeof(*shown));
	struct layout part = *whole;
	size_t next = t->key_count;

	part.shown = shown;
	memcpy(shown, whole->shown, t->key_count * sizeof(*shown));
	while (next < whole->count) {
		const size_t first = next;

		part.count = t->key_count;
		while (next < whole->count) {
			const size_t count = part.count, end =
				group_end(t, whole->shown, whole->count, next);

			for (size_t i = next; i < end; i++)
				shown[part.count++] = whole->shown[i];
			if (next > first && is_too_wide(&part)) {
				part.count = count;
				break;
			}
			next = end;
		}
		if (first > t->key_count)
			kb_buf_addch(out, '\n');
		print_part(out, &part);
		part.begin = whole->shown[next - 1] + 1;
	}
}

void kb_table_print(struct kb_buf *out, const struct kb_table *t,
		    struct kb_look look)
{
	kb_auto(mem) size_t *widths =
		kb_xcalloc(t->column_count, sizeof(*widths));
	kb_auto(mem) size_t *shown =
		kb_xcalloc(t->column_count, sizeof(*shown));
	struct layout l = { .t = t, .look = look, .widths = widths,
			    .shown = shown, .count = t->column_count };

	/* A cell too few would move all behind it into columns of others. */
	if (t->cell_count % t->column_count)
		KB_BUG("the last row of a table is not full");

	for (size_t c = 0; c < t->column_count; c++) {
		widths[c] = column_width(t, c);
		shown[c] = c;
	}
	while (is_too_wide(&l) && highest_rank(&l))
		leave_out(&l, highest_rank(&l));
	if (is_too_wide(&l) && l.count > t->key_count)
		print_parts(out, &l);
	else
		print_part(out, &l);
}
