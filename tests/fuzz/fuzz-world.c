/*
 * Any bytes as records that belong together: a suite, a baseline, an evaluation
 * and an audit, each a record in one line, its lines, and an empty line. What is
 * well formed is asked what kb-verify asks of it, judged by a preset, and
 * shown in tables, whatever numbers it has; and a score that comes of it is one
 * that a reader takes, and is the same when it is judged again.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "fuzz/numbers.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/lines.h"
#include "manifest/score.h"
#include "manifest/suite.h"
#include "manifest/tool.h"
#include "measure/time_rule.h"
#include "score/judge.h"
#include "score/preset.h"
#include "tables/audit_table.h"
#include "tables/evaluation_table.h"
#include "tables/score_table.h"
#include "verify/chain.h"
#include "verify/checks.h"
#include "verify/conditions.h"
#include "verify/derived.h"
#include "verify/lineage.h"
#include "verify/plausible.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One of each kind; later ones of a kind that is there are not looked at. */
struct world {
	struct kb_suite suite;
	struct kb_baseline baseline;
	struct kb_evaluation evaluation;
	struct kb_audit audit;
	bool has[KB_KIND_COUNT];
};

static const struct kb_suite *suite_of(const struct world *w)
{
	return w->has[KB_KIND_SUITE] ? &w->suite : NULL;
}

static void kb_cleanup_world(struct world *w)
{
	kb_suite_release(&w->suite);
	kb_baseline_release(&w->baseline);
	kb_evaluation_release(&w->evaluation);
	kb_audit_release(&w->audit);
}

/* --- reading: as kb_baseline_load() and so on, which read files -------- */

static int take_reference(void *into, const struct kb_json *line,
			  const char *where, struct kb_err *err)
{
	struct kb_baseline *b = into;
	struct kb_reference_result *r = &b->results[b->result_count];
	int ret;

	if (b->result_count == b->problem_count)
		return kb_err(err, KB_ERR_INPUT, "%s: one more", where);
	ret = kb_reference_result_from_json(r, line, where, err);
	if (ret < 0)
		return ret;
	b->result_count++;
	if (r->mode != b->mode ||
	    kb_key_compare(r->key, b->problems[b->result_count - 1]))
		return kb_err(err, KB_ERR_INPUT, "%s: of another", where);
	return 0;
}

static int read_baseline(struct kb_baseline *b, const struct kb_json *record,
			 const void *lines, size_t len)
{
	if (kb_baseline_from_json(b, record, "baseline", NULL) < 0)
		return -1;
	b->results = kb_xcalloc(b->problem_count, sizeof(*b->results));
	if (kb_lines_parse(lines, len, "lines", take_reference, b, NULL) < 0 ||
	    b->result_count != b->problem_count) {
		kb_baseline_release(b);
		return -1;
	}
	return 0;
}

static int take_audited(void *into, const struct kb_json *line,
			const char *where, struct kb_err *err)
{
	struct kb_audit *a = into;
	int ret;

	if (a->line_count == a->problem_count)
		return kb_err(err, KB_ERR_INPUT, "%s: one more", where);
	ret = kb_audit_line_from_json(&a->lines[a->line_count], line, where,
				      err);
	if (ret < 0)
		return ret;
	a->line_count++;
	if (kb_key_compare(a->lines[a->line_count - 1].key,
			   a->problems[a->line_count - 1]))
		return kb_err(err, KB_ERR_INPUT, "%s: of another", where);
	return 0;
}

static int read_audit(struct kb_audit *a, const struct kb_json *record,
		      const void *lines, size_t len)
{
	if (kb_audit_from_json(a, record, "audit", NULL) < 0)
		return -1;
	a->lines = kb_xcalloc(a->problem_count, sizeof(*a->lines));
	if (kb_lines_parse(lines, len, "lines", take_audited, a, NULL) == 0 &&
	    a->line_count == a->problem_count)
		return 0;
	kb_audit_release(a);
	return -1;
}

struct results {
	struct kb_evaluation *e;
	size_t capacity;
};

static void keep_result(void *into, struct kb_result *r)
{
	struct results *results = into;
	struct kb_evaluation *e = results->e;

	e->results = kb_grow(e->results, e->result_count, &results->capacity,
			     sizeof(*e->results));
	e->results[e->result_count++] = *r;
	*r = (struct kb_result)KB_RESULT_INIT;
}

static int read_evaluation(struct kb_evaluation *e,
			   const struct kb_json *record, const void *lines,
			   size_t len)
{
	struct results results = { .e = e };

	if (kb_evaluation_from_json(e, record, "evaluation", NULL) < 0)
		return -1;
	if (kb_evaluation_parse_results(e, lines, len, keep_result, &results,
					NULL) == 0)
		return 0;
	kb_evaluation_release(e);
	return -1;
}

static void read_one(struct world *w, const char *kind,
		     const struct kb_json *record, const char *lines, size_t len)
{
	if (!strcmp(kind, "suite") && !w->has[KB_KIND_SUITE])
		w->has[KB_KIND_SUITE] = kb_suite_from_json(&w->suite, record,
							   "suite", NULL) == 0;
	else if (!strcmp(kind, "baseline") && !w->has[KB_KIND_BASELINE])
		w->has[KB_KIND_BASELINE] = read_baseline(&w->baseline, record,
							 lines, len) == 0;
	else if (!strcmp(kind, "evaluation") && !w->has[KB_KIND_EVALUATION])
		w->has[KB_KIND_EVALUATION] = read_evaluation(
			&w->evaluation, record, lines, len) == 0;
	else if (!strcmp(kind, "audit") && !w->has[KB_KIND_AUDIT])
		w->has[KB_KIND_AUDIT] = read_audit(&w->audit, record, lines,
						   len) == 0;
}

/* A record's line, its lines, and behind them an empty one, or the end. */
static void read_bundle(struct world *w, const char *text, size_t len)
{
	const char *eol = memchr(text, '\n', len);
	kb_auto(json) struct kb_json *record = NULL;
	const struct kb_json *kind;

	if (!eol || kb_json_parse(&record, text, (size_t)(eol - text),
				  KB_JSON_CANONICAL, "record", NULL) < 0)
		return;
	kind = kb_json_find(record, "kind");
	if (kind && kb_json_type(kind) == KB_JSON_STRING)
		read_one(w, kb_json_string_value(kind), record, eol + 1,
			 len - (size_t)(eol + 1 - text));
}

static void read_world(struct world *w, const char *text, size_t len)
{
	while (len) {
		const char *gap = memmem(text, len, "\n\n", 2);
		const size_t here = gap ? (size_t)(gap - text) + 1 : len;

		read_bundle(w, text, here);
		text += gap ? here + 1 : here;
		len -= gap ? here + 1 : here;
	}
}

/* --- asking ------------------------------------------------------------ */

static void ask_baseline(const struct kb_baseline *b,
			 const struct kb_suite *suite)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

	kb_chain_check_problems(&c, &(struct kb_selection){
		b->problems, b->problem_count, b->conditions.options }, suite);
	kb_chain_check_mode(&c, b);
	kb_conditions_verify(&c, &b->conditions, KB_KIND_BASELINE);
	kb_derived_check_baseline(&c, b, suite);
	kb_plausible_check_baseline(&c, b, suite);
	must(c.count > 0);
}

static void ask_evaluation(const struct kb_evaluation *e,
			   const struct kb_suite *suite)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_derived_lines derived;
	struct kb_plausible_lines plausible;

	kb_chain_check_problems(&c, &(struct kb_selection){
		e->problems, e->problem_count, e->conditions.options }, suite);
	kb_conditions_verify(&c, &e->conditions, KB_KIND_EVALUATION);
	kb_derived_lines_begin(&derived, &e->conditions, suite);
	kb_plausible_lines_begin(&plausible, e, suite);
	for (size_t i = 0; i < e->result_count; i++) {
		kb_derived_lines_take(&derived, &e->results[i]);
		kb_plausible_lines_take(&plausible, &e->results[i]);
		kb_plausible_lines_take_seeds(&plausible, &e->results[i]);
	}
	kb_derived_lines_end(&derived, &c);
	kb_plausible_lines_end(&plausible, &c);
	must(c.count > 0);
}

/* --- times ------------------------------------------------------------- */

/* False if a record cannot hold what comes of the samples. */
static bool decide(struct kb_timing *t, const struct kb_timing *reference)
{
	if (!t)
		return true;
	kb_time_decide(t, reference);
	must(kb_time_follows(t, reference));
	return t->time_ns <= KB_JSON_INT_MAX &&
	       t->low_ns >= -KB_JSON_INT_MAX && t->high_ns <= KB_JSON_INT_MAX;
}

static struct kb_timing *timing_of(struct kb_device_timing *d)
{
	return d ? d->timing : NULL;
}

static void tell_device_ns(struct kb_timing *call, struct kb_device_timing *d)
{
	if (call && call->device_ns != KB_UNKNOWN && timing_of(d))
		call->device_ns = d->timing->time_ns;
}

/* No fuzzer guesses what follows from samples, so it is made right. */
static bool decide_result(struct kb_result *r)
{
	struct kb_timing *device = timing_of(r->device_timing);
	struct kb_timing *paired = timing_of(r->reference_device_timing);

	if (!decide(device, paired) || !decide(paired, NULL))
		return false;
	tell_device_ns(r->timing, r->device_timing);
	tell_device_ns(r->reference_timing, r->reference_device_timing);
	return decide(r->timing, r->reference_timing) &&
	       decide(r->reference_timing, NULL);
}

static bool decide_reference(struct kb_reference_result *r)
{
	if (!decide(timing_of(r->device_timing), NULL))
		return false;
	tell_device_ns(r->timing, r->device_timing);
	return decide(r->timing, NULL);
}

static bool decide_times(struct world *w)
{
	bool fits = true;

	for (size_t i = 0; i < w->baseline.result_count; i++)
		fits &= decide_reference(&w->baseline.results[i]);
	for (size_t i = 0; i < w->evaluation.result_count; i++)
		fits &= decide_result(&w->evaluation.results[i]);
	return fits;
}

/* --- judging ----------------------------------------------------------- */

static void print_score(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(json) struct kb_json *v = kb_score_to_json(s);

	kb_json_print(out, v);
	for (size_t i = 0; i < s->line_count; i++)
		kb_lines_add(out, kb_score_line_to_json(&s->lines[i]));
}

static void check_readable(const struct kb_score *s)
{
	kb_auto(score) struct kb_score read = KB_SCORE_INIT;
	kb_auto(json) struct kb_json *v = kb_score_to_json(s);
	kb_auto(json) struct kb_json *again = NULL;
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT, after = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	must(kb_score_from_json(&read, v, "score", &err) == 0);
	again = kb_score_to_json(&read);
	kb_json_print(&before, v);
	kb_json_print(&after, again);
	must(!strcmp(before.data, after.data));
}

static void check_again(const struct kb_score *s,
			const struct kb_judge_input *in)
{
	kb_auto(score) struct kb_score again = KB_SCORE_INIT;
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT, after = KB_BUF_INIT;

	must(kb_judge_again(&again, s, in, NULL) == 0);
	print_score(&before, s);
	print_score(&after, &again);
	must(!strcmp(before.data, after.data));
}

/* The parents are what it was made from, so that kb-verify has to find nothing. */
static void check_parents(struct kb_score *s, struct world *w)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_lineage l = KB_LINEAGE_INIT;

	l.kind = KB_KIND_SCORE;
	l.score = s;
	l.evaluation = &w->evaluation;
	l.baseline = &w->baseline;
	kb_chain_check(&c, &l);
	must(kb_checks_count(&c, "same_suite", KB_ANSWER_OK) == 1);
	must(!kb_checks_count(&c, "match_keys", KB_ANSWER_NO));
}

static void judge_by(const struct kb_judge_input *in, struct world *w)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_judge(&s, &refused, in, &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		kb_score_table_print_mismatches(&out, &refused);
		return;
	}
	check_readable(&s);
	check_again(&s, in);
	check_parents(&s, w);
	kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
	kb_score_table_print_candidates(&out, &s, KB_LOOK_PLAIN);
	must(out.len > 0);
}

/* The parents are taken to be of one suite. By which preset and clock is drawn
 * from the `size` of the input: all of them would take eight times as long. */
static void judge(struct world *w, size_t size)
{
	kb_auto(json) struct kb_json *tool = kb_tool_json("kb-score");
	const size_t presets = KB_PRESET_COUNT - KB_PRESET_KB;

	w->baseline.suite = w->evaluation.suite;
	judge_by(&(struct kb_judge_input){
		.evaluation = &w->evaluation, .baseline = &w->baseline,
		.suite = suite_of(w), .tool = tool,
		.choice = {
			.preset = KB_PRESET_KB + (enum kb_preset)(size % presets),
			.clock = (enum kb_clock)(size / presets % KB_CLOCK_COUNT),
		},
	}, w);
}

static bool are_of(const struct kb_audit *a, const struct kb_suite *suite)
{
	for (size_t i = 0; suite && i < a->problem_count; i++)
		if (!kb_suite_find(suite, a->problems[i]))
			return false;
	return suite != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(world) struct world w = {
		.suite = KB_SUITE_INIT, .baseline = KB_BASELINE_INIT,
		.evaluation = KB_EVALUATION_INIT, .audit = KB_AUDIT_INIT,
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	read_world(&w, (const char *)data, size);
	if (w.has[KB_KIND_BASELINE])
		ask_baseline(&w.baseline, suite_of(&w));
	if (w.has[KB_KIND_EVALUATION]) {
		ask_evaluation(&w.evaluation, suite_of(&w));
		kb_evaluation_table_print(&out, &w.evaluation, KB_LOOK_PLAIN);
	}
	if (w.has[KB_KIND_BASELINE] && w.has[KB_KIND_EVALUATION] &&
	    decide_times(&w)) {
		ask_evaluation(&w.evaluation, suite_of(&w));
		judge(&w, size);
	}
	if (w.has[KB_KIND_AUDIT] && are_of(&w.audit, suite_of(&w)))
		kb_audit_table_print(&out, &w.audit, &w.suite, KB_LOOK_PLAIN);
	if (w.has[KB_KIND_AUDIT])
		kb_audit_table_print_evidence(&out, &w.audit);
	return 0;
}
