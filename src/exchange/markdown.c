#include "exchange/markdown.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "exchange/score_sheet.h"

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
	kb_buf_addstr(out, "| level | problems |");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_auto(buf) struct kb_buf name = KB_BUF_INIT;

		kb_sheet_column_print(&name, i);
		kb_buf_addch(out, ' ');
		kb_markdown_text_print(out, name.data);
		kb_buf_addstr(out, " |");
	}
	kb_buf_addstr(out, " geomean speedup |\n| --- | ---: |");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++)
		kb_buf_addstr(out, " ---: |");
	kb_buf_addstr(out, " ---: |\n");
}

static void print_row(struct kb_buf *out, const struct kb_score_sheet *s,
		      size_t row)
{
	const struct kb_metrics *m = kb_sheet_metrics(s, row);

	kb_buf_addstr(out, "| ");
	kb_sheet_row_print(out, s, row);
	kb_buf_addf(out, " | %" PRId64 " |", m->problems);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_buf_addf(out, " %" PRId64, kb_sheet_count(m, i));
		kb_sheet_share_print(out, m, i, "%");
		kb_buf_addstr(out, " |");
	}
	if (m->geomean_speedup_micro == KB_UNKNOWN) {
		kb_buf_addstr(out, " - |\n");
		return;
	}
	kb_buf_addch(out, ' ');
	kb_micro_print(out, m->geomean_speedup_micro, 3);
	kb_buf_addstr(out, "x |\n");
}

void kb_markdown_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	print_head(out);
	for (size_t row = 0; row < kb_sheet_row_count(s); row++)
		print_row(out, s, row);

	kb_buf_addch(out, '\n');
	for (int i = 0; i < KB_NOTE_COUNT; i++) {
		kb_auto(buf) struct kb_buf note = KB_BUF_INIT;

		kb_sheet_note_print(&note, s, (enum kb_sheet_note)i);
		kb_buf_addstr(out, "- ");
		kb_sheet_note_title(out, (enum kb_sheet_note)i);
		kb_buf_addstr(out, ": ");
		kb_markdown_text_print(out, note.data);
		kb_buf_addch(out, '\n');
	}
}
