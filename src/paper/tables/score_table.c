#include "tables/score_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/score.h"
#include "manifest/seeds.h"
#include "manifest/timing.h"
#include "score/metrics.h"
#include "score/preset.h"
#include "score/times.h"
#include "sheet/clock_note.h"
#include "sheet/format.h"
#include "sheet/in_place_note.h"
#include "sheet/noisy_note.h"
#include "sheet/sandbox_note.h"
#include "sheet/score_parts.h"
#include "sheet/stated_note.h"
#include "tables/certainty_table.h"
#include "tables/facts.h"
#include "tables/generation_table.h"
#include "tables/spent_lines.h"
#include "tables/table.h"


/* The counts that are also rates, in the order of rows. */
enum { ROW_COMPILED, ROW_CORRECT, ROW_FAST,
       ROW_COUNT = ROW_FAST + KB_FAST_COUNT };

static int64_t count_at(const struct kb_metrics *m, int row)
{
	switch (row) {
	case ROW_COMPILED:
		return m->compiled;
	case ROW_CORRECT:
		return m->correct;
	default:
		return m->fast[row - ROW_FAST];
	}
}

/* A rate is of all problems, unless the score's definition has its own. */
static void format_rate(char out[KB_FORMAT_SIZE], const struct kb_metrics *m,
			int row)
{
	const struct kb_shares *s = &m->shares;

	if (!m->has_shares)
		kb_format_pct(out, count_at(m, row), m->problems);
	else if (row == ROW_COMPILED)
		kb_format_pct(out, s->compiled.ppm, 1000000);
	else if (row == ROW_CORRECT)
		kb_format_pct(out, s->correct.ppm, 1000000);
	else
		kb_format_pct(out, s->fast[row - ROW_FAST].ppm, 1000000);
}

static bool is_preset(const struct kb_score *s, const char *name)
{
	const struct kb_json *v = kb_json_find(s->definition, "preset");

	return v && kb_json_type(v) == KB_JSON_STRING &&
	       !strcmp(kb_json_string_value(v), name);
}

/* Others show some of the rows, by names of their own. False, and nothing
 * added, for a row that is not shown. */
static bool add_fast_name(struct kb_table *t, const struct kb_score *s,
			  int p_milli)
{
	char p[KB_FORMAT_SIZE];

	kb_format_milli(p, p_milli);
	if (is_preset(s, "leaderboard")) {
		if (p_milli < 1000)
			return false;
		kb_table_addf(t, "Fast@%s", p);
	} else if (is_preset(s, "v3")) {
		if (p_milli != 1000)
			return false;
		kb_table_add(t, "beats baseline");
	} else {
		kb_table_addf(t, "fast_%s", p);
	}
	return true;
}

static bool add_row_name(struct kb_table *t, const struct kb_score *s, int row)
{
	switch (row) {
	case ROW_COMPILED:
		kb_table_add(t, "compiled");
		return true;
	case ROW_CORRECT:
		kb_table_add(t, "correct");
		return true;
	default:
		return add_fast_name(t, s, kb_fast_p_milli[row - ROW_FAST]);
	}
}

static void add_rates(struct kb_table *t, const struct kb_score *s, int row)
{
	if (!add_row_name(t, s, row))
		return;
	for (size_t i = 0; i < kb_score_part_count(s); i++) {
		const struct kb_metrics *m = kb_score_part(s, i);
		char pct[KB_FORMAT_SIZE];

		format_rate(pct, m, row);
		kb_table_addf(t, "%" PRId64, count_at(m, row));
		kb_table_add(t, pct);
	}
}

/* The least number of samples of a problem decides up to which k. So a level
 * has each that is there of all problems, but if it has no samples at all. */
static void add_pass_at_k(struct kb_table *t, const struct kb_score *s)
{
	for (size_t i = 0; i < s->overall.at_k_count; i++) {
		kb_table_addf(t, "pass@%d", s->overall.at_k[i].k);
		for (size_t j = 0; j < kb_score_part_count(s); j++) {
			const struct kb_metrics *m = kb_score_part(s, j);
			char pct[KB_FORMAT_SIZE] = "-";

			if (i < m->at_k_count)
				kb_format_pct(pct, m->at_k[i].pass.ppm,
					      1000000);
			kb_table_add(t, "");
			kb_table_add(t, pct);
		}
	}
}

static void add_metrics(struct kb_table *t, const struct kb_score *s)
{
	kb_table_add(t, "problems");
	for (size_t i = 0; i < kb_score_part_count(s); i++) {
		kb_table_addf(t, "%" PRId64, kb_score_part(s, i)->problems);
		kb_table_add(t, "");
	}

	for (int row = 0; row < ROW_COUNT; row++)
		add_rates(t, s, row);

	kb_table_add(t, "geomean");
	for (size_t i = 0; i < kb_score_part_count(s); i++) {
		const struct kb_metrics *m = kb_score_part(s, i);
		const int64_t untimed = kb_metrics_untimed(m);
		char speedup[KB_FORMAT_SIZE];

		kb_format_ratio(speedup, m->geomean_speedup_micro);
		kb_table_add(t, speedup);
		if (untimed)
			kb_table_addf(t, "%" PRId64 " untimed", untimed);
		else
			kb_table_add(t, "");
	}
	add_pass_at_k(t, s);
}

/* A pair of columns, count and rate, for each level and for all. */
static void print_metrics(struct kb_buf *out, const struct kb_score *s,
			  struct kb_look look)
{
	size_t pairs = kb_score_part_count(s), count = 1 + 2 * pairs;
	kb_auto(mem) char (*heads)[KB_FORMAT_SIZE] =
		kb_xcalloc(pairs, sizeof(*heads));
	kb_auto(mem) struct kb_column *columns =
		kb_xcalloc(count, sizeof(*columns));
	kb_auto(table) struct kb_table *t = NULL;

	columns[0] = (struct kb_column){ "", KB_ALIGN_LEFT };
	for (size_t i = 0; i < pairs; i++) {
		kb_score_part_head(heads[i], s, i);
		columns[1 + 2 * i] =
			(struct kb_column){ heads[i], KB_ALIGN_RIGHT };
		columns[2 + 2 * i] = (struct kb_column){ "", KB_ALIGN_RIGHT };
	}

	t = kb_table_new(columns, count);
	add_metrics(t, s);
	kb_table_print(out, t, look);
}

/* Below the table each line has a name and what it says. */
#define NAME_WIDTH KB_FACT_NAME_WIDTH
#define SHOWN_DIGITS 12		/* of an id, for people */

static void print_name(struct kb_buf *out, const char *name)
{
	kb_buf_addf(out, "%-*s", NAME_WIDTH, name);
}

static void print_text(struct kb_buf *out, const char *name,
		       const struct kb_json *object, const char *key)
{
	const struct kb_json *v = kb_json_find(object, key);

	print_name(out, name);
	if (v && kb_json_type(v) == KB_JSON_STRING)
		kb_format_text(out, kb_json_string_value(v));
	else
		kb_buf_addstr(out, "not recorded");
	kb_buf_addch(out, '\n');
}

/* Nothing without the submission, which is what says it. */
static void print_model(struct kb_buf *out, const struct kb_score *s)
{
	if (!s->has_model)
		return;
	print_name(out, "model");
	kb_format_text(out, kb_score_model_text(s));
	kb_buf_addch(out, '\n');
}

static void print_id(struct kb_buf *out, const char *name,
		     const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	print_name(out, name);
	kb_buf_addf(out, "%.*s\n", SHOWN_DIGITS, hex);
}

/* What `print` says of the score, which may be words of a record. */
static void print_note(struct kb_buf *out, const char *name,
		       const struct kb_score *s,
		       void (*print)(struct kb_buf *, const struct kb_score *))
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	print(&text, s);
	print_name(out, name);
	kb_format_text(out, text.data);
	kb_buf_addch(out, '\n');
}

static void print_noise(struct kb_buf *out, const struct kb_score *s)
{
	struct kb_spread spread;

	kb_noise_of(&spread, s->lines, s->line_count);
	kb_spread_print(out, &spread, "no reference has enough trials");
}

static void print_noisy(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;

	kb_noisy_note_print(&note, s);
	if (note.len)
		kb_fact_print(out, "WARNING", "%s", note.data);
}

static void print_drift(struct kb_buf *out, const struct kb_score *s)
{
	print_note(out, "drift", s, kb_drift_print);
	if (s->has_drifted)
		print_note(out, "WARNING", s, kb_drift_warning_print);
	if (s->overall.has_certainty)
		print_note(out, "noise", s, print_noise);
	print_noisy(out, s);
}

static const char *or_absent(const char *text)
{
	return text ? text : "(absent)";
}

static void print_allowed(struct kb_buf *out, const struct kb_score *s)
{
	print_name(out, "mismatches");
	if (!s->allowed.count)
		kb_buf_addstr(out, "none");
	for (size_t i = 0; i < s->allowed.count; i++) {
		const struct kb_mismatch *m = &s->allowed.items[i];

		kb_buf_addstr(out, i ? "; " : "ALLOWED ");
		kb_format_text(out, m->field);
		kb_buf_addstr(out, ": evaluation '");
		kb_format_text(out, or_absent(m->left));
		kb_buf_addstr(out, "', baseline '");
		kb_format_text(out, or_absent(m->right));
		kb_buf_addch(out, '\'');
	}
	kb_buf_addch(out, '\n');
}

static void print_statuses(struct kb_buf *out, const struct kb_metrics *m)
{
	const char *separator = "";

	print_name(out, "statuses");
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

	if (!untimed)
		return;
	print_name(out, "untimed");
	kb_buf_addf(out, "%" PRId64 " correct without a speedup\n", untimed);
}

/* Of a CPU there is no choice. */
static void print_clock(struct kb_buf *out, const struct kb_score *s)
{
	const struct kb_json *kind = kb_json_find(s->match_key, "device.kind");
	const bool is_cuda = kind && kb_json_type(kind) == KB_JSON_STRING &&
			     !strcmp(kb_json_string_value(kind), "cuda");

	if (!is_cuda)
		return;
	print_name(out, "clock");
	kb_clock_note_print(out, s);
	kb_buf_addch(out, '\n');
}

/* Without a list the evaluation was under one seed. */
static size_t seed_count(const struct kb_score *s)
{
	const struct kb_json *list = kb_json_find(s->definition, "seeds");
	struct kb_seeds seeds;

	if (!list || kb_json_type(list) != KB_JSON_STRING ||
	    kb_seeds_parse(&seeds, kb_json_string_value(list), NULL) < 0)
		return 1;
	return seeds.count;
}

/* Said where the preset looks at them. */
static void print_seeds(struct kb_buf *out, const struct kb_score *s)
{
	const size_t count = seed_count(s);
	const struct kb_rules *rules;
	struct kb_choice choice;

	if (kb_preset_read(&choice, s->definition, NULL) < 0)
		return;
	rules = kb_preset_rules(choice.preset);
	if (!rules->seeds_wanted)
		return;
	if (count > 1)
		print_text(out, "seeds", s->definition, "seeds");
	if (count >= rules->seeds_wanted)
		return;
	print_name(out, "WARNING");
	kb_buf_addf(out, "correct is under %zu seed%s, and %s wants %zu\n",
		    count, count == 1 ? "" : "s", rules->name,
		    rules->seeds_wanted);
}

static void print_in_place(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;

	kb_in_place_note_print(&note, s);
	if (!note.len)
		return;
	print_name(out, "WARNING");
	kb_buf_addf(out, "%s\n", note.data);
}

static void print_sandbox(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(buf) struct kb_buf mode = KB_BUF_INIT;

	kb_sandbox_note_print(&mode, s);
	if (!strcmp(mode.data, KB_SANDBOX_USUAL))
		return;
	print_name(out, "sandbox");
	kb_buf_addf(out, "%s\n", mode.data);
}

static void print_spent(struct kb_buf *out, const struct kb_score *s)
{
	if (!s->has_spent)
		return;
	kb_spent_lines_print(out, NAME_WIDTH, &s->spent, &s->overall);
	print_id(out, "generation", &s->spent.generation);
}

void kb_score_table_print(struct kb_buf *out, const struct kb_score *s,
			  struct kb_look look)
{
	print_metrics(out, s, look);
	kb_buf_addch(out, '\n');
	if (s->overall.has_certainty) {
		kb_certainty_table_print(out, s, look);
		kb_buf_addch(out, '\n');
	}
	print_text(out, "device", s->match_key, "device.kind");
	if (kb_json_find(s->match_key, "gpu.name"))
		print_text(out, "gpu", s->match_key, "gpu.name");
	print_text(out, "cpu", s->match_key, "cpu.model");
	print_text(out, "mode", s->definition, "baseline_mode");
	if (kb_json_find(s->definition, "preset"))
		print_text(out, "preset", s->definition, "preset");
	print_clock(out, s);
	print_seeds(out, s);
	print_in_place(out, s);
	print_sandbox(out, s);
	print_model(out, s);
	print_spent(out, s);
	print_id(out, "evaluation", &s->evaluation);
	print_id(out, "baseline", &s->baseline);
	print_drift(out, s);
	print_allowed(out, s);
	print_note(out, "sound", s, kb_sound_print);
	print_note(out, "selected", s, kb_selected_print);
	print_note(out, "tolerance", s, kb_tolerance_print);
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
