#include "export/markdown.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/score.h"
#include "sheet/comparison.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

/* A backslash before any of these makes it a character like any other. */
#define MARKUP "\\`*_[]<>|~&$"

void kb_markdown_text_print(struct kb_buf *out, const char *text)
{
	for (; *text; text++) {
		if (strchr(MARKUP, *text))
			kb_buf_addch(out, '\\');
		kb_buf_addch(out, *text);
	}
}

static void print_head(struct kb_buf *out)
{
	kb_buf_addstr(out, "| level | problems | missing |");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_auto(buf) struct kb_buf name = KB_BUF_INIT;

		kb_sheet_column_print(&name, i);
		kb_buf_addch(out, ' ');
		kb_markdown_text_print(out, name.data);
		kb_buf_addstr(out, " |");
	}
	kb_buf_addstr(out, " geomean speedup |\n| --- | ---: | ---: |");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++)
		kb_buf_addstr(out, " ---: |");
	kb_buf_addstr(out, " ---: |\n");
}

static void print_mean(struct kb_buf *out, const struct kb_metrics *m)
{
	kb_buf_addch(out, ' ');
	if (m->geomean_speedup_micro == KB_UNKNOWN) {
		kb_buf_addch(out, '-');
	} else {
		kb_micro_print(out, m->geomean_speedup_micro, 3);
		kb_buf_addch(out, 'x');
	}
	kb_sheet_untimed_print(out, m);
	kb_buf_addstr(out, " |");
}

static void print_row(struct kb_buf *out, const struct kb_score_sheet *s,
		      size_t row)
{
	const struct kb_metrics *m = kb_sheet_metrics(s, row);

	kb_buf_addstr(out, "| ");
	kb_sheet_row_print(out, s, row);
	kb_buf_addf(out, " | %" PRId64 " | %" PRId64 " |", m->problems,
		    m->status_counts[KB_STATUS_MISSING]);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_buf_addf(out, " %" PRId64, kb_sheet_count(m, i));
		kb_sheet_share_print(out, m, i, "%");
		kb_buf_addstr(out, " |");
	}
	print_mean(out, m);
	kb_buf_addch(out, '\n');
}

static void print_certain_head(struct kb_buf *out, const char *first,
			       bool (*has_column)(size_t column))
{
	kb_auto(buf) struct kb_buf rule = KB_BUF_INIT;

	kb_buf_addf(out, "| %s |", first);
	kb_buf_addstr(&rule, "| --- |");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_auto(buf) struct kb_buf name = KB_BUF_INIT;

		if (!has_column(i))
			continue;
		kb_sheet_column_print(&name, i);
		kb_buf_addch(out, ' ');
		kb_markdown_text_print(out, name.data);
		kb_buf_addstr(out, " |");
		kb_buf_addstr(&rule, " ---: |");
	}
	kb_buf_addf(out, " geomean speedup |\n%s ---: |\n", rule.data);
}

static void print_certain_cells(struct kb_buf *out, const struct kb_metrics *m,
				bool (*has_column)(size_t column))
{
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		if (!has_column(i))
			continue;
		kb_buf_addch(out, ' ');
		kb_sheet_certain_print(out, m, i);
		kb_buf_addstr(out, " |");
	}
	kb_buf_addch(out, ' ');
	if (!kb_sheet_mean_interval_print(out, m))
		kb_buf_addch(out, '-');
	kb_buf_addstr(out, " |\n");
}

/* What is certain of the above, if the preset says. */
static void print_certainty(struct kb_buf *out, const struct kb_score_sheet *s)
{
	if (!s->score->overall.has_certainty)
		return;
	kb_buf_addch(out, '\n');
	print_certain_head(out, "at 95%, level", kb_sheet_column_has_certainty);
	for (size_t row = 0; row < kb_sheet_row_count(s); row++) {
		kb_buf_addstr(out, "| ");
		kb_sheet_row_print(out, s, row);
		kb_buf_addstr(out, " |");
		print_certain_cells(out, kb_sheet_metrics(s, row),
				    kb_sheet_column_has_certainty);
	}
}

static void print_note(struct kb_buf *out, const char *title, const char *text)
{
	kb_buf_addstr(out, "- ");
	kb_markdown_text_print(out, title);
	kb_buf_addstr(out, ": ");
	kb_markdown_text_print(out, text);
	kb_buf_addch(out, '\n');
}

void kb_markdown_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	print_head(out);
	for (size_t row = 0; row < kb_sheet_row_count(s); row++)
		print_row(out, s, row);
	print_certainty(out, s);

	kb_buf_addch(out, '\n');
	kb_warnings_of(&w, s->score);
	for (size_t i = 0; i < w.count; i++)
		print_note(out, "WARNING", w.texts[i]);
	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		const enum kb_note note = (enum kb_note)i;
		kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_note_title(&title, note);
		kb_note_print(&text, s, note);
		print_note(out, title.data, text.data);
	}
}

/* --- several scores ----------------------------------------------------- */

/* A score that does not know what is sound has a row less than others. */
static size_t count_common_rows(const struct kb_comparison *c)
{
	size_t rows = kb_sheet_row_count(&c->sheets[0]);

	for (size_t i = 1; i < c->count; i++)
		if (kb_sheet_row_count(&c->sheets[i]) < rows)
			rows = kb_sheet_row_count(&c->sheets[i]);
	return rows;
}

/* Append " <what>, level 1 |" for each level, " <what>, overall |" and, if
 * there is such a row, " <what>, sound |". */
static void print_heads(struct kb_buf *out, const struct kb_score_sheet *s,
			size_t rows, const char *what)
{
	for (size_t row = 0; row < rows; row++) {
		kb_buf_addch(out, ' ');
		kb_markdown_text_print(out, what);
		kb_buf_addstr(out, row < kb_sheet_overall_row(s) ? ", level "
								 : ", ");
		kb_sheet_row_print(out, s, row);
		kb_buf_addstr(out, " |");
	}
}

static void print_comparison_head(struct kb_buf *out,
				  const struct kb_score_sheet *s, size_t rows)
{
	size_t columns = rows;

	kb_buf_addstr(out, "| model |");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_auto(buf) struct kb_buf name = KB_BUF_INIT;

		if (!kb_sheet_column_is_brief(i))
			continue;
		kb_sheet_column_print(&name, i);
		print_heads(out, s, rows, name.data);
		columns += rows;
	}
	print_heads(out, s, rows, "geomean");
	kb_buf_addstr(out, "\n| --- |");
	while (columns--)
		kb_buf_addstr(out, " ---: |");
	kb_buf_addch(out, '\n');
}

static void print_percent(struct kb_buf *out, const struct kb_metrics *m,
			  size_t column)
{
	kb_buf_addch(out, ' ');
	kb_buf_addstr(out, kb_sheet_percent_print(out, m, column) ? "% |"
								  : "- |");
}

static void print_label(struct kb_buf *out, const struct kb_comparison *c,
			size_t score)
{
	kb_buf_addstr(out, "| ");
	kb_markdown_text_print(out, c->labels[score]);
	kb_buf_addf(out, " <sup>%zu</sup> |", score + 1);
}

static void print_score(struct kb_buf *out, const struct kb_comparison *c,
			size_t score, size_t rows)
{
	const struct kb_score_sheet *s = &c->sheets[score];

	print_label(out, c, score);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++)
		for (size_t row = 0; kb_sheet_column_is_brief(i) && row < rows;
		     row++)
			print_percent(out, kb_sheet_metrics(s, row), i);
	for (size_t row = 0; row < rows; row++)
		print_mean(out, kb_sheet_metrics(s, row));
	kb_buf_addch(out, '\n');
}

static bool is_brief_and_fast(size_t column)
{
	return kb_sheet_column_is_fast(column) &&
	       kb_sheet_column_is_brief(column);
}

/* They are of one preset: all have intervals, or none. */
static void print_scores_certainty(struct kb_buf *out,
				   const struct kb_comparison *c)
{
	if (!c->sheets[0].score->overall.has_certainty)
		return;
	kb_buf_addch(out, '\n');
	print_certain_head(out, "at 95%, overall", is_brief_and_fast);
	for (size_t i = 0; i < c->count; i++) {
		print_label(out, c, i);
		print_certain_cells(out, &c->sheets[i].score->overall,
				    is_brief_and_fast);
	}
}

void kb_markdown_comparison_print(struct kb_buf *out,
				  const struct kb_comparison *c)
{
	const size_t rows = count_common_rows(c);

	print_comparison_head(out, &c->sheets[0], rows);
	for (size_t i = 0; i < c->count; i++)
		print_score(out, c, i, rows);
	print_scores_certainty(out, c);
	kb_buf_addch(out, '\n');
	for (size_t i = 0; i < c->note_count; i++)
		print_note(out, c->notes[i].title, c->notes[i].text);
}
