#include "export/csv.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "sheet/comparison.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

/* What some spreadsheets begin a formula with. */
#define FORMULA "=+-@"

static void print_text(struct kb_buf *out, const char *text)
{
	const char *before = *text && strchr(FORMULA, *text) ? "'" : "";

	if (!strpbrk(text, ",\"")) {
		kb_buf_addf(out, "%s%s", before, text);
		return;
	}
	kb_buf_addf(out, "\"%s", before);
	for (; *text; text++)
		kb_buf_addf(out, *text == '"' ? "\"%c" : "%c", *text);
	kb_buf_addch(out, '"');
}

static void print_head(struct kb_buf *out)
{
	kb_buf_addstr(out, "level,problems_count,missing_count");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_buf_addch(out, ',');
		kb_sheet_column_print(out, i);
		kb_buf_addstr(out, "_count");
	}
	kb_buf_addstr(out, ",untimed_count,geomean_speedup,"
			   "geomean_speedup_low,geomean_speedup_high");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		if (!kb_sheet_column_has_certainty(i))
			continue;
		for (int side = 0; side < 2; side++) {
			kb_buf_addch(out, ',');
			kb_sheet_column_print(out, i);
			kb_buf_addstr(out, side ? "_undecided_count"
						: "_certain_count");
		}
	}
	for (int i = 0; i < KB_NOTES_EXPORTED; i++)
		kb_buf_addf(out, ",%s", kb_note_name((enum kb_note)i));
	kb_buf_addstr(out, ",warnings");
}

static void print_mean(struct kb_buf *out, int64_t micro)
{
	kb_buf_addch(out, ',');
	if (micro != KB_UNKNOWN)
		kb_micro_print(out, micro, 6);
}

/* At 95 %; empty where the preset has no intervals. */
static void print_certainty(struct kb_buf *out, const struct kb_metrics *m)
{
	const struct kb_certainty *c = &m->certainty;

	print_mean(out, m->has_certainty ? c->geomean_low_micro : KB_UNKNOWN);
	print_mean(out, m->has_certainty ? c->geomean_high_micro : KB_UNKNOWN);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		if (!kb_sheet_column_has_certainty(i))
			continue;
		if (m->has_certainty)
			kb_buf_addf(out, ",%" PRId64 ",%" PRId64,
				    c->certain[kb_sheet_fast_index(i)],
				    c->undecided[kb_sheet_fast_index(i)]);
		else
			kb_buf_addstr(out, ",,");
	}
}

static void print_row(struct kb_buf *out, const struct kb_score_sheet *s,
		      size_t row)
{
	const struct kb_metrics *m = kb_sheet_metrics(s, row);
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;

	kb_sheet_row_print(out, s, row);
	kb_buf_addf(out, ",%" PRId64 ",%" PRId64, m->problems,
		    m->status_counts[KB_STATUS_MISSING]);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++)
		kb_buf_addf(out, ",%" PRId64, kb_sheet_count(m, i));
	kb_buf_addf(out, ",%" PRId64, kb_metrics_untimed(m));
	print_mean(out, m->geomean_speedup_micro);
	print_certainty(out, m);
	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		kb_buf_clear(&note);
		kb_note_print(&note, s, (enum kb_note)i);
		kb_buf_addch(out, ',');
		print_text(out, note.data);
	}
	kb_buf_clear(&note);
	kb_warnings_join(&note, s->score);
	kb_buf_addch(out, ',');
	print_text(out, note.data);
}

void kb_csv_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	print_head(out);
	kb_buf_addch(out, '\n');
	for (size_t row = 0; row < kb_sheet_row_count(s); row++) {
		print_row(out, s, row);
		kb_buf_addch(out, '\n');
	}
}

/* What more there is of a score; or the names of that, if there is none. */
static void print_more(struct kb_buf *out, const struct kb_comparison *c,
		       const size_t *score)
{
	for (size_t i = 0; i < c->aspects.count; i++) {
		const struct kb_aspect *a = &c->aspects.items[i];

		if (!a->is_extra)
			continue;
		kb_buf_addch(out, ',');
		print_text(out, score ? a->texts[*score] : a->title);
	}
	kb_buf_addch(out, '\n');
}

void kb_csv_comparison_print(struct kb_buf *out, const struct kb_comparison *c)
{
	print_head(out);
	print_more(out, c, NULL);
	for (size_t i = 0; i < c->count; i++) {
		const struct kb_score_sheet *s = &c->sheets[i];

		for (size_t row = 0; row < kb_sheet_row_count(s); row++) {
			print_row(out, s, row);
			print_more(out, c, &i);
		}
	}
}
