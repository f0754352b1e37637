#include "export/csv.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/utf8.h"
#include "manifest/record.h"
#include "sheet/comparison.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

/* The characters that begin a formula in some spreadsheets. */
#define FORMULA "=+-@"

void kb_csv_text_print(struct kb_buf *out, const char *text)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT;
	const char *before = *text && strchr(FORMULA, *text) ? "'" : "";

	kb_utf8_clean_line(&clean, text, strlen(text));
	kb_buf_addstr(&clean, "");
	if (!strpbrk(clean.data, ",\"")) {
		kb_buf_addf(out, "%s%s", before, clean.data);
		return;
	}
	kb_buf_addf(out, "\"%s", before);
	for (const char *c = clean.data; *c; c++)
		kb_buf_addf(out, *c == '"' ? "\"%c" : "%c", *c);
	kb_buf_addch(out, '"');
}

static bool has_certainty(const struct kb_sheet_row *row)
{
	return row->is_fast && row->has_interval;
}

static bool is_counted(const struct kb_sheet_row *row)
{
	return row->kind == KB_ROW_COUNT || row->kind == KB_ROW_SHARE;
}

static void print_head(struct kb_buf *out, const struct kb_score_sheet *s)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_TABLE);

	kb_buf_addstr(out, "level");
	for (size_t i = 0; i < rows.count; i++)
		if (is_counted(&rows.items[i]))
			kb_buf_addf(out, ",%s_count", rows.items[i].name);
	kb_buf_addstr(out, ",untimed_count,geomean_speedup,"
			   "geomean_speedup_low,geomean_speedup_high");
	for (size_t i = 0; i < rows.count; i++)
		if (has_certainty(&rows.items[i]))
			kb_buf_addf(out, ",%s_certain_count,%s_undecided_count",
				    rows.items[i].name, rows.items[i].name);
	for (int i = 0; i < KB_NOTES_EXPORTED; i++)
		kb_buf_addf(out, ",%s", kb_note_name((enum kb_note)i));
	kb_buf_addstr(out, ",warnings");
}

static void print_micro(struct kb_buf *out, int64_t micro)
{
	char text[KB_FORMAT_SIZE] = "";

	if (micro != KB_UNKNOWN)
		kb_format_micro(text, micro, 6);
	kb_buf_addf(out, ",%s", text);
}

static void print_mean(struct kb_buf *out, const struct kb_sheet_cell *c)
{
	kb_buf_addf(out, ",%" PRId64, c->untimed);
	print_micro(out, c->value);
	print_micro(out, c->has_interval ? c->low : KB_UNKNOWN);
	print_micro(out, c->has_interval ? c->high : KB_UNKNOWN);
}

static void print_numbers(struct kb_buf *out, const struct kb_score_sheet *s,
			  size_t part)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_TABLE);

	for (size_t i = 0; i < rows.count; i++) {
		const struct kb_sheet_cell c =
			kb_sheet_cell(s, part, &rows.items[i]);

		if (is_counted(&rows.items[i]))
			kb_buf_addf(out, ",%" PRId64, c.value);
		else
			print_mean(out, &c);
	}
	/* At 95 %; empty where the preset has no intervals. */
	for (size_t i = 0; i < rows.count; i++) {
		const struct kb_sheet_cell c =
			kb_sheet_cell(s, part, &rows.items[i]);

		if (!has_certainty(&rows.items[i]))
			continue;
		if (c.has_interval)
			kb_buf_addf(out, ",%" PRId64 ",%" PRId64, c.low,
				    c.high - c.low);
		else
			kb_buf_addstr(out, ",,");
	}
}

static void print_line(struct kb_buf *out, const struct kb_score_sheet *s,
		       size_t part)
{
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;

	kb_sheet_part_print(out, s, part);
	print_numbers(out, s, part);
	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		kb_buf_clear(&note);
		kb_note_print(&note, s, (enum kb_note)i);
		kb_buf_addch(out, ',');
		kb_csv_text_print(out, note.data);
	}
	kb_buf_clear(&note);
	kb_warnings_join(&note, s->score);
	kb_buf_addch(out, ',');
	kb_csv_text_print(out, note.data);
}

void kb_csv_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	print_head(out, s);
	kb_buf_addch(out, '\n');
	for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
		print_line(out, s, part);
		kb_buf_addch(out, '\n');
	}
}

/* More cells of a score; or their names, if there is no score. */
static void print_more(struct kb_buf *out, const struct kb_comparison *c,
		       const size_t *score)
{
	for (size_t i = 0; i < c->aspects.count; i++) {
		const struct kb_aspect *a = &c->aspects.items[i];

		if (!a->is_extra)
			continue;
		kb_buf_addch(out, ',');
		kb_csv_text_print(out, score ? a->texts[*score] : a->title);
	}
	kb_buf_addch(out, '\n');
}

void kb_csv_comparison_print(struct kb_buf *out, const struct kb_comparison *c)
{
	print_head(out, &c->sheets[0]);
	print_more(out, c, NULL);
	for (size_t i = 0; i < c->count; i++) {
		const struct kb_score_sheet *s = &c->sheets[i];

		for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
			print_line(out, s, part);
			print_more(out, c, &i);
		}
	}
}
