#include "tables/score_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/score.h"
#include "manifest/timing.h"
#include "score/metrics.h"
#include "score/times.h"
#include "sheet/format.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"
#include "tables/facts.h"
#include "tables/spent_lines.h"
#include "tables/table.h"


/* Two cells: what is counted, and what comes of it. */
static void add_cells(struct kb_table *t, const struct kb_sheet_row *row,
		      const struct kb_sheet_cell *c)
{
	char text[KB_FORMAT_SIZE] = "";

	if (row->kind == KB_ROW_MEAN) {
		kb_format_ratio(text, c->value);
		kb_table_add(t, text);
		if (c->untimed)
			kb_table_addf(t, "%" PRId64 " untimed", c->untimed);
		else
			kb_table_add(t, "");
		return;
	}
	if (row->kind == KB_ROW_AT_K)
		kb_table_add(t, "");
	else
		kb_table_addf(t, "%" PRId64, c->value);
	if (row->kind != KB_ROW_COUNT)
		kb_format_pct(text, c->part, c->whole);
	kb_table_add(t, text);
}

static void add_metrics(struct kb_table *t, const struct kb_score_sheet *s)
{
	const struct kb_sheet_rows rows =
		kb_sheet_rows(s, KB_ROWS_BESIDE_STATUSES);

	for (size_t i = 0; i < rows.count; i++) {
		const struct kb_sheet_row *row = &rows.items[i];

		kb_table_add(t, row->title);
		for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
			const struct kb_sheet_cell c =
				kb_sheet_cell(s, part, row);

			add_cells(t, row, &c);
		}
	}
}

static void add_intervals(struct kb_table *t, const struct kb_score_sheet *s)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_INTERVALS);

	for (size_t i = 0; i < rows.count; i++) {
		kb_table_add(t, rows.items[i].title);
		for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
			const struct kb_sheet_cell c =
				kb_sheet_cell(s, part, &rows.items[i]);
			char bounds[KB_FORMAT_BOUNDS_SIZE];

			if (rows.items[i].kind == KB_ROW_MEAN) {
				kb_format_bounds(bounds, c.low, c.high);
				kb_table_add(t, bounds);
			} else {
				kb_table_addf(t, "%" PRId64 " to %" PRId64,
					      c.low, c.high);
			}
		}
	}
}

/* `width` columns for each part, of which the first has its head, behind a
 * column of names with `first` as head. */
static void print_parts(struct kb_buf *out, const struct kb_score_sheet *s,
			const char *first, size_t width,
			void (*add)(struct kb_table *t,
				    const struct kb_score_sheet *s),
			struct kb_look look)
{
	const size_t parts = kb_sheet_part_count(s), count = 1 + width * parts;
	kb_auto(mem) struct kb_buf *heads = kb_xcalloc(parts, sizeof(*heads));
	kb_auto(mem) struct kb_column *columns =
		kb_xcalloc(count, sizeof(*columns));
	kb_auto(table) struct kb_table *t = NULL;

	columns[0] = (struct kb_column){ first, KB_ALIGN_LEFT };
	for (size_t i = 1; i < count; i++)
		columns[i] = (struct kb_column){ "", KB_ALIGN_RIGHT };
	for (size_t part = 0; part < parts; part++) {
		heads[part] = (struct kb_buf)KB_BUF_INIT;
		kb_sheet_part_title(&heads[part], s, part);
		columns[1 + width * part].head = heads[part].data;
	}
	t = kb_table_new(columns, count);
	add(t, s);
	kb_table_print(out, t, look);
	for (size_t part = 0; part < parts; part++)
		kb_buf_release(&heads[part]);
	kb_buf_addch(out, '\n');
}

#define SHOWN_DIGITS 12		/* of an id, for people */

/* Below the table each line has a name and what it says. */
static void print_note(struct kb_buf *out, const char *name,
		       const struct kb_score *s, enum kb_note note)
{
	const struct kb_score_sheet sheet = { .score = s };
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (kb_note_print(&text, &sheet, note))
		kb_fact_print(out, name, "%.*s", kb_note_is_id(note) ?
			      SHOWN_DIGITS : (int)text.len, text.data);
}

static void print_notes(struct kb_buf *out, const struct kb_score *s,
			const enum kb_note notes[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		print_note(out, kb_note_name(notes[i]), s, notes[i]);
}

static void print_machine(struct kb_buf *out, const struct kb_score *s)
{
	static const struct {
		const char *name, *field;
	} facts[] = {
		{ "device", "device.kind" }, { "gpu", "gpu.name" },
		{ "cpu", "cpu.model" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(facts); i++)
		if (i != 1 || kb_json_find(s->match_key, facts[i].field))
			kb_fact_print(out, facts[i].name, "%s",
				      kb_json_text_or(s->match_key,
						      facts[i].field,
						      "not recorded"));
}

static void print_warnings(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_warnings_of(&w, s);
	for (size_t i = 0; i < w.count; i++)
		kb_fact_print(out, "WARNING", "%s", w.texts[i]);
}

static const char *or_absent(const char *text)
{
	return text ? text : "(absent)";
}

static void print_statuses(struct kb_buf *out, const struct kb_metrics *m)
{
	const char *separator = "";

	kb_buf_addf(out, "%-*s", KB_FACT_NAME_WIDTH, "statuses");
	for (int i = 0; i < KB_STATUS_COUNT; i++) {
		if (!m->status_counts[i])
			continue;
		kb_buf_addf(out, "%s%s %" PRId64, separator,
			    kb_status_name(i), m->status_counts[i]);
		separator = ", ";
	}
	kb_buf_addstr(out, *separator ? "\n" : "none\n");
}

/* Correct candidates that no row of fast_p and no mean counts. */
static void print_untimed(struct kb_buf *out, const struct kb_metrics *m)
{
	const int64_t untimed = kb_metrics_untimed(m);

	if (untimed)
		kb_fact_print(out, "untimed", "%" PRId64
			      " correct without a speedup", untimed);
}

static void print_spent(struct kb_buf *out, const struct kb_score *s)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (!s->has_spent)
		return;
	kb_spent_lines_print(out, KB_FACT_NAME_WIDTH, &s->spent, &s->overall);
	kb_digest_format(&s->spent.generation, hex);
	kb_fact_print(out, "generation", "%.*s", SHOWN_DIGITS, hex);
}

/* The facts that the numbers must stay attached to. */
static void print_facts(struct kb_buf *out, const struct kb_score *s)
{
	static const enum kb_note before[] = { KB_NOTE_SEEDS, KB_NOTE_SANDBOX };
	static const enum kb_note behind[] = {
		KB_NOTE_EVALUATION, KB_NOTE_BASELINE, KB_NOTE_DRIFT,
		KB_NOTE_NOISE, KB_NOTE_ALLOWED, KB_NOTE_SOUND,
		KB_NOTE_SELECTED, KB_NOTE_TOLERANCE,
	};

	print_machine(out, s);
	print_note(out, "mode", s, KB_NOTE_MODE);
	if (kb_json_find(s->definition, "preset"))
		print_note(out, "preset", s, KB_NOTE_PRESET);
	/* A CPU has one clock. */
	if (kb_json_text_is(s->match_key, "device.kind", "cuda"))
		print_note(out, "clock", s, KB_NOTE_CLOCKS);
	print_notes(out, s, before, KB_ARRAY_LEN(before));
	/* Nothing without the submission, which is what says it. */
	if (s->has_model)
		print_note(out, "model", s, KB_NOTE_MODEL);
	print_spent(out, s);
	print_notes(out, s, behind, KB_ARRAY_LEN(behind));
}

void kb_score_table_print(struct kb_buf *out, const struct kb_score *s,
			  struct kb_look look)
{
	const struct kb_score_sheet sheet = { .score = s };

	print_parts(out, &sheet, "", 2, add_metrics, look);
	if (s->overall.has_certainty)
		print_parts(out, &sheet, "at 95%", 1, add_intervals, look);
	print_warnings(out, s);
	print_facts(out, s);
	print_statuses(out, &s->overall);
	print_untimed(out, &s->overall);
}

/* The candidate's first, if it is another than the baseline's. */
static void add_clocks(struct kb_table *t, const struct kb_score_line *l)
{
	if (l->candidate_ns == KB_UNKNOWN || l->candidate_clock == l->clock)
		kb_table_add(t, kb_clock_name(l->clock));
	else
		kb_table_addf(t, "%s/%s", kb_clock_name(l->candidate_clock),
			      kb_clock_name(l->clock));
}

/* A record of before has no intervals, and marks nothing. */
static void format_speedup(char out[KB_FORMAT_SIZE],
			   const struct kb_score_line *l)
{
	if (l->has_intervals)
		kb_format_speedup(out, l->speedup_micro,
				  kb_interval_least_micro(l->baseline,
							  l->candidate),
				  kb_interval_most_micro(l->baseline,
							 l->candidate));
	else
		kb_format_ratio(out, l->speedup_micro);
}

static void add_candidate(struct kb_table *t, const struct kb_score *s,
			  const struct kb_score_line *l)
{
	char text[KB_FORMAT_SIZE], key[KB_KEY_SIZE];

	kb_key_format(key, l->key);
	kb_table_add(t, key);
	kb_table_addf(t, "%d", l->sample_id);
	kb_table_add(t, kb_status_name(l->status));
	kb_table_tint(t, l->status == KB_STATUS_CORRECT ? KB_TINT_GOOD
							: KB_TINT_BAD);
	kb_format_time(text, l->candidate_ns, l->candidate.low_ns,
		       l->candidate.high_ns);
	kb_table_add(t, text);
	kb_format_time(text, l->baseline_ns, l->baseline.low_ns,
		       l->baseline.high_ns);
	kb_table_add(t, text);
	if (kb_score_is_by_device(s))
		add_clocks(t, l);
	format_speedup(text, l);
	kb_table_add(t, text);
	kb_format_ratio(text, kb_has_drift(s) ? kb_drift_micro(l)
					      : KB_UNKNOWN);
	kb_table_add(t, text);
}

void kb_score_table_print_candidates(struct kb_buf *out,
				     const struct kb_score *s,
				     struct kb_look look)
{
	static const struct kb_column by_call[] = {
		{ "problem", KB_ALIGN_LEFT },
		{ "sample", KB_ALIGN_RIGHT },
		{ "status", KB_ALIGN_LEFT },
		{ "candidate", KB_ALIGN_RIGHT },
		{ "baseline", KB_ALIGN_RIGHT },
		{ "speedup", KB_ALIGN_RIGHT },
		{ "drift", KB_ALIGN_RIGHT },
	};
	static const struct kb_column by_device[] = {
		{ "problem", KB_ALIGN_LEFT },
		{ "sample", KB_ALIGN_RIGHT },
		{ "status", KB_ALIGN_LEFT },
		{ "candidate", KB_ALIGN_RIGHT },
		{ "baseline", KB_ALIGN_RIGHT },
		{ "clock", KB_ALIGN_LEFT },
		{ "speedup", KB_ALIGN_RIGHT },
		{ "drift", KB_ALIGN_RIGHT },
	};
	kb_auto(table) struct kb_table *t = kb_score_is_by_device(s) ?
		kb_table_new(by_device, KB_ARRAY_LEN(by_device)) :
		kb_table_new(by_call, KB_ARRAY_LEN(by_call));

	for (size_t i = 0; i < s->line_count; i++)
		add_candidate(t, s, &s->lines[i]);
	kb_table_set_keys(t, 3);
	kb_table_print(out, t, look);
}

void kb_score_table_print_mismatches(struct kb_buf *out,
				     const struct kb_mismatches *m)
{
	static const struct kb_column columns[] = {
		{ "field", KB_ALIGN_LEFT },
		{ "evaluation", KB_ALIGN_LEFT },
		{ "baseline", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	for (size_t i = 0; i < m->count; i++) {
		kb_table_add(t, m->items[i].field);
		kb_table_add(t, or_absent(m->items[i].left));
		kb_table_add(t, or_absent(m->items[i].right));
	}
	kb_table_print(out, t, KB_LOOK_PLAIN);
}
