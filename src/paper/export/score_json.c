#include "export/score_json.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "export/foreign_json.h"
#include "json/json.h"
#include "manifest/metrics.h"
#include "manifest/score.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

#define MICRO 1e6
#define NS_PER_MS 1e6

static void print_notes(struct kb_foreign_json *j,
			const struct kb_score_sheet *s)
{
	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		const enum kb_note note = (enum kb_note)i;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_note_print(&text, s, note);
		kb_foreign_json_string(j, kb_note_name(note), text.data);
	}
}

static void print_warnings(struct kb_foreign_json *j, const struct kb_score *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_warnings_of(&w, s);
	kb_foreign_json_open(j, "warnings", '[');
	for (size_t i = 0; i < w.count; i++)
		kb_foreign_json_string(j, NULL, w.texts[i]);
	kb_foreign_json_close(j, ']');
}

/* It is flat. */
static void print_definition(struct kb_foreign_json *j,
			     const struct kb_score *s)
{
	kb_foreign_json_open(j, "definition", '{');
	for (const struct kb_json *v = kb_json_first(s->definition); v;
	     v = kb_json_next(v)) {
		if (kb_json_type(v) == KB_JSON_STRING)
			kb_foreign_json_string(j, kb_json_key(v),
					       kb_json_string_value(v));
		else if (kb_json_type(v) == KB_JSON_INT)
			kb_foreign_json_int(j, kb_json_key(v),
					    kb_json_int_value(v));
		else
			kb_foreign_json_bool(j, kb_json_key(v),
					     kb_json_bool_value(v));
	}
	kb_foreign_json_close(j, '}');
}

/* A count, and what share that is by the score's definition. */
static void print_share(struct kb_foreign_json *j,
			const struct kb_sheet_row *row,
			const struct kb_sheet_cell *c)
{
	struct kb_share of_all;

	kb_share_of(&of_all, c->part, c->whole);
	kb_foreign_json_open(j, row->name, '{');
	kb_foreign_json_int(j, "count", c->value);
	kb_foreign_json_share(j, "share", c->share ? c->share : &of_all);
	if (c->has_interval) {
		kb_foreign_json_int(j, "certain", c->low);
		kb_foreign_json_int(j, "undecided", c->high - c->low);
	}
	kb_foreign_json_close(j, '}');
	kb_share_release(&of_all);
}

static void print_mean(struct kb_foreign_json *j,
		       const struct kb_sheet_cell *c, bool has_certainty)
{
	kb_foreign_json_int(j, "untimed", c->untimed);
	kb_foreign_json_scaled(j, "geomean_speedup", c->value, MICRO);
	if (!has_certainty)
		return;
	kb_foreign_json_scaled(j, "geomean_speedup_low", c->low, MICRO);
	kb_foreign_json_scaled(j, "geomean_speedup_high", c->high, MICRO);
}

static void print_at_k(struct kb_foreign_json *j, const struct kb_metrics *m)
{
	kb_foreign_json_open(j, "pass_at_k", '{');
	for (size_t i = 0; i < m->at_k_count; i++) {
		kb_auto(mem) char *k = kb_xasprintf("%d", m->at_k[i].k);

		kb_foreign_json_share(j, k, &m->at_k[i].pass);
	}
	kb_foreign_json_close(j, '}');
}

static void print_part(struct kb_foreign_json *j,
		       const struct kb_score_sheet *s, size_t part)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_TABLE);
	const struct kb_metrics *m = kb_sheet_part(s, part);
	kb_auto(buf) struct kb_buf level = KB_BUF_INIT;

	kb_sheet_part_print(&level, s, part);
	kb_foreign_json_open(j, NULL, '{');
	kb_foreign_json_string(j, "level", level.data);
	for (size_t i = 0; i < rows.count; i++) {
		const struct kb_sheet_row *row = &rows.items[i];
		const struct kb_sheet_cell c = kb_sheet_cell(s, part, row);

		if (row->kind == KB_ROW_COUNT)
			kb_foreign_json_int(j, row->name, c.value);
		else if (row->kind == KB_ROW_SHARE)
			print_share(j, row, &c);
		else
			print_mean(j, &c, m->has_certainty);
	}
	if (m->has_certainty)
		print_at_k(j, m);
	kb_foreign_json_close(j, '}');
}

static void print_candidate(struct kb_foreign_json *j,
			    const struct kb_score_line *l, const char *backend)
{
	kb_foreign_json_open(j, NULL, '{');
	kb_foreign_json_int(j, "level", l->key.level);
	kb_foreign_json_int(j, "problem_id", l->key.problem_id);
	kb_foreign_json_int(j, "sample_id", l->sample_id);
	kb_foreign_json_string(j, "status", kb_status_name(l->status));
	if (backend)
		kb_foreign_json_string(j, "backend", backend);
	kb_foreign_json_scaled(j, "candidate_ms", l->candidate_ns, NS_PER_MS);
	kb_foreign_json_scaled(j, "baseline_ms", l->baseline_ns, NS_PER_MS);
	kb_foreign_json_scaled(j, "reference_ms", l->reference_ns, NS_PER_MS);
	kb_foreign_json_scaled(j, "speedup", l->speedup_micro, MICRO);
	kb_foreign_json_close(j, '}');
}

void kb_score_json_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	struct kb_foreign_json j = { .out = out };

	kb_foreign_json_open(&j, NULL, '{');
	print_notes(&j, s);
	print_warnings(&j, s->score);
	print_definition(&j, s->score);
	if (s->score->has_drifted)
		kb_foreign_json_scaled(&j, "baseline_drift",
				       s->score->drift.median_micro, MICRO);
	kb_foreign_json_open(&j, "rows", '[');
	for (size_t part = 0; part < kb_sheet_part_count(s); part++)
		print_part(&j, s, part);
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_open(&j, "candidates", '[');
	for (size_t i = 0; i < s->score->line_count; i++)
		print_candidate(&j, &s->score->lines[i],
				s->backends ? s->backends[i] : NULL);
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_close(&j, '}');
}
