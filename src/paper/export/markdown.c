#include "export/markdown.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/utf8.h"
#include "sheet/comparison.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

/* A backslash before any of these makes it a character like any other. */
#define MARKUP "\\`*_[]<>|~&$"

/* GitHub makes a link of an address without any markup. */
static bool begins_link(const char *text)
{
	return !strncmp(text, "://", 3) || !strncasecmp(text, "www.", 4);
}

void kb_markdown_text_print(struct kb_buf *out, const char *text)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;

	kb_utf8_clean_line(&clean, text, strlen(text));
	for (size_t i = 0; i < clean.len; i++) {
		const char c = clean.data[i];

		/* A letter takes no backslash: the "." of "www." does. */
		if (strchr(MARKUP, c) ||
		    (c == ':' && begins_link(clean.data + i)) ||
		    (c == '.' && i >= 3 && begins_link(clean.data + i - 3)))
			kb_buf_addch(out, '\\');
		kb_buf_addch(out, c);
	}
}

static const struct kb_cell_style style = {
	.percent = "%", .times = "x", .none = "-",
	.before_untimed = ", ", .after_untimed = " untimed",
};

/* Append a head with columns of numbers, and its rule. */
static void print_head(struct kb_buf *out, const char *first,
		       const struct kb_sheet_rows *rows)
{
	kb_buf_addf(out, "| %s |", first);
	for (size_t i = 0; i < rows->count; i++) {
		kb_buf_addch(out, ' ');
		kb_markdown_text_print(out, rows->items[i].title);
		kb_buf_addstr(out, rows->items[i].kind == KB_ROW_MEAN ?
			      " speedup |" : " |");
	}
	kb_buf_addstr(out, "\n| --- |");
	for (size_t i = 0; i < rows->count; i++)
		kb_buf_addstr(out, " ---: |");
	kb_buf_addch(out, '\n');
}

static void print_cells(struct kb_buf *out, const struct kb_score_sheet *s,
			size_t part, const struct kb_sheet_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		kb_buf_addch(out, ' ');
		kb_sheet_cell_print(out, s, part, &rows->items[i], &style);
		kb_buf_addstr(out, " |");
	}
	kb_buf_addch(out, '\n');
}

static void print_table(struct kb_buf *out, const struct kb_score_sheet *s,
			const char *first, const struct kb_sheet_rows *rows)
{
	print_head(out, first, rows);
	for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
		kb_buf_addstr(out, "| ");
		kb_sheet_part_print(out, s, part);
		kb_buf_addstr(out, " |");
		print_cells(out, s, part, rows);
	}
	kb_buf_addch(out, '\n');
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
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_TABLE),
		intervals = kb_sheet_rows(s, KB_ROWS_INTERVALS);
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	print_table(out, s, "level", &rows);
	if (intervals.count)
		print_table(out, s, "at 95%, level", &intervals);
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

/* A score that does not know what is sound has a part less than others. */
static size_t count_common_parts(const struct kb_comparison *c)
{
	size_t parts = kb_sheet_part_count(&c->sheets[0]);

	for (size_t i = 1; i < c->count; i++)
		if (kb_sheet_part_count(&c->sheets[i]) < parts)
			parts = kb_sheet_part_count(&c->sheets[i]);
	return parts;
}

/* Columns such as "fast_1, level 1" and "fast_1, overall". */
static void print_comparison_head(struct kb_buf *out,
				  const struct kb_score_sheet *s, size_t parts)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_BRIEF);

	kb_buf_addstr(out, "| model |");
	for (size_t i = 0; i < rows.count; i++)
		for (size_t part = 0; part < parts; part++) {
			kb_buf_addch(out, ' ');
			kb_markdown_text_print(out, rows.items[i].title);
			kb_buf_addstr(out, ", ");
			kb_sheet_part_title(out, s, part);
			kb_buf_addstr(out, " |");
		}
	kb_buf_addstr(out, "\n| --- |");
	for (size_t i = 0; i < rows.count * parts; i++)
		kb_buf_addstr(out, " ---: |");
	kb_buf_addch(out, '\n');
}

static void print_label(struct kb_buf *out, const struct kb_comparison *c,
			size_t score)
{
	kb_buf_addstr(out, "| ");
	kb_markdown_text_print(out, c->labels[score]);
	kb_buf_addf(out, " <sup>%zu</sup> |", score + 1);
}

static void print_score(struct kb_buf *out, const struct kb_comparison *c,
			size_t score, size_t parts)
{
	const struct kb_score_sheet *s = &c->sheets[score];
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_BRIEF);

	print_label(out, c, score);
	for (size_t i = 0; i < rows.count; i++)
		for (size_t part = 0; part < parts; part++) {
			kb_buf_addch(out, ' ');
			kb_sheet_cell_print(out, s, part, &rows.items[i],
					    &style);
			kb_buf_addstr(out, " |");
		}
	kb_buf_addch(out, '\n');
}

/* They are of one preset: all have intervals, or none. */
static void print_scores_certainty(struct kb_buf *out,
				   const struct kb_comparison *c)
{
	const struct kb_sheet_rows rows =
		kb_sheet_rows(&c->sheets[0], KB_ROWS_BRIEF_INTERVALS);

	if (!rows.count)
		return;
	kb_buf_addch(out, '\n');
	print_head(out, "at 95%, overall", &rows);
	for (size_t i = 0; i < c->count; i++) {
		print_label(out, c, i);
		print_cells(out, &c->sheets[i], kb_sheet_overall(&c->sheets[i]),
			    &rows);
	}
}

void kb_markdown_comparison_print(struct kb_buf *out,
				  const struct kb_comparison *c)
{
	const size_t parts = count_common_parts(c);

	print_comparison_head(out, &c->sheets[0], parts);
	for (size_t i = 0; i < c->count; i++)
		print_score(out, c, i, parts);
	print_scores_certainty(out, c);
	kb_buf_addch(out, '\n');
	for (size_t i = 0; i < c->note_count; i++)
		print_note(out, c->notes[i].title, c->notes[i].text);
}
