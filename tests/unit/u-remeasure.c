#include "score/remeasure.h"

#include <stdbool.h>

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/device_timing.h"
#include "manifest/timing.h"
#include "measure/call_time.h"
#include "measure/device_time.h"
#include "score/speedup.h"

#define TRIALS 10
#define NONE KB_UNKNOWN

/* Trials of one call each, whose median is `time_ns` and whose extremes are
 * `spread_ns` from it. NULL for no time. */
static struct kb_timing *timing(enum kb_clock clock, int64_t time_ns,
				int64_t spread_ns, size_t trials)
{
	struct kb_timing *t;

	if (time_ns == NONE)
		return NULL;
	t = kb_timing_new(clock, 1, 1);
	for (size_t i = 0; i < trials; i++)
		kb_timing_add(t, false, time_ns + (i == 0 ? -spread_ns : i == 1 ?
						   spread_ns : 0));
	t->call_time_ns = kb_call_time_of(t);
	return t;
}

struct side {
	int64_t candidate_ns, reference_ns;
	int64_t spread_ns;		/* of the candidate */
};

static struct kb_result result(const struct side *s, size_t trials)
{
	struct kb_result r = KB_RESULT_INIT;

	r.key = (struct kb_key){ .level = 1, .problem_id = 19 };
	r.sample_id = 3;
	r.outcome.status = KB_STATUS_CORRECT;
	r.timing = timing(KB_CLOCK_CALL, s->candidate_ns, s->spread_ns,
			  trials);
	r.reference_timing = timing(KB_CLOCK_CALL, s->reference_ns, 0, trials);
	return r;
}

static enum kb_again compare(struct kb_remeasured *out,
			     const struct side *claimed,
			     const struct side *now, size_t trials)
{
	struct kb_result a = result(claimed, trials);
	struct kb_result b = result(now, trials);

	kb_remeasure_compare(out, &a, &b, KB_CLOCK_CALL);
	kb_result_release(&a);
	kb_result_release(&b);
	return out->answer;
}

#define MAX KB_SPEEDUP_MICRO_MAX
#define MOST INT64_C(9007199254740991)

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
	  1050000, 1050000, 1050001 },
	/* a machine of half the speed is no slower candidate */
	{ { 100000, 50000, 0 }, { 200000, 100000, 0 }, KB_AGAIN_SAME,
	  1000000, 1000000, 1000000 },
	/* a reference that is slower now is a candidate that is faster */
	{ { 100000, 50000, 0 }, { 100000, 60000, 0 }, KB_AGAIN_FASTER,
	  833333, 833333, 833334 },
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
	{ { 9, 5, 0 }, { 9, 5, 0 }, 7,
	  "too few trials for an interval" },
	{ { 9, 5, 2 }, { 9, 5, 0 }, 8,
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

/* It paid 1 ms more in its small batches than the reference, so its slope
 * says too little. */
static void test_floor_has_no_interval(void)
{
	const struct side s = { 1000000, 1000000, 0 };
	struct kb_result a = result(&s, TRIALS), b = result(&s, TRIALS);
	struct kb_remeasured r;

	kb_timing_free(b.timing);
	kb_timing_free(b.reference_timing);
	b.timing = kb_timing_new(KB_CLOCK_CALL, 4, 12);
	b.reference_timing = kb_timing_new(KB_CLOCK_CALL, 4, 12);
	for (int i = 0; i < TRIALS; i++) {
		kb_timing_add(b.timing, false, 5000000);
		kb_timing_add(b.timing, true, 12000000);
		kb_timing_add(b.reference_timing, false, 4000000);
		kb_timing_add(b.reference_timing, true, 12000000);
	}
	b.reference_timing->call_time_ns = kb_call_time_of(b.reference_timing);
	b.timing->call_time_ns = kb_call_time_beside(b.timing,
						     b.reference_timing);
	kb_remeasure_compare(&r, &a, &b, KB_CLOCK_CALL);
	check_int(r.answer, KB_AGAIN_AMBIGUOUS);
	check_str(r.why ? r.why : "", "a floor made the time: no interval");
	check_int(r.change.micro, 991666);
	check_int(r.change.high_micro, KB_UNKNOWN);
	kb_result_release(&a);
	kb_result_release(&b);
}

static void test_eight_trials_are_enough(void)
{
	const struct side s = { 9, 5, 0 };
	struct kb_remeasured r;

	check_int(compare(&r, &s, &s, 8), KB_AGAIN_SAME);
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

	t->batches = timing(KB_CLOCK_DEVICE, time_ns, 0, TRIALS);
	kb_device_time_decide(t, NULL);
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

	check_int(kb_remeasure_check(&a, KB_CLOCK_CALL, &err), 0);
	a.timing->call_time_ns = 999;
	check_int(kb_remeasure_check(&a, KB_CLOCK_CALL, &err), -KB_ERR_INPUT);
	check_str(err.msg, "candidate time of problem '1/19' does not follow "
			   "from its samples");
	a.reference_timing->call_time_ns = 501;
	check_int(kb_remeasure_check(&a, KB_CLOCK_CALL, &err), -KB_ERR_INPUT);
	check_str(err.msg, "reference time of problem '1/19' does not follow "
			   "from its samples");
	check_int(kb_remeasure_check(&a, KB_CLOCK_DEVICE, &err), 0);
	kb_result_release(&a);
}

TAP_MAIN(TAP(test_answers_follow_from_times),
	 TAP(test_answers_turn_over_with_the_sessions),
	 TAP(test_doubt_has_a_reason),
	 TAP(test_floor_has_no_interval),
	 TAP(test_eight_trials_are_enough),
	 TAP(test_plain_times_stand_beside),
	 TAP(test_another_status_is_the_answer),
	 TAP(test_same_failure_is_the_same),
	 TAP(test_claim_alone_has_nothing_of_now),
	 TAP(test_each_clock_has_its_own_answer),
	 TAP(test_check_finds_a_time_that_does_not_follow));
