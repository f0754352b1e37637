/* Judging results that come one after the other and go again. */

#include "score/judge.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/result.h"
#include "measure/time_rule.h"

/* Five trials of `ns` a call. */
static struct kb_timing *timing_of(int64_t ns)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_CALL, 1, 11);

	for (int i = 0; i < 5; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 500 + ns);
		kb_timing_add(t, KB_SERIES_LARGE, 500 + 11 * ns + i);
	}
	kb_time_decide(t, NULL);
	return t;
}

struct planned {
	struct kb_key key;
	int sample_id;
	int64_t ns;			/* 0: it is wrong */
};

static void make_result(struct kb_result *r, const struct planned *p)
{
	*r = (struct kb_result)KB_RESULT_INIT;
	r->key = p->key;
	r->sample_id = p->sample_id;
	r->outcome.status = p->ns ? KB_STATUS_CORRECT : KB_STATUS_MISMATCH;
	r->outcome.phase = p->ns ? KB_PHASE_NONE : KB_PHASE_RUN;
	r->timing = p->ns ? timing_of(p->ns) : NULL;
	r->reference_timing = timing_of(2000);
}

/* 1/2 has samples and not the one that is judged, 2/1 has no baseline; 4/1 is
 * none of the leaderboard's. */
static const struct planned plan[] = {
	{ { 1, 1 }, 0, 1000 }, { { 1, 1 }, 1, 0 }, { { 1, 1 }, 2, 4000 },
	{ { 1, 2 }, 1, 1500 }, { { 2, 1 }, 0, 3000 }, { { 4, 1 }, 0, 2500 },
};

static struct kb_key selected[] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 4, 1 } };
static struct kb_key timed[] = { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 4, 1 } };

/* An evaluation without results, and its baseline. */
struct parents {
	struct kb_evaluation evaluation;
	struct kb_baseline baseline;
	struct kb_json *tool, *match_key;
	struct kb_judge_input in;
};

static void start(struct parents *p, enum kb_preset preset)
{
	*p = (struct parents){ .evaluation = KB_EVALUATION_INIT,
			       .baseline = KB_BASELINE_INIT };
	p->tool = kb_json_object();
	p->match_key = kb_json_object();
	p->evaluation.conditions.match_key = p->match_key;
	p->evaluation.problems = selected;
	p->evaluation.problem_count = KB_ARRAY_LEN(selected);
	p->baseline.conditions.match_key = p->match_key;
	p->baseline.problems = timed;
	p->baseline.problem_count = KB_ARRAY_LEN(timed);
	p->baseline.results = kb_xcalloc(KB_ARRAY_LEN(timed),
					 sizeof(*p->baseline.results));
	p->baseline.result_count = KB_ARRAY_LEN(timed);
	for (size_t i = 0; i < KB_ARRAY_LEN(timed); i++) {
		struct kb_reference_result *r = &p->baseline.results[i];

		*r = (struct kb_reference_result)KB_REFERENCE_RESULT_INIT;
		r->key = timed[i];
		r->outcome.status = KB_STATUS_TIMED;
		r->timing = timing_of(2000);
	}
	p->in = (struct kb_judge_input){
		.evaluation = &p->evaluation, .baseline = &p->baseline,
		.tool = p->tool, .choice = { .preset = preset },
	};
}

static void kb_cleanup_parents(struct parents *p)
{
	for (size_t i = 0; i < p->baseline.result_count; i++)
		kb_reference_result_release(&p->baseline.results[i]);
	free(p->baseline.results);
	kb_json_free(p->tool);
	kb_json_free(p->match_key);
}

/* Each is gone before the next comes. */
static int judge_one_by_one(struct kb_score *s, const struct parents *p,
			    const struct planned results[], size_t count,
			    struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(judging) struct kb_judging *j = NULL;

	check_int(kb_judging_begin(&j, &refused, &p->in, NULL), 0);
	for (size_t i = 0; i < count; i++) {
		struct kb_result r;

		make_result(&r, &results[i]);
		kb_judging_take(j, &r);
		kb_result_release(&r);
	}
	return kb_judging_end(j, s, err);
}

static void print(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(json) struct kb_json *v = kb_score_to_json(s);

	kb_json_print(out, v);
	for (size_t i = 0; i < s->line_count; i++) {
		kb_auto(json) struct kb_json *line =
			kb_score_line_to_json(&s->lines[i]);

		kb_json_print(out, line);
	}
}

static void test_no_results_are_all_missing(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(parents) struct parents p;

	start(&p, KB_PRESET_KB);
	check_int(judge_one_by_one(&s, &p, NULL, 0, NULL), 0);
	check_int(s.line_count, 4);
	check_int(s.overall.status_counts[KB_STATUS_MISSING], 4);
	check_int(s.lines[0].baseline_ns, 2000);
	check(s.lines[2].baseline_ns == KB_UNKNOWN);
	kb_score_release(&s);

	p.evaluation.problem_count = 0;
	check_int(judge_one_by_one(&s, &p, NULL, 0, NULL), 0);
	check_int(s.line_count, 0);
	check_int(s.overall.problems, 0);
}

static void test_one_by_one_and_all_at_once_are_the_same(void)
{
	struct kb_result all[KB_ARRAY_LEN(plan)];

	for (size_t i = 0; i < KB_ARRAY_LEN(plan); i++)
		make_result(&all[i], &plan[i]);
	for (int preset = 0; preset < KB_PRESET_COUNT; preset++) {
		kb_auto(mismatches) struct kb_mismatches refused =
			KB_MISMATCHES_INIT;
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf want = KB_BUF_INIT;
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;
		kb_auto(score) struct kb_score at_once = KB_SCORE_INIT;
		kb_auto(parents) struct parents p;

		start(&p, preset);
		check_int(judge_one_by_one(&s, &p, plan, KB_ARRAY_LEN(plan),
					   NULL), 0);
		p.evaluation.results = all;
		p.evaluation.result_count = KB_ARRAY_LEN(all);
		check_int(kb_judge(&at_once, &refused, &p.in, NULL), 0);
		print(&got, &s);
		print(&want, &at_once);
		check_str(got.data, want.data);
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++)
		kb_result_release(&all[i]);
}

static void test_only_what_counts_is_counted(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(parents) struct parents p;

	start(&p, KB_PRESET_KB);
	check_int(judge_one_by_one(&s, &p, plan, KB_ARRAY_LEN(plan), NULL),
		  0);
	check_int(s.line_count, 4);
	check_int(s.lines[0].candidate_ns, 1000);
	check_int(s.lines[0].speedup_micro, 2000000);
	check_int(s.lines[1].status, KB_STATUS_MISSING);
	check_int(s.lines[2].candidate_ns, 3000);
	check_int(s.lines[3].candidate_ns, 2500);
	/* Two of three, one of one, thrice: 11/12 of pass@1. */
	check_str(s.overall.at_k[0].pass.exact, "11/12");
	kb_score_release(&s);

	kb_cleanup_parents(&p);
	start(&p, KB_PRESET_LEADERBOARD);
	check_int(judge_one_by_one(&s, &p, plan, KB_ARRAY_LEN(plan), NULL),
		  0);
	check_int(s.line_count, 4);		/* 1/1 to 1/3, and 2/1 */
	check_int(s.lines[2].status, KB_STATUS_MISSING);
	check_int(s.lines[3].key.level, 2);
	check_int(s.overall.correct, 2);
}

/* In the order of problems, a baseline before those that are divided by it;
 * and only when all have been taken. */
static void test_the_first_that_is_wrong_is_said_at_the_end(void)
{
	static const struct {
		int baseline, candidate;	/* forged; -1: none */
		const char *message;
	} cases[] = {
		{ -1, 0, "candidate time of problem '1/1' does not follow from its samples" },
		{ -1, 3, "candidate time of problem '1/2' does not follow from its samples" },
		{ 0, 0, "baseline time of problem '1/1' does not follow from its samples" },
		{ 1, 0, "candidate time of problem '1/1' does not follow from its samples" },
		{ 1, 4, "baseline time of problem '1/2' does not follow from its samples" },
		{ 3, -1, "baseline time of problem '4/1' does not follow from its samples" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(mismatches) struct kb_mismatches refused =
			KB_MISMATCHES_INIT;
		kb_auto(judging) struct kb_judging *j = NULL;
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;
		kb_auto(parents) struct parents p;
		struct kb_err err = KB_ERR_INIT;

		start(&p, KB_PRESET_KB);
		if (cases[i].baseline >= 0)
			p.baseline.results[cases[i].baseline].timing
				->time_ns++;
		check_int(kb_judging_begin(&j, &refused, &p.in, &err), 0);
		for (int n = 0; n < (int)KB_ARRAY_LEN(plan); n++) {
			struct kb_result r;

			make_result(&r, &plan[n]);
			if (n == cases[i].candidate)
				r.timing->time_ns++;
			kb_judging_take(j, &r);
			kb_result_release(&r);
		}
		check_str(err.msg, "");
		check_int(kb_judging_end(j, &s, &err), -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

static void test_it_need_not_be_ended(void)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(parents) struct parents p;
	struct kb_judging *j = NULL;
	struct kb_result r;

	start(&p, KB_PRESET_KB);
	check_int(kb_judging_begin(&j, &refused, &p.in, NULL), 0);
	make_result(&r, &plan[0]);
	kb_judging_take(j, &r);
	kb_result_release(&r);
	kb_judging_free(j);
	kb_judging_free(NULL);
}

TAP_MAIN(TAP(test_no_results_are_all_missing),
	 TAP(test_one_by_one_and_all_at_once_are_the_same),
	 TAP(test_only_what_counts_is_counted),
	 TAP(test_the_first_that_is_wrong_is_said_at_the_end),
	 TAP(test_it_need_not_be_ended));
