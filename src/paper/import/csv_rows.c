#include "import/csv_rows.h"

#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "json/utf8.h"

void kb_csv_rows_release(struct kb_csv_rows *r)
{
	kb_buf_release(&r->text);
}

static int refuse_row(const struct kb_csv_rows *r, struct kb_err *err,
		      const char *why)
{
	return kb_err(err, KB_ERR_INPUT, "line %zu of %s: %s", r->line,
		      r->name, why);
}

static bool at_end_of_cell(const struct kb_csv_rows *r)
{
	return r->at == r->end || *r->at == ',' || *r->at == '\n' ||
	       (*r->at == '\r' && r->at + 1 < r->end && r->at[1] == '\n');
}

static void add_plain(struct kb_csv_rows *r)
{
	const char *start = r->at;

	while (!at_end_of_cell(r))
		r->at++;
	kb_buf_add(&r->text, start, (size_t)(r->at - start));
}

/* From behind its first quote; two quotes inside are one. */
static int add_quoted(struct kb_csv_rows *r, struct kb_err *err)
{
	for (;;) {
		if (r->at == r->end)
			return refuse_row(r, err, "a quote is not closed");
		if (*r->at == '"' && (++r->at == r->end || *r->at != '"'))
			break;
		r->next_line += *r->at == '\n';
		kb_buf_addch(&r->text, *r->at++);
	}
	return at_end_of_cell(r) ? 0 : refuse_row(r, err, "more after a quote");
}

static int add_cell(struct kb_csv_rows *r, struct kb_err *err)
{
	const size_t start = r->text.len;
	const bool quoted = r->at < r->end && *r->at == '"';
	int ret = 0;

	if (r->count == KB_CSV_CELLS_MAX)
		return refuse_row(r, err, "has too many cells");
	if (quoted) {
		r->at++;
		ret = add_quoted(r, err);
	} else {
		add_plain(r);
	}
	if (ret < 0)
		return ret;
	if (!kb_utf8_valid(r->text.data + start, r->text.len - start) ||
	    memchr(r->text.data + start, '\0', r->text.len - start))
		return refuse_row(r, err, "is not text");
	kb_buf_addch(&r->text, '\0');
	r->count++;
	return 0;
}

/* The text has moved while it grew. */
static void find_cells(struct kb_csv_rows *r)
{
	const char *at = r->text.data;

	for (size_t i = 0; i < r->count; i++) {
		r->cells[i] = at;
		at += strlen(at) + 1;
	}
}

int kb_csv_rows_next(struct kb_csv_rows *r, struct kb_err *err)
{
	kb_buf_clear(&r->text);
	r->count = 0;
	r->line = r->next_line ? r->next_line : 1;
	r->next_line = r->line + 1;
	if (r->at == r->end)
		return 0;
	for (;;) {
		int ret = add_cell(r, err);

		if (ret < 0)
			return ret;
		if (r->at == r->end || *r->at != ',')
			break;
		r->at++;
	}
	r->at += r->at < r->end && *r->at == '\r';
	r->at += r->at < r->end;
	find_cells(r);
	return 1;
}
