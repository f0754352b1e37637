#include "measure/device_time.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "lib/tap.h"
#include "manifest/device_timing.h"
#include "measure/stats.h"

#define TRIALS 15
#define HUGE_NS KB_STAT_NS_MAX
#define NONE KB_UNKNOWN

/*
 * Calls of `call_ns`, in batches that pay `once_ns` once, and `wasted_ns`
 * more if they are small. Slopes are `step_ns` apart: of each five two are
 * below the median, two above. Of 15 so made the interval at 95 % goes one
 * step to each side, that at 99.9 % two steps.
 */
struct batches {
	int64_t call_ns, step_ns, once_ns, wasted_ns;
	int n_small, n_large;		/* 0: there is no such timing */
};

static struct kb_timing *make(const struct batches *b, size_t count)
{
	const bool slope = b->n_large > b->n_small;
	struct kb_timing *t;

	if (!b->n_small)
		return NULL;
	t = kb_xcalloc(1, sizeof(*t));
	t->method = slope ? KB_METHOD_SLOPE : KB_METHOD_SINGLE;
	t->clock = KB_CLOCK_DEVICE;
	t->n_small = b->n_small;
	t->n_large = b->n_large;
	t->small_count = count;
	t->large_count = slope ? count : 0;
	t->small_ns = kb_xcalloc(count, sizeof(*t->small_ns));
	t->large_ns = kb_xcalloc(count, sizeof(*t->large_ns));
	for (size_t i = 0; i < count; i++) {
		int64_t off_ns = ((int64_t)(i % 5) - 2) * b->step_ns;

		t->small_ns[i] = b->once_ns + b->wasted_ns +
				 b->n_small * b->call_ns;
		t->large_ns[i] = b->once_ns + b->n_large * b->call_ns +
				 (b->n_large - b->n_small) * off_ns;
	}
	return t;
}

#define BATCHES(call, step) { (call), (step), 15000, 0, 4, 12 }
#define WASTED(call, wasted) { (call), 10, 15000, (wasted), 4, 12 }
#define SINGLE(call) { (call), 10, 15000, 0, 1, 1 }
#define FEW(call, step) { (call), (step), 15000, 0, 1, 3 }
#define ABSENT { .n_small = 0 }

static const struct {
	const char *what;
	struct batches batches, few_calls, publishing;
	int64_t publish_ns;
	struct batches reference;
	size_t trials;
	int64_t time_ns;
	enum kb_decider decider;
	int64_t low_ns, high_ns;
} cases[] = {
	{ "an honest one keeps the time of its batches",
	  BATCHES(10000, 10), FEW(10000, 20), BATCHES(15000, 10), 5000,
	  BATCHES(12000, 10), TRIALS,
	  10000, KB_DECIDER_BATCHES, 9990, 10010 },
	{ "batches alone are enough",
	  BATCHES(10000, 10), ABSENT, ABSENT, NONE, ABSENT, TRIALS,
	  10000, KB_DECIDER_BATCHES, 9990, 10010 },

	{ "calls fused into one: few of them tell",
	  BATCHES(6000, 10), FEW(10000, 20), ABSENT, NONE,
	  BATCHES(12000, 10), TRIALS,
	  10020, KB_DECIDER_FEW_CALLS, 9980, 10020 },
	{ "batches that far below the interval of few calls are within",
	  BATCHES(8460, 10), FEW(10000, 20), ABSENT, NONE,
	  BATCHES(12000, 10), TRIALS,
	  8460, KB_DECIDER_BATCHES, 8450, 8470 },
	{ "a nanosecond more they are not",
	  BATCHES(8459, 10), FEW(10000, 20), ABSENT, NONE,
	  BATCHES(12000, 10), TRIALS,
	  10020, KB_DECIDER_FEW_CALLS, 9980, 10020 },
	{ "few calls that were quicker say nothing",
	  BATCHES(10000, 10), FEW(9000, 20), ABSENT, NONE,
	  BATCHES(12000, 10), TRIALS,
	  10000, KB_DECIDER_BATCHES, 9990, 10010 },

	{ "an early starter gains nothing while inputs are published",
	  BATCHES(6000, 10), FEW(6000, 20), BATCHES(15000, 10), 5000,
	  BATCHES(12000, 10), TRIALS,
	  10000, KB_DECIDER_PUBLISHING, 9990, 10010 },
	{ "one hundredth is within the slack of publishing",
	  BATCHES(9900, 10), ABSENT, BATCHES(15000, 0), 5000,
	  ABSENT, TRIALS,
	  9900, KB_DECIDER_BATCHES, 9890, 9910 },
	{ "a nanosecond more is not",
	  BATCHES(9899, 10), ABSENT, BATCHES(15000, 0), 5000,
	  ABSENT, TRIALS,
	  10000, KB_DECIDER_PUBLISHING, 10000, 10000 },
	{ "nothing is known of publishing that was not calibrated",
	  BATCHES(6000, 10), ABSENT, BATCHES(15000, 10), NONE,
	  ABSENT, TRIALS,
	  6000, KB_DECIDER_BATCHES, 5990, 6010 },

	/* Single calls, which pay 15000 ns once. */
	{ "an honest one keeps the time of its single calls",
	  SINGLE(10000), ABSENT, SINGLE(30000), 20000, BATCHES(12000, 10),
	  TRIALS, 25000, KB_DECIDER_BATCHES, 25000, 25000 },
	{ "an early starter gains nothing by refusing more than one",
	  SINGLE(6000), ABSENT, SINGLE(30000), 20000, BATCHES(12000, 10),
	  TRIALS, 25000, KB_DECIDER_PUBLISHING, 25000, 25000 },
	{ "slopes are not held against single calls",
	  BATCHES(6000, 10), ABSENT, SINGLE(30000), 20000, ABSENT, TRIALS,
	  6000, KB_DECIDER_BATCHES, 5990, 6010 },
	{ "nor single calls against slopes",
	  SINGLE(6000), ABSENT, BATCHES(50000, 10), 20000, ABSENT, TRIALS,
	  21000, KB_DECIDER_BATCHES, 21000, 21000 },

	/* A slope of 2500 ns, of calls that take 10000. */
	{ "time wasted in small batches gains the slack at most",
	  WASTED(10000, 60000), ABSENT, ABSENT, NONE,
	  BATCHES(12000, 10), TRIALS,
	  9333, KB_DECIDER_FLOOR, NONE, NONE },
	{ "nobody to compare with means no floor",
	  WASTED(10000, 60000), ABSENT, ABSENT, NONE, ABSENT, TRIALS,
	  2500, KB_DECIDER_BATCHES, 2490, 2510 },
	{ "a reference of one size has no gate to compare with",
	  WASTED(10000, 60000), ABSENT, ABSENT, NONE, SINGLE(12000), TRIALS,
	  2500, KB_DECIDER_BATCHES, 2490, 2510 },
	{ "wasting in few calls as well gains no more",
	  WASTED(10000, 60000), { 10000, 10, 15000, 15000, 1, 3 }, ABSENT,
	  NONE, BATCHES(12000, 10), TRIALS,
	  9333, KB_DECIDER_FLOOR, NONE, NONE },

	{ "the largest decides: few calls",
	  BATCHES(6000, 10), FEW(12000, 20), BATCHES(15000, 10), 5000,
	  BATCHES(12000, 10), TRIALS,
	  12020, KB_DECIDER_FEW_CALLS, 11980, 12020 },
	{ "the largest decides: publishing",
	  BATCHES(6000, 10), FEW(9000, 20), BATCHES(15000, 10), 5000,
	  BATCHES(12000, 10), TRIALS,
	  10000, KB_DECIDER_PUBLISHING, 9990, 10010 },

	{ "a single size is what it is",
	  SINGLE(10000), FEW(90000, 20), BATCHES(90000, 10), 5000,
	  BATCHES(12000, 10), TRIALS,
	  25000, KB_DECIDER_BATCHES, 25000, 25000 },
	{ "others of a single size do not decide",
	  BATCHES(10000, 10), SINGLE(90000), SINGLE(90000), 5000,
	  BATCHES(12000, 10), TRIALS,
	  10000, KB_DECIDER_BATCHES, 9990, 10010 },

	{ "five trials have no interval",
	  BATCHES(6000, 10), FEW(10000, 20), BATCHES(15000, 10), 5000,
	  ABSENT, 5,
	  6000, KB_DECIDER_BATCHES, NONE, NONE },
	{ "ten trials have none at 99.9 %",
	  BATCHES(6000, 10), FEW(10000, 20), BATCHES(15000, 10), 5000,
	  ABSENT, 10,
	  6000, KB_DECIDER_BATCHES, 5980, 6020 },
	{ "eleven trials are enough",
	  BATCHES(6000, 10), FEW(10000, 20), ABSENT, NONE,
	  ABSENT, 11,
	  10040, KB_DECIDER_FEW_CALLS, 9960, 10040 },

	{ "a slope that is not above zero is no time",
	  WASTED(10000, 80000), FEW(10000, 20), BATCHES(15000, 10), 5000,
	  BATCHES(12000, 10), TRIALS,
	  NONE, KB_DECIDER_BATCHES, NONE, NONE },
};

static void test_what_decides(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_device_timing *t = kb_device_timing_new();
		struct kb_device_timing *r = kb_device_timing_new();

		t->batches = make(&cases[i].batches, cases[i].trials);
		t->few_calls = make(&cases[i].few_calls, cases[i].trials);
		t->publishing = make(&cases[i].publishing, cases[i].trials);
		t->publish_ns = cases[i].publish_ns;
		r->batches = make(&cases[i].reference, cases[i].trials);
		/* What was there before does not matter. */
		t->decider = KB_DECIDER_FLOOR;
		t->time_ns = t->low_ns = t->high_ns = HUGE_NS;
		kb_device_time_decide(t, r->batches ? r : NULL);
		if (t->time_ns != cases[i].time_ns ||
		    t->decider != cases[i].decider ||
		    t->low_ns != cases[i].low_ns ||
		    t->high_ns != cases[i].high_ns)
			tap_fail("%s: %lld by %d, %lld to %lld", cases[i].what,
				 (long long)t->time_ns, t->decider,
				 (long long)t->low_ns, (long long)t->high_ns);
		kb_device_timing_free(t);
		kb_device_timing_free(r);
	}
}

static void test_no_gate_is_no_time(void)
{
	const struct batches wasted = WASTED(10000, 60000);
	struct kb_device_timing *t = kb_device_timing_new();
	struct kb_device_timing *r = kb_device_timing_new();

	r->no_gate = kb_xstrdup("forward() waits for the device");
	t->batches = make(&wasted, TRIALS);
	kb_device_time_decide(t, r);		/* the reference has none */
	check_int(t->time_ns, 2500);
	check_int(t->decider, KB_DECIDER_BATCHES);

	t->time_ns = t->low_ns = t->high_ns = 1;
	t->no_gate = kb_xstrdup("forward() waits for the device");
	kb_device_time_decide(t, NULL);
	check(t->time_ns == KB_UNKNOWN);
	check(t->low_ns == KB_UNKNOWN);
	check(t->high_ns == KB_UNKNOWN);
	kb_device_timing_free(t);
	kb_device_timing_free(r);
}

/* A record can claim any numbers: none may overflow, and what comes out can
 * be recorded. */
static const struct hostile {
	int64_t small_ns, large_ns;
	int n_small, n_large;
} hostile[] = {
	{ 0, HUGE_NS, 1, 2 },
	{ HUGE_NS, 0, 1, 2 },
	{ HUGE_NS, HUGE_NS, KB_CALLS_MAX - 1, KB_CALLS_MAX },
	{ 1, HUGE_NS, KB_CALLS_MAX - 1, KB_CALLS_MAX },
	{ 0, 0, 1, 2 },
	{ HUGE_NS, 0, 1, 1 },
	{ 7, 9, 5, 3 },			/* upside down */
	{ 7, 9, 0, 0 },
};

static struct kb_timing *make_hostile(const struct hostile *h)
{
	const struct batches any = BATCHES(1, 0);
	struct kb_timing *t = make(&any, TRIALS);

	for (size_t i = 0; i < TRIALS; i++) {
		t->small_ns[i] = h->small_ns;
		t->large_ns[i] = h->large_ns;
	}
	t->n_small = h->n_small;
	t->n_large = h->n_large;
	if (h->n_small == h->n_large) {
		t->method = KB_METHOD_SINGLE;
		t->large_count = 0;
	}
	return t;
}

static bool fits(int64_t ns)
{
	return ns == KB_UNKNOWN || (ns >= -HUGE_NS && ns <= HUGE_NS);
}

static void check_hostile(size_t a, size_t b, int64_t publish_ns)
{
	struct kb_device_timing *t = kb_device_timing_new();
	struct kb_device_timing *r = kb_device_timing_new();

	t->batches = make_hostile(&hostile[a]);
	t->few_calls = make_hostile(&hostile[b]);
	t->publishing = make_hostile(&hostile[(a + b) % KB_ARRAY_LEN(hostile)]);
	t->publish_ns = publish_ns;
	r->batches = make_hostile(&hostile[b]);
	kb_device_time_decide(t, r);
	check(t->time_ns == KB_UNKNOWN || t->time_ns >= 1);
	check(fits(t->time_ns) && fits(t->low_ns) && fits(t->high_ns));
	check(t->low_ns <= t->high_ns);
	kb_device_time_is_precise(t->batches, INT64_MAX);
	kb_device_timing_free(t);
	kb_device_timing_free(r);
}

static void test_absurd_samples_are_harmless(void)
{
	for (size_t a = 0; a < KB_ARRAY_LEN(hostile); a++)
		for (size_t b = 0; b < KB_ARRAY_LEN(hostile); b++) {
			check_hostile(a, b, KB_UNKNOWN);
			check_hostile(a, b, 0);
			check_hostile(a, b, HUGE_NS);
		}
}

static void test_sizes_that_differ_in_number_are_no_time(void)
{
	const struct batches b = BATCHES(10000, 10);
	struct kb_device_timing *t = kb_device_timing_new();

	t->batches = make(&b, TRIALS);
	t->batches->large_count--;
	kb_device_time_decide(t, NULL);
	check(t->time_ns == KB_UNKNOWN);
	check(!kb_device_time_is_precise(t->batches, 1000000));
	kb_device_timing_free(t);
}

static const struct {
	struct batches batches;
	size_t trials;
	int64_t interval_ppm;
	bool precise;
} precisions[] = {
	{ BATCHES(10000, 10), TRIALS, 2000, true },	/* 20 of 10000 */
	{ BATCHES(10000, 10), TRIALS, 1999, false },
	{ BATCHES(10000, 0), TRIALS, 0, true },
	{ BATCHES(10000, 10), TRIALS, -1, false },
	{ BATCHES(10000, 0), 6, 5000, true },
	{ BATCHES(10000, 0), 5, 5000, false },		/* no interval */
	{ BATCHES(10000, 0), 0, 5000, false },
	{ WASTED(10000, 80000), TRIALS, 1000000, false },	/* no time */
	{ SINGLE(10000), TRIALS, 0, true },
};

static void test_enough_trials_are_those_with_a_narrow_interval(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(precisions); i++) {
		struct kb_timing *t = make(&precisions[i].batches,
					   precisions[i].trials);
		bool got = kb_device_time_is_precise(t,
						     precisions[i].interval_ppm);

		if (got != precisions[i].precise)
			tap_fail("row %zu is %d", i, got);
		kb_timing_free(t);
	}
	check(!kb_device_time_is_precise(NULL, 1000000));
}

TAP_MAIN(TAP(test_what_decides),
	 TAP(test_no_gate_is_no_time),
	 TAP(test_absurd_samples_are_harmless),
	 TAP(test_sizes_that_differ_in_number_are_no_time),
	 TAP(test_enough_trials_are_those_with_a_narrow_interval));
