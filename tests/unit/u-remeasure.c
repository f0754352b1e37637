#include "score/remeasure.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/device_timing.h"
#include "manifest/timing.h"
#include "measure/time_rule.h"
#include "score/speedup.h"
#include "unit/remeasure_sides.h"

#define MAX KB_SPEEDUP_MICRO_MAX

static const struct {
	struct side claimed, now;
	enum kb_again answer;
	int64_t micro, low_micro, high_micro;
} cases[] = {
	/* no time then, none now */
	{ { NONE, NONE, 0 }, { NONE, NONE, 0 }, KB_AGAIN_SAME, NONE, NONE, NONE },
	{ { NONE, 50000, 0 }, { NONE, 50000, 0 }, KB_AGAIN_SAME,
	  NONE, NONE, NONE },
	{ { 1, 1, 0 }, { 1, 1, 0 }, KB_AGAIN_SAME, 1000000, 1000000, 1000000 },
	/* the margin, to the nanosecond */
	{ { 100000, 50000, 0 }, { 105000, 50000, 0 }, KB_AGAIN_SAME,
	  1050000, 1050000, 1050000 },
	{ { 100000, 50000, 0 }, { 105001, 50000, 0 }, KB_AGAIN_SLOWER,
	  1050010, 1050010, 1050010 },
	/* 1.05 and a bit, which rounds to 1.05 */
	{ { 1000000000, 50000, 0 }, { 1050000001, 50000, 0 }, KB_AGAIN_SLOWER,
	  1050000, 1050000, 1050000 },
	/* a machine of half the speed is no slower candidate */
	{ { 100000, 50000, 0 }, { 200000, 100000, 0 }, KB_AGAIN_SAME,
	  1000000, 1000000, 1000000 },
	/* a reference that is slower now is a candidate that is faster */
	{ { 100000, 50000, 0 }, { 100000, 60000, 0 }, KB_AGAIN_FASTER,
	  833333, 833333, 833333 },
	{ { 100000, 50000, 0 }, { 300000, 50000, 0 }, KB_AGAIN_SLOWER,
	  3000000, 3000000, 3000000 },
	/* intervals: within the margin, over its edge, beyond it */
	{ { 100000, 50000, 0 }, { 100000, 50000, 4000 }, KB_AGAIN_SAME,
	  1000000, 960000, 1040000 },
	{ { 100000, 50000, 0 }, { 100000, 50000, 6000 }, KB_AGAIN_AMBIGUOUS,
	  1000000, 940000, 1060000 },
	{ { 100000, 50000, 0 }, { 109000, 50000, 6000 }, KB_AGAIN_AMBIGUOUS,
	  1090000, 1030000, 1150000 },
	{ { 100000, 50000, 0 }, { 120000, 50000, 6000 }, KB_AGAIN_SLOWER,
	  1200000, 1140000, 1260000 },
	{ { 100000, 50000, 20000 }, { 100000, 50000, 0 }, KB_AGAIN_AMBIGUOUS,
	  1000000, 833333, 1250000 },
	/* two of them: their squares add up, as logarithms */
	{ { 100000, 50000, 3000 }, { 100000, 50000, 3000 }, KB_AGAIN_SAME,
	  1000000, 958444, 1043358 },
	{ { 100000, 50000, 3000 }, { 100000, 50000, 4000 }, KB_AGAIN_AMBIGUOUS,
	  1000000, 950849, 1050913 },
	/* an end that is not above zero is no bound */
	{ { 100, 50, 100 }, { 100, 50, 0 }, KB_AGAIN_AMBIGUOUS,
	  1000000, 500000, MAX },
	{ { 100, 50, 0 }, { 100, 50, 200 }, KB_AGAIN_AMBIGUOUS,
	  1000000, 0, 3000000 },
	/* as far apart as a record can have them */
	{ { 1, MOST, 0 }, { MOST, 1, 0 }, KB_AGAIN_SLOWER, MAX, MAX, MAX },
	{ { MOST, MOST, 0 }, { MOST, MOST, 0 }, KB_AGAIN_SAME,
	  1000000, 1000000, 1000000 },
	/* one without a time */
	{ { NONE, 50000, 0 }, { 100000, 50000, 0 }, KB_AGAIN_AMBIGUOUS,
	  NONE, NONE, NONE },
	{ { 100000, NONE, 0 }, { 100000, 50000, 0 }, KB_AGAIN_AMBIGUOUS,
	  NONE, NONE, NONE },
};

static void test_answers_follow_from_times(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_remeasured r;
		const enum kb_again answer = compare(&r, &cases[i].claimed,
						     &cases[i].now, TRIALS);

		if (answer != cases[i].answer)
			tap_fail("case %zu", i);
		check_str(kb_again_name(answer),
			  kb_again_name(cases[i].answer));
		check_int(r.change.micro, cases[i].micro);
		check_int(r.change.low_micro, cases[i].low_micro);
		check_int(r.change.high_micro, cases[i].high_micro);
		check(!r.why == (answer != KB_AGAIN_AMBIGUOUS));
		check_int(r.key.problem_id, 19);
		check_int(r.sample_id, 3);
	}
}

/* Whoever measured first: the margin is as wide on both sides. */
static void test_answers_turn_over_with_the_sessions(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const enum kb_again answer = cases[i].answer;
		struct kb_remeasured r;

		check_int(compare(&r, &cases[i].now, &cases[i].claimed,
				  TRIALS),
			  answer == KB_AGAIN_FASTER ? KB_AGAIN_SLOWER :
			  answer == KB_AGAIN_SLOWER ? KB_AGAIN_FASTER :
						      answer);
	}
}

/* From 0 to 1, without 1. */
static double draw(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992;
}

static double exponential(uint64_t *state)
{
	return -log1p(-draw(state));
}

static double normal(uint64_t *state)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += draw(state);
	return sum;
}

/* Now and then something else is at work. */
static double disturbed(uint64_t *state)
{
	return exponential(state) * (draw(state) < 0.1 ? 10 : 1);
}

/* Trials of 1 ms and noise, of which one is half a percent. */
static struct kb_timing *noisy(double (*noise)(uint64_t *state), size_t trials,
			       uint64_t *state)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_CALL, 0, 1);

	for (size_t i = 0; i < trials; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 5000);
		kb_timing_add(t, KB_SERIES_LARGE,
			      1005000 + (int64_t)(5000 * noise(state)));
	}
	kb_time_decide(t, NULL);
	return t;
}

#define DRAWS 1000

/* Nothing has changed: how many of the intervals say that this may be so. */
static int count_held(double (*noise)(uint64_t *state), size_t trials)
{
	uint64_t state = 20081693;
	int held = 0;

	for (int i = 0; i < DRAWS; i++) {
		struct kb_result sides[2] = { KB_RESULT_INIT, KB_RESULT_INIT };
		struct kb_remeasured r;

		for (int j = 0; j < 2; j++) {
			sides[j].outcome.status = KB_STATUS_CORRECT;
			sides[j].timing = noisy(noise, trials, &state);
			sides[j].reference_timing = noisy(noise, trials, &state);
		}
		kb_remeasure_compare(&r, &sides[0], &sides[1], KB_CLOCK_CALL);
		held += r.change.low_micro <= 1000000 &&
			r.change.high_micro >= 1000000;
		for (int j = 0; j < 2; j++)
			kb_result_release(&sides[j]);
	}
	return held;
}

/* As often as they say, and of many trials not always: they could be wider. */
static void test_intervals_hold_what_they_should(void)
{
	static double (*const noises[])(uint64_t *state) = {
		normal, exponential, disturbed,
	};
	static const size_t trials[] = { 8, 10, 20, 40 };

	for (size_t i = 0; i < KB_ARRAY_LEN(noises); i++)
		for (size_t j = 0; j < KB_ARRAY_LEN(trials); j++) {
			const int held = count_held(noises[i], trials[j]);

			printf("# noise %zu, %zu trials: %d of %d\n", i,
			       trials[j], held, DRAWS);
			check(held >= DRAWS * 95 / 100);
			check(trials[j] < 20 || held < DRAWS);
		}
}

static const struct {
	struct side claimed, now;
	size_t trials;
	const char *why;
} doubts[] = {
	{ { NONE, 5, 0 }, { 9, 5, 0 }, TRIALS, "a time only now" },
	{ { 9, 5, 0 }, { NONE, 5, 0 }, TRIALS, "a time only as claimed" },
	{ { 9, NONE, 0 }, { 9, 5, 0 }, TRIALS, "no time of the reference" },
	{ { 9, 5, 0 }, { 9, NONE, 0 }, TRIALS, "no time of the reference" },
	{ { 9, 5, 0 }, { 9, 5, 0 }, 1,
	  "too few trials for an interval" },
	{ { 9, 5, 0 }, { 9, 5, 0 }, 5,
	  "too few trials for an interval" },
	{ { 9, 5, 2 }, { 9, 5, 0 }, 6,
	  "the interval reaches over the margin" },
};

static void test_doubt_has_a_reason(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(doubts); i++) {
		struct kb_remeasured r;

		check_int(compare(&r, &doubts[i].claimed, &doubts[i].now,
				  doubts[i].trials), KB_AGAIN_AMBIGUOUS);
		check(r.why);
		check_str(r.why ? r.why : "", doubts[i].why);
	}
}

/* Slopes of `slope_ns`, and runs of one call that take 400 us and what is
 * given beside. */
static struct kb_device_timing *
device_slopes(int64_t slope_ns, int64_t one_call_ns, size_t runs,
	      const struct kb_device_timing *reference)
{
	struct kb_device_timing *t = kb_device_timing_new();

	t->timing = kb_timing_new(KB_CLOCK_DEVICE, 1, 2);
	t->timing->copy_in_small_ns = t->timing->copy_in_large_ns = 700;
	for (int i = 0; i < TRIALS; i++) {
		kb_timing_add(t->timing, KB_SERIES_SMALL, 400000);
		kb_timing_add(t->timing, KB_SERIES_LARGE, 400000 + slope_ns);
	}
	for (size_t i = 0; i < runs; i++)
		kb_timing_add(t->timing, KB_SERIES_ONE_CALL,
			      400000 + one_call_ns);
	kb_time_decide(t->timing, reference ? reference->timing : NULL);
	return t;
}

/* Calls of 100 us that are done side by side, and seem to take 60. The bound
 * is 95 us, and there is the slack, a fiftieth. */
static void test_the_bound_has_an_interval_as_well(void)
{
	struct kb_result r = KB_RESULT_INIT;
	struct kb_remeasured m;

	r.key = (struct kb_key){ .level = 1, .problem_id = 19 };
	r.outcome.status = KB_STATUS_CORRECT;
	r.reference_device_timing = device_slopes(100000, 100000, 12, NULL);
	r.device_timing = device_slopes(60000, 95000, 12,
					r.reference_device_timing);
	r.device_timing->timing->one_call_ns[3] += 7;
	check_int(r.device_timing->timing->basis, KB_BASIS_ONE_CALL);
	kb_remeasure_compare(&m, &r, &r, KB_CLOCK_DEVICE);
	check_int(m.answer, KB_AGAIN_SAME);
	check_int(m.now.candidate.time_ns, 96900);
	check_int(m.now.candidate.at.low_ns, 96900);
	check_int(m.now.candidate.at.high_ns, 96900);
	kb_result_release(&r);
}

/* Who could not be queued has its call time over the reference's device time;
 * where the reference could not be either, both have call times. */
static void test_who_is_not_queued_has_its_call_time(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result a = result(&s, TRIALS);
	struct kb_remeasured r;

	a.reference_device_timing = device_slopes(200, 0, 0, NULL);
	a.device_timing = kb_device_timing_new();
	kb_remeasure_claim(&r, &a, KB_CLOCK_DEVICE);
	check_int(r.claimed.candidate.time_ns, 1000);
	check_int(r.claimed.reference.time_ns, 200);

	kb_timing_free(a.reference_device_timing->timing);
	a.reference_device_timing->timing = NULL;
	kb_remeasure_claim(&r, &a, KB_CLOCK_DEVICE);
	check_int(r.claimed.candidate.time_ns, 1000);
	check_int(r.claimed.reference.time_ns, 500);
	kb_result_release(&a);
}

/* Calls that seem to take less than their work: theirs is the device's time, and
 * its interval. */
static void test_a_device_time_brings_its_interval(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result r = result(&s, TRIALS);
	struct kb_remeasured m;

	r.reference_device_timing = device_slopes(600, 0, 0, NULL);
	r.device_timing = device_slopes(1200, 0, 0, NULL);
	r.device_timing->timing->large_ns[0] += 3;
	kb_time_decide(r.device_timing->timing, NULL);
	r.timing->device_ns = 1200;
	kb_time_decide(r.timing, NULL);
	check_int(r.timing->basis, KB_BASIS_DEVICE);
	check_int(r.timing->low_ns, KB_UNKNOWN);
	r.reference_timing->device_ns = 600;
	kb_time_decide(r.reference_timing, NULL);
	check_int(r.reference_timing->basis, KB_BASIS_DEVICE);

	kb_remeasure_compare(&m, &r, &r, KB_CLOCK_CALL);
	check_int(m.answer, KB_AGAIN_SAME);
	check_int(m.now.candidate.time_ns, 1200);
	check_int(m.now.candidate.at.low_ns, 1200);
	check_int(m.now.candidate.at.high_ns, 1203);
	check_int(m.now.reference.time_ns, 600);
	check_int(m.now.reference.at.low_ns, 600);
	kb_result_release(&r);
}

/* A reference that a candidate makes slow has the most that its control timing
 * allows. No samples say between what that lies. */
static void test_a_control_time_has_no_interval(void)
{
	struct kb_result r = KB_RESULT_INIT;
	struct kb_remeasured m;

	r.outcome.status = KB_STATUS_CORRECT;
	r.reference_device_timing = device_slopes(100000, 0, 0, NULL);
	r.device_timing = device_slopes(50000, 0, 0, NULL);
	r.reference_device_timing->timing->control_ns = 80000;
	kb_time_decide(r.reference_device_timing->timing, NULL);
	check_int(r.reference_device_timing->timing->basis, KB_BASIS_CONTROL);
	kb_remeasure_compare(&m, &r, &r, KB_CLOCK_DEVICE);
	check_int(m.answer, KB_AGAIN_AMBIGUOUS);
	check_str(m.why, "a reference has the time of its control timing, and "
			 "no interval");
	check_int(m.now.reference.at.low_ns, KB_UNKNOWN);
	kb_result_release(&r);
}

static void test_six_trials_are_enough(void)
{
	const struct side s = { 9, 5, 0 };
	struct kb_remeasured r;

	check_int(compare(&r, &s, &s, 6), KB_AGAIN_SAME);
}

static void test_plain_times_stand_beside(void)
{
	const struct side claimed = { 1000, 500, 0 }, now = { 3000, 1000, 300 };
	struct kb_remeasured r;

	check_int(compare(&r, &claimed, &now, TRIALS), KB_AGAIN_SLOWER);
	check_int(r.candidate.micro, 3000000);
	check_int(r.candidate.low_micro, 2700000);
	check_int(r.candidate.high_micro, 3300000);
	check_int(r.reference.micro, 2000000);
	check_int(r.reference.low_micro, 2000000);
	check_int(r.claimed.candidate.time_ns, 1000);
	check_int(r.now.candidate.at.low_ns, 2700);
	check_int(r.now.reference.time_ns, 1000);
}

static void test_another_status_is_the_answer(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result a = result(&s, TRIALS), b = result(&s, TRIALS);
	struct kb_remeasurement m = KB_REMEASUREMENT_INIT;
	size_t counts[KB_AGAIN_COUNT];

	b.outcome.status = KB_STATUS_MISMATCH;
	b.outcome.detail = kb_xstrdup("values beyond the tolerance");
	m.count = 1;
	m.items = kb_xcalloc(1, sizeof(*m.items));
	kb_remeasure_compare(m.items, &a, &b, KB_CLOCK_CALL);
	check_int(m.items[0].answer, KB_AGAIN_CHANGED_STATUS);
	check_int(m.items[0].claimed.status, KB_STATUS_CORRECT);
	check_int(m.items[0].now.status, KB_STATUS_MISMATCH);
	check_str(m.items[0].detail, "values beyond the tolerance");
	check_int(m.items[0].change.micro, KB_UNKNOWN);

	kb_remeasurement_count(counts, &m);
	check_int(counts[KB_AGAIN_SAME], 0);
	check_int(counts[KB_AGAIN_CHANGED_STATUS], 1);
	kb_remeasurement_release(&m);
	kb_result_release(&a);
	kb_result_release(&b);
}

/* The same failure, twice, has no time to differ in. */
static void test_same_failure_is_the_same(void)
{
	const struct side s = { NONE, 500, 0 };
	struct kb_result a = result(&s, TRIALS), b = result(&s, TRIALS);
	struct kb_remeasured r;

	a.outcome.status = b.outcome.status = KB_STATUS_CRASHED;
	kb_remeasure_compare(&r, &a, &b, KB_CLOCK_CALL);
	check_int(r.answer, KB_AGAIN_SAME);
	check(!r.why);
	kb_result_release(&a);
	kb_result_release(&b);
}

static void test_claim_alone_has_nothing_of_now(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result a = result(&s, TRIALS);
	struct kb_remeasured r;

	kb_remeasure_claim(&r, &a, KB_CLOCK_CALL);
	check_int(r.answer, KB_AGAIN_DIFFERENT_STACK);
	check_int(r.claimed.candidate.time_ns, 1000);
	check_int(r.now.candidate.time_ns, KB_UNKNOWN);
	check_int(r.now.reference.at.high_ns, KB_UNKNOWN);
	check_int(r.change.micro, KB_UNKNOWN);
	kb_result_release(&a);
}

static struct kb_device_timing *device_timing(int64_t time_ns)
{
	struct kb_device_timing *t = kb_device_timing_new();

	t->timing = timing(KB_CLOCK_DEVICE, time_ns, 0, TRIALS);
	return t;
}

static void test_each_clock_has_its_own_answer(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result a = result(&s, TRIALS), b = result(&s, TRIALS);
	struct kb_remeasured r;

	a.device_timing = device_timing(400);
	a.reference_device_timing = device_timing(200);
	b.device_timing = device_timing(800);
	b.reference_device_timing = device_timing(200);
	kb_remeasure_compare(&r, &a, &b, KB_CLOCK_CALL);
	check_int(r.answer, KB_AGAIN_SAME);
	kb_remeasure_compare(&r, &a, &b, KB_CLOCK_DEVICE);
	check_int(r.answer, KB_AGAIN_SLOWER);
	check_int(r.change.micro, 2000000);
	kb_result_release(&a);
	kb_result_release(&b);
}

static void test_check_finds_a_time_that_does_not_follow(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result a = result(&s, TRIALS);
	struct kb_err err = KB_ERR_INIT;

	a.device_timing = device_timing(400);
	a.reference_device_timing = device_timing(200);
	a.timing->device_ns = 400;
	a.reference_timing->device_ns = 200;
	check_int(kb_remeasure_check(&a, &err), 0);
	/* Both follow, and tell another time by the device's clock. */
	a.timing->device_ns = 399;
	check_int(kb_remeasure_check(&a, &err), -KB_ERR_INPUT);
	check_str(err.msg, "candidate time of problem '1/19' does not follow "
			   "from its samples");
	a.timing->device_ns = 400;
	a.reference_timing->device_ns = KB_UNKNOWN;
	check_int(kb_remeasure_check(&a, &err), -KB_ERR_INPUT);
	check_str(err.msg, "reference time of problem '1/19' does not follow "
			   "from its samples");
	a.reference_timing->device_ns = 200;
	a.device_timing->timing->time_ns = 399;
	check_int(kb_remeasure_check(&a, &err), -KB_ERR_INPUT);
	check_str(err.msg, "candidate time of problem '1/19' does not follow "
			   "from its samples");
	a.device_timing->timing->time_ns = 400;
	a.timing->time_ns = 999;
	check_int(kb_remeasure_check(&a, &err), -KB_ERR_INPUT);
	check_str(err.msg, "candidate time of problem '1/19' does not follow "
			   "from its samples");
	a.reference_timing->time_ns = 501;
	check_int(kb_remeasure_check(&a, &err), -KB_ERR_INPUT);
	check_str(err.msg, "reference time of problem '1/19' does not follow "
			   "from its samples");
	kb_result_release(&a);
}

TAP_MAIN(TAP(test_answers_follow_from_times),
	 TAP(test_answers_turn_over_with_the_sessions),
	 TAP(test_intervals_hold_what_they_should),
	 TAP(test_doubt_has_a_reason),
	 TAP(test_the_bound_has_an_interval_as_well),
	 TAP(test_who_is_not_queued_has_its_call_time),
	 TAP(test_a_device_time_brings_its_interval),
	 TAP(test_a_control_time_has_no_interval),
	 TAP(test_six_trials_are_enough),
	 TAP(test_plain_times_stand_beside),
	 TAP(test_another_status_is_the_answer),
	 TAP(test_same_failure_is_the_same),
	 TAP(test_claim_alone_has_nothing_of_now),
	 TAP(test_each_clock_has_its_own_answer),
	 TAP(test_check_finds_a_time_that_does_not_follow));
