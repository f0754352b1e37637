#include "score/speedup.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "measure/time_rule.h"
#include "score/judge.h"
#include "score/metrics.h"

/*
 * Just enough arithmetic to compare products exactly: a natural number in
 * base 2^64, lowest limb first, that can only be multiplied.
 */
#define LIMBS 256

struct product {
	uint64_t limbs[LIMBS];
	size_t count;
};

static void product_start(struct product *p)
{
	p->limbs[0] = 1;
	p->count = 1;
}

static void product_times(struct product *p, uint64_t factor)
{
	unsigned __int128 carry = 0;

	for (size_t i = 0; i < p->count; i++) {
		carry += (unsigned __int128)p->limbs[i] * factor;
		p->limbs[i] = (uint64_t)carry;
		carry >>= 64;
	}
	if (!carry)
		return;
	if (p->count == LIMBS)
		KB_BUG("product too large for the test");
	p->limbs[p->count++] = (uint64_t)carry;
}

static int product_compare(const struct product *a, const struct product *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (size_t i = a->count; i-- > 0;)
		if (a->limbs[i] != b->limbs[i])
			return a->limbs[i] < b->limbs[i] ? -1 : 1;
	return 0;
}

struct pair {
	int64_t baseline_ns, candidate_ns;
};

/*
 * The sign of twice_micro / (2 * 10^6) - mean, exactly: compares
 * twice_micro^n * prod(candidate) with (2 * 10^6)^n * prod(baseline).
 */
static int compare_with_mean(int64_t twice_micro, const struct pair pairs[],
			     size_t n)
{
	static struct product left, right;

	product_start(&left);
	product_start(&right);
	for (size_t i = 0; i < n; i++) {
		product_times(&left, (uint64_t)twice_micro);
		product_times(&left, (uint64_t)pairs[i].candidate_ns);
		product_times(&right, 2000000);
		product_times(&right, (uint64_t)pairs[i].baseline_ns);
	}
	return product_compare(&left, &right);
}

static int64_t geomean_of(const struct pair pairs[], size_t n)
{
	struct kb_geomean g = { 0 };

	for (size_t i = 0; i < n; i++)
		kb_geomean_add(&g, pairs[i].baseline_ns,
			       pairs[i].candidate_ns);
	return kb_geomean_micro(&g);
}

/* r - 1/2 <= 10^6 mean < r + 1/2, in exact integers. */
static void check_nearest(const struct pair pairs[], size_t n)
{
	int64_t micro = geomean_of(pairs, n);

	if (micro && compare_with_mean(2 * micro - 1, pairs, n) > 0)
		tap_fail("mean of %zu is less than %" PRId64 " - 1/2", n,
			 micro);
	if (compare_with_mean(2 * micro + 1, pairs, n) <= 0)
		tap_fail("mean of %zu is not less than %" PRId64 " + 1/2", n,
			 micro);
}

static const struct {
	int64_t over_ns, under_ns, micro;
} ratios[] = {
	{ 1, 1, 1000000 },
	{ 1, 3, 333333 },
	{ 2, 3, 666667 },
	{ 1, 2000000, 1 },		/* half a millionth: up */
	{ 1, 2000001, 0 },
	{ 3, 2000000, 2 },
	{ 1, KB_TIME_NS_MAX, 0 },
	{ KB_TIME_NS_MAX, KB_TIME_NS_MAX, 1000000 },
	{ KB_TIME_NS_MAX, 1000000, KB_TIME_NS_MAX },
	{ KB_TIME_NS_MAX, 999999, KB_SPEEDUP_MICRO_MAX },	/* cut */
	{ KB_TIME_NS_MAX, 1, KB_SPEEDUP_MICRO_MAX },
};

static void test_ratio_rounds_half_up_and_is_cut(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(ratios); i++)
		check_int(kb_ratio_micro(ratios[i].over_ns,
					 ratios[i].under_ns),
			  ratios[i].micro);
}

static void test_geomean_of_one_is_its_ratio(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(ratios); i++) {
		struct pair p = { ratios[i].over_ns, ratios[i].under_ns };

		check_int(geomean_of(&p, 1), ratios[i].micro);
	}
}

static const struct {
	size_t count;
	struct pair pairs[4];
	int64_t micro;
} means[] = {
	{ 2, { { 2, 1 }, { 1, 2 } }, 1000000 },
	{ 2, { { 4, 1 }, { 9, 1 } }, 6000000 },
	{ 3, { { 3, 1 }, { 3, 1 }, { 3, 1 } }, 3000000 },
	{ 4, { { 7, 5 }, { 7, 5 }, { 7, 5 }, { 7, 5 } }, 1400000 },
	{ 2, { { 2, 1 }, { 1, 1 } }, 1414214 },		/* sqrt(2) */
	{ 3, { { 1, 1 }, { 1, 1 }, { 2, 1 } }, 1259921 }, /* cbrt(2) */
	{ 2, { { KB_TIME_NS_MAX, 1 }, { 1, KB_TIME_NS_MAX } }, 1000000 },
	{ 2, { { 1, 2000000 }, { 1, 2000000 } }, 1 },	/* a tie, up */
};

static void test_geomean_of_known_ratios(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(means); i++)
		check_int(geomean_of(means[i].pairs, means[i].count),
			  means[i].micro);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void test_geomean_is_nearest_by_exact_arithmetic(void)
{
	uint64_t state = 88172645463325252u;

	for (int round = 0; round < 600; round++) {
		/* Times of up to `bits` bits: from all tiny to all huge. */
		int bits = 1 + round % 40;
		size_t n = 1 + next_random(&state) % 60;
		struct pair pairs[60];

		for (size_t i = 0; i < n; i++) {
			uint64_t mask = (UINT64_C(1) << bits) - 1;

			pairs[i].baseline_ns =
				1 + (int64_t)(next_random(&state) & mask);
			pairs[i].candidate_ns =
				1 + (int64_t)(next_random(&state) & mask);
		}
		check_nearest(pairs, n);
	}
}

/* n ratios of exactly k - 1/2 millionths: the hardest case there is. */
static void test_geomean_rounds_every_tie_up(void)
{
	uint64_t state = 1;

	for (int round = 0; round < 400; round++) {
		int64_t k = 1 + (int64_t)(next_random(&state) % 100000000);
		struct pair pairs[20];

		for (size_t i = 0; i < 20; i++) {
			int64_t scale = 1 + (int64_t)(next_random(&state) %
						      1000000);

			pairs[i].baseline_ns = (2 * k - 1) * scale;
			pairs[i].candidate_ns = 2000000 * scale;
		}
		check_int(geomean_of(pairs, 20), k);
	}
}

static void test_geomean_does_not_depend_on_order(void)
{
	struct pair pairs[] = { { 5, 3 }, { 100, 7 }, { 1, 9 }, { 12, 11 } };
	int64_t forward = geomean_of(pairs, 4);
	struct pair backward[] = { pairs[3], pairs[1], pairs[2], pairs[0] };

	check_int(geomean_of(backward, 4), forward);
}

static const struct {
	int64_t baseline_ns, candidate_ns;
	int p_milli;
	bool exceeds;
} comparisons[] = {
	{ 100, 100, 1000, false },	/* a tie is not faster */
	{ 101, 100, 1000, true },
	{ 200, 100, 2000, false },
	{ 150, 100, 1500, false },
	{ 80, 100, 800, false },
	{ 81, 100, 800, true },
	{ 1, KB_TIME_NS_MAX, 0, true },
	{ KB_TIME_NS_MAX, KB_TIME_NS_MAX, 1000, false },
	{ KB_TIME_NS_MAX, KB_TIME_NS_MAX - 1, 1000, true },
	{ KB_TIME_NS_MAX, 1, 2000, true },
};

static void test_exceeds_is_strict_and_exact(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(comparisons); i++)
		check_int(kb_speedup_exceeds(comparisons[i].baseline_ns,
					     comparisons[i].candidate_ns,
					     comparisons[i].p_milli),
			  comparisons[i].exceeds);
}

#define NONE KB_UNKNOWN

#define VERDICT(problem, s, candidate, baseline, reference, is_compiled) { \
	.line = { .key = { 1, problem }, .status = KB_STATUS_##s, \
		  .candidate_ns = candidate, .baseline_ns = baseline, \
		  .reference_ns = reference, .speedup_micro = NONE }, \
	.compiled = is_compiled }

/* One of everything that a metric treats in its own way. */
static const struct kb_verdict verdicts[] = {
	VERDICT(1, CORRECT, 50, 100, 102, true),
	VERDICT(2, CORRECT, 100, 100, 100, true),
	VERDICT(3, CORRECT, NONE, 100, 101, true),
	VERDICT(4, CORRECT, 10, NONE, 100, true),
	VERDICT(5, CORRECT, 400, 100, NONE, true),
	VERDICT(6, MISMATCH, NONE, 100, 90, true),
	VERDICT(7, BUILD_FAILED, NONE, 100, NONE, false),
	VERDICT(8, MISSING, NONE, 100, NONE, false),
};

static void test_metrics_count_every_problem(void)
{
	static const int64_t fast[KB_FAST_COUNT] = { 3, 2, 2, 1, 1, 0 };
	struct kb_metrics m;

	kb_metrics_of(&m, verdicts, KB_ARRAY_LEN(verdicts));
	check_int(m.problems, 8);
	check_int(m.compiled, 6);
	check_int(m.correct, 5);
	for (int p = 0; p < KB_FAST_COUNT; p++)
		check_int(m.fast[p], fast[p]);
	/* (2 * 1 * 1/4)^(1/3) */
	check_int(m.geomean_speedup_micro, 793701);
	check_int(m.status_counts[KB_STATUS_CORRECT], 5);
	check_int(m.status_counts[KB_STATUS_MISMATCH], 1);
	check_int(m.status_counts[KB_STATUS_BUILD_FAILED], 1);
	check_int(m.status_counts[KB_STATUS_MISSING], 1);
}

static void test_metrics_of_nothing_have_no_mean(void)
{
	struct kb_metrics m;

	kb_metrics_of(&m, NULL, 0);
	check_int(m.problems, 0);
	check(m.geomean_speedup_micro == KB_UNKNOWN);
}

static void test_a_wrong_candidate_is_never_fast(void)
{
	/* It should not have a time; if it has, that changes nothing. */
	static const struct kb_verdict wrong =
		VERDICT(1, MISMATCH, 1, 100, 100, true);
	struct kb_metrics m;

	kb_metrics_of(&m, &wrong, 1);
	check_int(m.fast[0], 0);
	check(m.geomean_speedup_micro == KB_UNKNOWN);
}

static void test_drift_is_reference_over_baseline(void)
{
	struct kb_score_line lines[KB_ARRAY_LEN(verdicts)];
	struct kb_spread drift;

	for (size_t i = 0; i < KB_ARRAY_LEN(verdicts); i++)
		lines[i] = verdicts[i].line;

	check_int(kb_drift_micro(&lines[0]), 1020000);
	check(kb_drift_micro(&lines[3]) == KB_UNKNOWN);

	kb_drift_of(&drift, lines, KB_ARRAY_LEN(lines));
	check_int(drift.problems, 4);
	check_int(drift.median_micro, 1005000);	/* of .9 1 1.01 1.02 */
	check_int(drift.min_micro, 900000);
	check_int(drift.max_micro, 1020000);

	kb_drift_of(&drift, lines + 6, 2);
	check_int(drift.problems, 0);
	check(drift.median_micro == KB_UNKNOWN);
}

/* Samples of three trials that say `ns` a call. */
#define SLOPE(ns) { .n_small = 1, .n_large = 3, \
	.small_ns = (int64_t[]){ 1000, 1100, 1050 }, .small_count = 3, \
	.large_ns = (int64_t[]){ 1000 + 2 * (ns), 1100 + 2 * (ns), 1050 }, \
	.large_count = 3, .n_one_call = 1, .device_ns = NONE, \
	.control_ns = NONE, \
	.time_ns = (ns), .low_ns = NONE, .high_ns = NONE }

static struct kb_timing slope_100 = SLOPE(100), slope_200 = SLOPE(200),
			slope_110 = SLOPE(110);
static struct kb_timing forged = {
	.n_small = 1, .n_large = 3,
	.small_ns = (int64_t[]){ 400 }, .small_count = 1,
	.large_ns = (int64_t[]){ 800 }, .large_count = 1,
	.n_one_call = 1, .device_ns = NONE, .control_ns = NONE, .time_ns = 2,
	.low_ns = NONE, .high_ns = NONE,
};

static struct kb_key problems[] = { { 1, 1 }, { 1, 2 }, { 2, 1 } };

#define ENDED(s, p) { .status = KB_STATUS_##s, .phase = KB_PHASE_##p, \
		      .exit_status = KB_UNKNOWN }

/* Sample 0 of every problem, and one more of the first. */
static struct kb_result results[] = {
	{ .key = { 1, 1 }, .sample_id = 0, .outcome = ENDED(CORRECT, NONE),
	  .timing = &slope_100, .reference_timing = &slope_110 },
	{ .key = { 1, 1 }, .sample_id = 1, .outcome = ENDED(CORRECT, NONE),
	  .timing = &slope_200, .reference_timing = &slope_110 },
	{ .key = { 1, 2 }, .sample_id = 0, .outcome = ENDED(MISSING, NONE) },
	{ .key = { 2, 1 }, .sample_id = 0, .outcome = ENDED(CRASHED, LOAD) },
};

static struct kb_reference_result references[] = {
	{ .key = { 1, 1 }, .outcome = ENDED(TIMED, NONE),
	  .timing = &slope_200 },
	{ .key = { 1, 2 }, .outcome = ENDED(TIMED, NONE),
	  .timing = &slope_200 },
};

/* The same samples by the device clock, 15 of them. */
#define EACH(ns) (ns), (ns), (ns), (ns), (ns), (ns), (ns), (ns), (ns), (ns), \
		 (ns), (ns), (ns), (ns), (ns)
#define BY_DEVICE(ns) { .clock = KB_CLOCK_DEVICE, \
	.n_small = 1, .n_large = 3, \
	.small_ns = (int64_t[]){ EACH(1000) }, .small_count = 15, \
	.large_ns = (int64_t[]){ EACH(1000 + 2 * (ns)) }, \
	.large_count = 15, .n_one_call = 1, .device_ns = NONE, \
	.control_ns = NONE, \
	.time_ns = (ns), .low_ns = (ns), .high_ns = (ns) }

/* 90 + 406410 - 400000, and the slack of 1500 */
#define SIDE_BY_SIDE { .clock = KB_CLOCK_DEVICE, \
	.n_small = 1, .n_large = 3, \
	.small_ns = (int64_t[]){ EACH(1000) }, .small_count = 15, \
	.large_ns = (int64_t[]){ EACH(1060) }, .large_count = 15, \
	.one_call_ns = (int64_t[]){ EACH(406410) }, .one_call_count = 15, \
	.n_one_call = 1, .device_ns = NONE, .control_ns = NONE, \
	.time_ns = 8000, .basis = KB_BASIS_ONE_CALL, \
	.low_ns = 8000, .high_ns = 8000 }

static struct kb_timing device_30 = BY_DEVICE(30), device_90 = {
	.clock = KB_CLOCK_DEVICE,
	.n_small = 1, .n_large = 3,
	.small_ns = (int64_t[]){ EACH(1000) }, .small_count = 15,
	.large_ns = (int64_t[]){ EACH(1180) }, .large_count = 15,
	.one_call_ns = (int64_t[]){ EACH(400000) }, .one_call_count = 15,
	.n_one_call = 1, .device_ns = NONE, .control_ns = NONE,
	.time_ns = 90, .low_ns = 90, .high_ns = 90 };
static struct kb_timing side_by_side_8000 = SIDE_BY_SIDE;
static struct kb_device_timing
	honest = { .timing = &device_30 },
	side_by_side = { .timing = &side_by_side_8000 },
	unqueueable = { .not_queueable = (char *)"it waits" },
	reference_90 = { .timing = &device_90 };

/* An evaluation and a baseline that match, to be spoilt by each test. */
struct case_input {
	struct kb_evaluation evaluation;
	struct kb_baseline baseline;
	struct kb_json *tool;
	struct kb_judge_input in;
};

static void case_start(struct case_input *c)
{
	memset(c, 0, sizeof(*c));
	c->tool = kb_json_object();
	c->evaluation.conditions.match_key = kb_json_object();
	kb_json_set_string(c->evaluation.conditions.match_key, "device", "cpu");
	c->evaluation.problems = problems;
	c->evaluation.problem_count = KB_ARRAY_LEN(problems);
	c->evaluation.results = results;
	c->evaluation.result_count = KB_ARRAY_LEN(results);

	c->baseline.conditions.match_key = kb_json_object();
	kb_json_set_string(c->baseline.conditions.match_key, "device", "cpu");
	c->baseline.problems = problems;
	c->baseline.problem_count = KB_ARRAY_LEN(references);
	c->baseline.results = references;
	c->baseline.result_count = KB_ARRAY_LEN(references);

	c->in.evaluation = &c->evaluation;
	c->in.baseline = &c->baseline;
	c->in.tool = c->tool;
}

static void case_end(struct case_input *c)
{
	kb_json_free(c->tool);
	kb_json_free(c->evaluation.conditions.match_key);
	kb_json_free(c->baseline.conditions.match_key);
}

static void test_judge_takes_one_sample_of_each_problem(void)
{
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct case_input c;

	case_start(&c);
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.line_count, 3);
	check_int(s.lines[0].candidate_ns, 100);
	check_int(s.lines[0].baseline_ns, 200);
	check_int(s.lines[0].reference_ns, 110);
	check_int(s.lines[0].speedup_micro, 2000000);
	check_int(s.lines[1].status, KB_STATUS_MISSING);
	check_int(s.lines[2].status, KB_STATUS_CRASHED);
	check(s.lines[2].baseline_ns == KB_UNKNOWN);

	check_int(s.level_count, 2);
	check_int(s.levels[0].level, 1);
	check_int(s.levels[0].metrics.problems, 2);
	check_int(s.levels[0].metrics.correct, 1);
	check_int(s.levels[1].level, 2);
	check_int(s.levels[1].metrics.compiled, 0);
	check_int(s.overall.problems, 3);
	check_int(s.overall.fast[3], 1);

	kb_score_release(&s);
	kb_mismatches_release(&refused);
	case_end(&c);
}

static void test_judge_calls_an_absent_sample_missing(void)
{
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct case_input c;

	case_start(&c);
	c.in.choice.sample_id = 1;
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.lines[0].candidate_ns, 200);
	check_int(s.lines[0].sample_id, 1);
	check_int(s.lines[2].status, KB_STATUS_MISSING);
	check_int(s.lines[2].sample_id, 1);
	check_int(s.overall.fast[3], 0);	/* a tie */
	check_int(s.overall.fast[2], 1);

	kb_score_release(&s);
	kb_mismatches_release(&refused);
	case_end(&c);
}

static void refuse(struct case_input *c, const char *message)
{
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_judge(&s, &refused, &c->in, &err), -KB_ERR_INPUT);
	check_str(err.msg, message);
	kb_mismatches_release(&refused);
	case_end(c);
}

static void test_judge_refuses_another_suite(void)
{
	struct case_input c;

	case_start(&c);
	c.baseline.suite.bytes[0] = 1;
	refuse(&c, "the baseline is of another suite than the evaluation");
}

static void test_judge_refuses_a_time_that_its_samples_deny(void)
{
	struct kb_timing *kept = results[0].timing;
	struct case_input c;

	case_start(&c);
	results[0].timing = &forged;
	refuse(&c, "candidate time of problem '1/1' does not follow from its "
		   "samples");
	results[0].timing = kept;
}

static void test_judge_refuses_an_allowance_for_no_field(void)
{
	static const char *const fields[] = { "devcie" };
	struct case_input c;

	case_start(&c);
	c.in.allowed_fields = fields;
	c.in.allowed_count = 1;
	refuse(&c, "no match key has a field 'devcie'");
}

static void test_judge_refuses_differing_match_keys(void)
{
	static const char *const fields[] = { "torch" };
	struct kb_mismatches refused;
	struct kb_score s = KB_SCORE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct case_input c;

	case_start(&c);
	kb_json_set_string(c.evaluation.conditions.match_key, "torch", "2.5");
	kb_json_set_string(c.evaluation.conditions.match_key, "os", "a");
	kb_json_set_string(c.baseline.conditions.match_key, "os", "b");
	c.in.allowed_fields = fields;
	c.in.allowed_count = 1;

	check_int(kb_judge(&s, &refused, &c.in, &err), -KB_ERR_INPUT);
	check_str(err.msg, "the baseline does not match the evaluation: "
			   "1 of their conditions differs");
	check_int(refused.count, 1);
	check_str(refused.items[0].field, "os");
	check_str(refused.items[0].left, "a");
	check_str(refused.items[0].right, "b");

	kb_mismatches_release(&refused);
	case_end(&c);
}

static void test_judge_again_gives_the_same_score(void)
{
	static const char *const fields[] = { "torch" };
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT, t = KB_SCORE_INIT;
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT, again = KB_BUF_INIT;
	struct kb_json *v;
	struct case_input c;

	case_start(&c);
	kb_json_set_string(c.evaluation.conditions.match_key, "torch", "2.5");
	c.in.allowed_fields = fields;
	c.in.allowed_count = 1;
	c.in.choice.sample_id = 1;
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.allowed.count, 1);

	c.in.allowed_count = 0;
	c.in.choice.sample_id = 0;
	check_int(kb_judge_again(&t, &s, &c.in, NULL), 0);

	v = kb_score_to_json(&s);
	kb_json_print(&first, v);
	kb_json_free(v);
	v = kb_score_to_json(&t);
	kb_json_print(&again, v);
	kb_json_free(v);
	check_str(again.data, first.data);
	case_end(&c);
}

/* Give the first problem, or none, device times. */
/* The same samples by the call clock, beside the device's. */
static struct kb_timing *tell(struct kb_timing *told,
			      const struct kb_timing *t,
			      const struct kb_device_timing *device)
{
	*told = *t;
	told->device_ns = device && device->timing ? device->timing->time_ns
						   : NONE;
	kb_time_decide(told, NULL);
	return told;
}

static void set_device_times(struct kb_device_timing *candidate,
			     struct kb_device_timing *reference)
{
	static struct kb_timing told[4];

	results[0].timing = tell(&told[0], &slope_100, candidate);
	results[0].reference_timing = tell(&told[1], &slope_110, reference);
	references[0].timing = tell(&told[2], &slope_200, reference);
	references[1].timing = tell(&told[3], &slope_200,
				    references[1].device_timing);
	results[0].device_timing = candidate;
	results[0].reference_device_timing = reference;
	references[0].device_timing = reference;
}

static const struct {
	struct kb_device_timing *candidate, *reference;
	enum kb_clock clock, candidate_clock;
	int64_t candidate_ns, baseline_ns, reference_ns, speedup_micro;
} by_device[] = {
	{ &honest, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_DEVICE,
	  30, 90, 90, 3000000 },
	{ &side_by_side, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_DEVICE,
	  8000, 90, 90, 11250 },
	/* Its call time, over the reference's device time. */
	{ &unqueueable, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_CALL,
	  100, 90, 90, 900000 },
	{ NULL, &reference_90, KB_CLOCK_DEVICE, KB_CLOCK_CALL,
	  100, 90, 90, 900000 },
	/* By the call clock, and then both. */
	{ &honest, &unqueueable, KB_CLOCK_CALL, KB_CLOCK_CALL,
	  100, 200, 110, 2000000 },
	{ &unqueueable, &unqueueable, KB_CLOCK_CALL, KB_CLOCK_CALL,
	  100, 200, 110, 2000000 },
};

static void test_judge_by_the_device_clock(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(by_device); i++) {
		kb_auto(mismatches) struct kb_mismatches refused =
			KB_MISMATCHES_INIT;
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;
		struct kb_err err = KB_ERR_INIT;
		const struct kb_score_line *l;
		struct case_input c;

		case_start(&c);
		/* So that there is one. */
		references[1].device_timing = &reference_90;
		set_device_times(by_device[i].candidate,
				 by_device[i].reference);
		c.in.choice.clock = KB_CLOCK_DEVICE;
		check_int(kb_judge(&s, &refused, &c.in, &err), 0);
		check_str(err.msg, "");
		l = &s.lines[0];
		check_int(l->status, KB_STATUS_CORRECT);
		check_int(l->clock, by_device[i].clock);
		check_int(l->candidate_clock, by_device[i].candidate_clock);
		check_int(l->candidate_ns, by_device[i].candidate_ns);
		check_int(l->baseline_ns, by_device[i].baseline_ns);
		check_int(l->reference_ns, by_device[i].reference_ns);
		check_int(l->speedup_micro, by_device[i].speedup_micro);
		check_int(s.overall.correct, 1);
		check_int(s.lines[1].baseline_ns, 90);
		references[1].device_timing = NULL;
		set_device_times(NULL, NULL);
		case_end(&c);
	}
}

static void test_call_clock_scores_are_no_less_than_device_times(void)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	struct case_input c;

	case_start(&c);
	set_device_times(&side_by_side, &reference_90);
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	check_int(s.lines[0].candidate_ns, 8000);
	check_int(s.lines[0].reference_ns, 110);
	check_int(s.lines[0].clock, KB_CLOCK_CALL);
	check_str(kb_json_string_value(kb_json_find(s.definition, "clock")),
		  "call");
	set_device_times(NULL, NULL);
	case_end(&c);
}

/* Every part of what follows from samples, forged in turn; and a time that is
 * withheld, which would leave the call time. */
static void test_judge_refuses_a_device_time_that_its_samples_deny(void)
{
	struct kb_timing forgeries[] = {
		side_by_side_8000, side_by_side_8000, side_by_side_8000,
		side_by_side_8000, side_by_side_8000, side_by_side_8000,
	};

	forgeries[0].time_ns = 30;
	forgeries[1].basis = KB_BASIS_SLOPE;
	forgeries[2].low_ns = 7999;
	forgeries[3].high_ns = KB_UNKNOWN;
	forgeries[4].one_call_count = 0;
	forgeries[5].time_ns = forgeries[5].low_ns = forgeries[5].high_ns =
		KB_UNKNOWN;
	for (size_t i = 0; i < KB_ARRAY_LEN(forgeries); i++) {
		struct kb_device_timing t = { .timing = &forgeries[i] };
		struct case_input c;

		case_start(&c);
		set_device_times(&t, &reference_90);
		c.in.choice.clock = KB_CLOCK_DEVICE;
		refuse(&c, "candidate time of problem '1/1' does not follow "
			   "from its samples");
		set_device_times(NULL, NULL);
	}
}

static void test_judge_refuses_a_reference_that_its_samples_deny(void)
{
	struct kb_timing at_900 = device_90;
	struct kb_device_timing slow = { .timing = &at_900 };
	struct case_input c;

	at_900.time_ns = 900;
	case_start(&c);
	set_device_times(&honest, &reference_90);
	results[0].reference_device_timing = &slow;
	c.in.choice.clock = KB_CLOCK_DEVICE;
	refuse(&c, "reference time of problem '1/1' does not follow from its "
		   "samples");

	case_start(&c);
	set_device_times(&honest, &reference_90);
	references[0].device_timing = &slow;
	c.in.choice.clock = KB_CLOCK_DEVICE;
	refuse(&c, "baseline time of problem '1/1' does not follow from its "
		   "samples");
	set_device_times(NULL, NULL);
}

/* What bounds a call time is the device's time and no other. */
static void test_judge_refuses_a_device_ns_that_is_another(void)
{
	static struct kb_timing *const *const whose[] = {
		&results[0].reference_timing, &results[0].timing,
		&references[0].timing,
	};
	static const char *const messages[] = {
		"'device_ns' of the reference of problem '1/1' is not its "
		"time by the device's clock",
		"'device_ns' of the candidate of problem '1/1' is not its "
		"time by the device's clock",
		"'device_ns' of the baseline of problem '1/1' is not its "
		"time by the device's clock",
	};
	static const int64_t others_ns[] = { NONE, 1, 7999 };

	for (size_t i = 0; i < 3 * KB_ARRAY_LEN(others_ns); i++) {
		const int64_t other_ns = others_ns[i % 3];
		struct case_input c;

		case_start(&c);
		set_device_times(&side_by_side, &reference_90);
		(*whose[i / 3])->device_ns = other_ns;
		kb_time_decide(*whose[i / 3], NULL);
		c.in.choice.clock = i & 1 ? KB_CLOCK_DEVICE : KB_CLOCK_CALL;
		refuse(&c, messages[i / 3]);
		set_device_times(NULL, NULL);
	}
}

static void test_judge_refuses_a_baseline_of_version_1(void)
{
	struct case_input c;

	case_start(&c);
	c.baseline.version = 1;
	refuse(&c, "baseline '00000000000000000000000000000000000000000000000"
		   "00000000000000000' has schema_version 1: its times were "
		   "measured in another way, and nothing is divided by them; "
		   "it has to be made anew");
}

static void test_judge_refuses_a_clock_that_the_baseline_has_not(void)
{
	struct case_input c;

	case_start(&c);
	c.in.choice.clock = KB_CLOCK_DEVICE;
	refuse(&c, "the baseline has no time by the clock 'device'");
}

static void test_judge_again_takes_the_clock_from_the_score(void)
{
	kb_auto(mismatches) struct kb_mismatches refused = KB_MISMATCHES_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT, t = KB_SCORE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct case_input c;

	case_start(&c);
	set_device_times(&honest, &reference_90);
	c.in.choice.clock = KB_CLOCK_DEVICE;
	check_int(kb_judge(&s, &refused, &c.in, NULL), 0);
	c.in.choice.clock = KB_CLOCK_CALL;
	check_int(kb_judge_again(&t, &s, &c.in, NULL), 0);
	check_int(t.lines[0].candidate_ns, 30);
	check_str(kb_json_string_value(kb_json_find(t.definition, "clock")),
		  "device");
	check_str(kb_json_string_value(kb_json_find(t.options, "clock")),
		  "device");
	kb_score_release(&t);

	kb_json_free(s.definition);
	s.definition = kb_json_object();
	kb_json_set_int(s.definition, "sample_id", 0);
	kb_json_set_string(s.definition, "clock", "wall");
	check_int(kb_judge_again(&t, &s, &c.in, &err), -KB_ERR_INPUT);
	check_str(err.msg, "definition: no clock is called 'wall', there are: "
			   "call, device");
	set_device_times(NULL, NULL);
	case_end(&c);
}

TAP_MAIN(TAP(test_ratio_rounds_half_up_and_is_cut),
	 TAP(test_geomean_of_one_is_its_ratio),
	 TAP(test_geomean_of_known_ratios),
	 TAP(test_geomean_is_nearest_by_exact_arithmetic),
	 TAP(test_geomean_rounds_every_tie_up),
	 TAP(test_geomean_does_not_depend_on_order),
	 TAP(test_exceeds_is_strict_and_exact),
	 TAP(test_metrics_count_every_problem),
	 TAP(test_metrics_of_nothing_have_no_mean),
	 TAP(test_a_wrong_candidate_is_never_fast),
	 TAP(test_drift_is_reference_over_baseline),
	 TAP(test_judge_takes_one_sample_of_each_problem),
	 TAP(test_judge_calls_an_absent_sample_missing),
	 TAP(test_judge_refuses_another_suite),
	 TAP(test_judge_refuses_a_time_that_its_samples_deny),
	 TAP(test_judge_refuses_an_allowance_for_no_field),
	 TAP(test_judge_refuses_differing_match_keys),
	 TAP(test_judge_again_gives_the_same_score),
	 TAP(test_judge_by_the_device_clock),
	 TAP(test_call_clock_scores_are_no_less_than_device_times),
	 TAP(test_judge_refuses_a_device_time_that_its_samples_deny),
	 TAP(test_judge_refuses_a_reference_that_its_samples_deny),
	 TAP(test_judge_refuses_a_device_ns_that_is_another),
	 TAP(test_judge_refuses_a_baseline_of_version_1),
	 TAP(test_judge_refuses_a_clock_that_the_baseline_has_not),
	 TAP(test_judge_again_takes_the_clock_from_the_score));
