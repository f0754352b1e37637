#include "pages/view_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "pages/view.h"
#include "score/metrics.h"
#include "score/speedup.h"
#include "score/times.h"

static struct kb_view_row *add_row(struct kb_view *v, struct kb_key key,
				   int sample_id)
{
	struct kb_view_row *r = &v->rows[v->row_count++];

	*r = (struct kb_view_row){
		.key = key, .sample_id = sample_id,
		.status = KB_STATUS_MISSING, .candidate_ns = KB_UNKNOWN,
		.candidate = KB_INTERVAL_INIT, .baseline_ns = KB_UNKNOWN,
		.baseline = KB_INTERVAL_INIT, .noise_micro = KB_UNKNOWN,
		.drift_micro = KB_UNKNOWN, .stated_ns = KB_UNKNOWN,
		.bound = KB_CLOCKED_BOUND_INIT,
		.speedup = { 0, 0, INT64_MAX },
	};
	if (v->lineage.suite)
		r->problem = kb_suite_find(v->lineage.suite, key);
	if (v->lineage.baseline)
		r->reference = kb_baseline_find(v->lineage.baseline, key);
	return r;
}

/* --- speedups --------------------------------------------------------- */

static void set_reach(struct kb_view_row *r, int64_t speedup_micro)
{
	r->has_speedup = true;
	r->speedup.speedup_micro = speedup_micro;
	r->speedup.low_micro = kb_interval_least_micro(r->baseline,
						       r->candidate);
	r->speedup.high_micro = kb_interval_most_micro(r->baseline,
						       r->candidate);
}

/* --- rows of a score -------------------------------------------------- */

static const struct kb_result *find_result(const struct kb_evaluation *e,
					   struct kb_key key, int sample_id)
{
	size_t count = 0;
	const struct kb_result *r = e ? kb_evaluation_find(e, key, &count)
				      : NULL;

	for (size_t i = 0; i < count; i++)
		if (r[i].sample_id == sample_id)
			return &r[i];
	return NULL;
}

static void add_judged(struct kb_view *v, const struct kb_score_line *l)
{
	struct kb_view_row *r = add_row(v, l->key, l->sample_id);

	r->is_judged = true;
	r->status = l->status;
	r->candidate_ns = l->candidate_ns;
	r->baseline_ns = l->baseline_ns;
	r->noise_micro = l->noise_micro;
	if (l->has_intervals) {
		r->candidate = l->candidate;
		r->baseline = l->baseline;
	}
	if (kb_has_drift(v->lineage.score))
		r->drift_micro = kb_drift_micro(l);
	if (l->status == KB_STATUS_CORRECT && l->speedup_micro != KB_UNKNOWN)
		set_reach(r, l->speedup_micro);
	r->result = find_result(v->lineage.evaluation, l->key, l->sample_id);
}

/* An evaluation may have several samples of a problem, of which a score judges
 * one. Pages show the others without counting them. */
static bool is_judged(const struct kb_score *s, const struct kb_result *r)
{
	size_t count;
	const struct kb_score_line *l =
		kb_key_find(s->lines, s->line_count, sizeof(*s->lines),
			    r->key, &count);

	for (size_t i = 0; l && i < count; i++)
		if (l[i].sample_id == r->sample_id)
			return true;
	return false;
}

/* --- rows of an evaluation -------------------------------------------- */

static void set_times(struct kb_view_row *r, const struct kb_timing *t,
		      const struct kb_timing *paired)
{
	if (!t)
		return;
	r->candidate_ns = t->time_ns;
	kb_times_interval(&r->candidate, t, paired, KB_INTERVAL_PPM);
}

/* Samples that a score does not judge, and all of what is no score. */
static struct kb_view_row *add_result(struct kb_view *v,
				      const struct kb_result *result,
				      enum kb_clock clock)
{
	const struct kb_session_times t = kb_session_times_of(result, clock);
	struct kb_view_row *r = add_row(v, result->key, result->sample_id);

	r->result = result;
	r->status = result->outcome.status;
	set_times(r, t.candidate, t.paired);
	return r;
}

static void divide_by_paired(struct kb_view_row *r, enum kb_clock clock)
{
	const struct kb_session_times t = kb_session_times_of(r->result, clock);

	if (!t.reference || t.reference->time_ns == KB_UNKNOWN)
		return;
	r->baseline_ns = t.reference->time_ns;
	kb_times_interval(&r->baseline, t.reference, NULL, KB_INTERVAL_PPM);
	r->noise_micro = kb_times_noise_micro(t.reference);
	if (r->status == KB_STATUS_CORRECT && r->candidate_ns != KB_UNKNOWN)
		set_reach(r, kb_ratio_micro(r->baseline_ns, r->candidate_ns));
}

static void add_results(struct kb_view *v)
{
	const struct kb_evaluation *e = v->lineage.evaluation;
	const enum kb_clock clock = kb_evaluation_clock(e);

	for (size_t i = 0; i < e->result_count; i++) {
		struct kb_view_row *r = add_result(v, &e->results[i], clock);

		/* As a score would: one of each problem. */
		r->is_judged = !i || kb_key_compare(e->results[i - 1].key,
						    e->results[i].key);
		divide_by_paired(r, clock);
	}
}

static void add_score(struct kb_view *v)
{
	const struct kb_score *s = v->lineage.score;
	const struct kb_evaluation *e = v->lineage.evaluation;
	const bool is_device = kb_json_text_is(s->definition, "clock",
					       kb_clock_name(KB_CLOCK_DEVICE));

	for (size_t i = 0; i < s->line_count; i++)
		add_judged(v, &s->lines[i]);
	for (size_t i = 0; e && i < e->result_count; i++)
		if (!is_judged(s, &e->results[i]))
			add_result(v, &e->results[i], is_device ?
				   KB_CLOCK_DEVICE : KB_CLOCK_CALL);
}

/* --- rows of a baseline ----------------------------------------------- */

static void add_references(struct kb_view *v)
{
	const struct kb_baseline *b = v->lineage.baseline;
	const enum kb_clock clock = kb_usual_clock(b);

	for (size_t i = 0; i < b->result_count; i++) {
		const struct kb_reference_result *ref = &b->results[i];
		struct kb_view_row *r = add_row(v, ref->key, 0);
		const struct kb_timing *t = kb_timing_by(
			kb_problem_clock(clock, ref->timing,
					 ref->device_timing),
			ref->timing, ref->device_timing);

		r->is_judged = true;
		r->status = ref->outcome.status;
		if (!t)
			continue;
		set_times(r, t, NULL);
		r->noise_micro = kb_times_noise_micro(t);
	}
}

/* --- what follows from rows ------------------------------------------- */

/* The SM clock while the candidate was timed; in a baseline, the reference. */
static int64_t sampled_mhz(const struct kb_view *v, const struct kb_view_row *r)
{
	if (v->lineage.kind == KB_KIND_BASELINE)
		return kb_device_timing_sm_clock_mhz(
			r->reference ? r->reference->device_timing : NULL);
	return kb_device_timing_sm_clock_mhz(
		r->result ? r->result->device_timing : NULL);
}

static void state_bounds(struct kb_view *v)
{
	for (size_t i = 0; i < v->row_count; i++) {
		struct kb_view_row *r = &v->rows[i];
		const struct kb_problem_facts *facts =
			r->problem ? r->problem->facts : NULL;

		r->stated_ns = kb_ceiling_bound(&v->ceiling, facts,
						KB_UNKNOWN).bound_ns;
		r->bound = kb_ceiling_bound(&v->ceiling, facts,
					    sampled_mhz(v, r));
	}
}

/* A bundle other than a score has no metrics, and is summed up here like a
 * score: by the same function, from lines that are filled in as far as it reads
 * them. */
static void sum_up(struct kb_view *v)
{
	kb_auto(mem) struct kb_verdict *verdicts =
		kb_xcalloc(v->row_count + 1, sizeof(*verdicts));
	size_t count = 0;

	for (size_t i = 0; i < v->row_count; i++) {
		const struct kb_view_row *r = &v->rows[i];
		struct kb_verdict *o = &verdicts[count];

		if (!r->is_judged)
			continue;
		count++;
		o->line = (struct kb_score_line)KB_SCORE_LINE_INIT;
		o->line.key = r->key;
		o->line.status = r->status;
		o->line.candidate_ns = r->candidate_ns;
		o->line.baseline_ns = r->baseline_ns;
		o->line.has_intervals = true;
		o->line.candidate = r->candidate;
		o->line.baseline = r->baseline;
		o->compiled = r->result &&
			kb_status_compiled(r->status, r->result->outcome.phase);
	}
	kb_metrics_of(&v->metrics, verdicts, count);
}

static int compare_rows(const void *a, const void *b)
{
	const struct kb_view_row *x = a, *y = b;

	return kb_sample_compare(x->key, x->sample_id, y->key, y->sample_id);
}

void kb_view_make_rows(struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;
	const size_t most_rows = (l->score ? l->score->line_count : 0) +
		(l->evaluation ? l->evaluation->result_count : 0) +
		(l->baseline ? l->baseline->result_count : 0);

	v->rows = kb_xcalloc(most_rows + 1, sizeof(*v->rows));
	if (!kb_kind_has_times(l->kind))
		return;
	if (l->kind == KB_KIND_SCORE)
		add_score(v);
	else if (l->kind == KB_KIND_EVALUATION)
		add_results(v);
	else
		add_references(v);
	qsort(v->rows, v->row_count, sizeof(*v->rows), compare_rows);
	state_bounds(v);
	if (l->kind != KB_KIND_SCORE)
		sum_up(v);
}
