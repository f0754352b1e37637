#include "measure/time_rule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/stats.h"

#define HUGE_NS KB_STAT_NS_MAX
#define NONE KB_UNKNOWN
#define TRIALS 15

/*
 * Calls of `call_ns` in runs that pay `once_ns` once; a run of one call takes
 * `one_ns`, alone `alone_ns`. Slopes and runs of one call are `step_ns` apart:
 * of each five two are below the median, two above. Of 15 so made the interval
 * at 95 % goes one step to each side, that at 99.9 % two steps.
 */
struct side {
	int n_small, n_large;		/* both 0: there is no such timing */
	int64_t call_ns, step_ns, once_ns;
	int64_t one_ns;			/* NONE: no such runs */
	int64_t alone_ns;		/* likewise */
	enum { DEVICE, CALL, HOST } by;	/* HOST: nothing is copied in */
	bool no_calls;			/* in its runs of one call */
	int64_t device_ns;		/* 0: not known */
};

static int64_t off_ns(size_t i, int64_t step_ns)
{
	return ((int64_t)(i % 5) - 2) * step_ns;
}

static struct kb_timing *make(const struct side *s, size_t trials,
			      size_t runs)
{
	struct kb_timing *t;

	if (!s->n_large)
		return NULL;
	t = kb_timing_new(s->by == DEVICE ? KB_CLOCK_DEVICE : KB_CLOCK_CALL,
			  s->n_small, s->n_large);
	if (s->by != HOST)
		t->copy_in_small_ns = t->copy_in_large_ns = 700;
	if (s->device_ns)
		t->device_ns = s->device_ns;
	t->n_one_call = !s->no_calls;
	for (size_t i = 0; i < trials; i++) {
		kb_timing_add(t, KB_SERIES_SMALL,
			      s->once_ns + s->n_small * s->call_ns);
		kb_timing_add(t, KB_SERIES_LARGE, s->once_ns +
			      s->n_large * s->call_ns +
			      (s->n_large - s->n_small) *
				      off_ns(i, s->step_ns));
	}
	for (size_t i = 0; i < runs && s->one_ns != NONE; i++)
		kb_timing_add(t, KB_SERIES_ONE_CALL,
			      s->one_ns + off_ns(i, s->step_ns));
	for (size_t i = 0; i < runs && s->alone_ns != NONE; i++)
		kb_timing_add(t, KB_SERIES_ALONE, s->alone_ns);
	return t;
}

#define SLOPE(call, step, one)						\
	{ 4, 12, (call), (step), 15000, (one), NONE, DEVICE, false, 0 }
/* One call, beside none. */
#define ONE(call, one)							\
	{ 0, 1, (call), 10, 15000, (one), NONE, DEVICE, false, 0 }
#define HOST_SLOPE(call, step, one)					\
	{ 4, 12, (call), (step), 15000, (one), NONE, HOST, false, 0 }
/* By the call clock, with a time by the device's. */
#define CALLS(call, one, device)					\
	{ 4, 12, (call), 10, 15000, (one), NONE, CALL, false, (device) }
/* A reference: nothing of its runs of one call varies, so that all that does
 * is the candidate's. */
#define BESIDE(call, one, alone)					\
	{ 4, 12, (call), 0, 15000, (one), (alone), DEVICE, false, 0 }
#define BESIDE_NO_CALLS(call, one, alone)				\
	{ 4, 12, (call), 0, 15000, (one), (alone), DEVICE, true, 0 }
#define BESIDE_ONE(call, one)						\
	{ 0, 1, (call), 0, 15000, (one), NONE, DEVICE, false, 0 }
#define BESIDE_CALLS(call, one)						\
	{ 4, 12, (call), 0, 15000, (one), NONE, CALL, false, 0 }
#define BESIDE_HOST(call, one)						\
	{ 4, 12, (call), 0, 15000, (one), NONE, HOST, false, 0 }
#define VARYING_HOST(call, one)						\
	{ 4, 12, (call), 100, 15000, (one), NONE, HOST, false, 0 }
#define ABSENT { .n_large = 0 }

/* The shortest runs that there can be, beside the longest: what the reference
 * takes alone is what counts of it. */
#define SHORT_NS (HUGE_NS / 2)

static const struct {
	const char *what;
	struct side side, reference;
	size_t trials, runs;
	int64_t time_ns;
	enum kb_basis basis;
	int64_t low_ns, high_ns;
} cases[] = {
	{ "an honest one keeps its slope",
	  SLOPE(10000, 10, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "slopes alone are enough",
	  SLOPE(10000, 10, NONE), ABSENT, TRIALS, 0,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "five trials have no interval",
	  SLOPE(10000, 10, NONE), ABSENT, 5, 0,
	  10000, KB_BASIS_SLOPE, NONE, NONE },
	{ "without trials there is no time",
	  SLOPE(10000, 10, NONE), ABSENT, 0, 0, NONE, KB_BASIS_SLOPE, NONE,
	  NONE },
	{ "nor with a slope of nothing",
	  SLOPE(0, 10, NONE), ABSENT, TRIALS, 0, NONE, KB_BASIS_SLOPE, NONE,
	  NONE },
	{ "nor below it",
	  SLOPE(-6, 1, NONE), ABSENT, TRIALS, 0, NONE, KB_BASIS_SLOPE, NONE,
	  NONE },

	/* One call takes 12000 - 2000 = 10000, known to 20, and the slack is
	 * 3000. */
	{ "calls side by side: one alone tells",
	  SLOPE(6000, 10, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "so much below the interval of the bound is within",
	  SLOPE(8480, 10, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  8480, KB_BASIS_SLOPE, 8470, 8490 },
	{ "a nanosecond more is not",
	  SLOPE(8479, 10, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "a bound below the slope says nothing",
	  SLOPE(10000, 10, 346000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "a slope that is no time is below any bound",
	  SLOPE(-6, 1, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11499, 11501 },
	{ "ten runs are not sure enough",
	  SLOPE(6000, 10, 356000), BESIDE(12000, 358000, NONE), TRIALS, 10,
	  6000, KB_BASIS_SLOPE, 5990, 6010 },
	{ "eleven are",
	  SLOPE(6000, 0, 356000), BESIDE(12000, 358000, NONE), TRIALS, 11,
	  11500, KB_BASIS_ONE_CALL, 11500, 11500 },
	{ "nor are runs that scatter",
	  SLOPE(6000, 1500, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  6000, KB_BASIS_SLOPE, 4500, 7500 },

	/* From 150050 on the slack is a fiftieth of the bound. */
	{ "3000 of a bound that is not long are within",
	  SLOPE(147029, 10, 400000), BESIDE(150049, 400000, NONE), TRIALS, 15,
	  147029, KB_BASIS_SLOPE, 147019, 147039 },
	{ "and no more",
	  SLOPE(147028, 10, 400000), BESIDE(150049, 400000, NONE), TRIALS, 15,
	  153049, KB_BASIS_ONE_CALL, 153039, 153059 },
	{ "a fiftieth of a longer one is",
	  SLOPE(147029, 10, 400000), BESIDE(150050, 400000, NONE), TRIALS, 15,
	  147029, KB_BASIS_SLOPE, 147019, 147039 },
	{ "and no more of that",
	  SLOPE(147028, 10, 400000), BESIDE(150050, 400000, NONE), TRIALS, 15,
	  153051, KB_BASIS_ONE_CALL, 153041, 153061 },
	{ "where nothing is copied in the slack is another",
	  HOST_SLOPE(79980, 10, 400000), BESIDE_HOST(100000, 400000), TRIALS,
	  15, 79980, KB_BASIS_SLOPE, 79970, 79990 },
	{ "and a nanosecond more is too much there as well",
	  HOST_SLOPE(79979, 10, 400000), BESIDE_HOST(100000, 400000), TRIALS,
	  15, 120000, KB_BASIS_ONE_CALL, 119990, 120010 },
	{ "a fiftieth of a long one there, too",
	  HOST_SLOPE(1959980, 10, 400000), BESIDE_HOST(2000000, 400000),
	  TRIALS, 15, 1959980, KB_BASIS_SLOPE, 1959970, 1959990 },
	{ "and of that no more",
	  HOST_SLOPE(1959979, 10, 400000), BESIDE_HOST(2000000, 400000),
	  TRIALS, 15, 2040000, KB_BASIS_ONE_CALL, 2039990, 2040010 },
	/* Differences are known to 180 then, the reference's slope to 200. */
	{ "there the reference's slope has an interval as well",
	  HOST_SLOPE(79620, 10, 400000), VARYING_HOST(100000, 400000), TRIALS,
	  15, 79620, KB_BASIS_SLOPE, 79610, 79630 },
	{ "and a nanosecond more is too much",
	  HOST_SLOPE(79619, 10, 400000), VARYING_HOST(100000, 400000), TRIALS,
	  15, 120000, KB_BASIS_ONE_CALL, 119910, 120090 },
	{ "of few trials its smallest counts",
	  HOST_SLOPE(79620, 10, 400000), VARYING_HOST(100000, 400000), 5, 15,
	  79620, KB_BASIS_SLOPE, NONE, NONE },
	{ "and no more",
	  HOST_SLOPE(79619, 10, 400000), VARYING_HOST(100000, 400000), 5, 15,
	  120000, KB_BASIS_ONE_CALL, 119910, 120090 },

	/* The reference's runs of one call, made dear by more than 3000, or
	 * a hundredth of its slope. */
	{ "who makes the reference dear gains nothing",
	  SLOPE(4000, 10, 356000), BESIDE(12000, 408000, 358000), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "up to there the reference's runs are what they are",
	  SLOPE(3000, 10, 356000), BESIDE(12000, 361000, 358000), TRIALS, 15,
	  8500, KB_BASIS_ONE_CALL, 8490, 8510 },
	{ "and no further",
	  SLOPE(4000, 10, 356000), BESIDE(12000, 361001, 358000), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "by the call clock as much as drift is gained",
	  CALLS(3000, 356000, NONE),
	  { 4, 12, 12000, 0, 15000, 408000, 358000, CALL, false, 0 }, TRIALS,
	  15, 10000, KB_BASIS_ONE_CALL, 9990, 10010 },
	{ "long calls drift by a hundredth",
	  SLOPE(150000, 10, 356000), BESIDE(300100, 361001, 358000), TRIALS,
	  15, 301000, KB_BASIS_ONE_CALL, 300990, 301010 },
	{ "and not below 300100",
	  SLOPE(150000, 10, 356000), BESIDE(300099, 361001, 358000), TRIALS,
	  15, 304060, KB_BASIS_ONE_CALL, 304050, 304070 },
	{ "without runs alone all of it would have counted",
	  SLOPE(4000, 10, 356000), BESIDE(12000, 408000, NONE), TRIALS, 15,
	  4000, KB_BASIS_SLOPE, 3990, 4010 },
	{ "runs alone that were dearer do not count",
	  SLOPE(6000, 10, 356000), BESIDE(12000, 358000, 408000), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },

	/* What a run costs is 346000. */
	{ "runs of no calls: the reference's slope is not in the bound",
	  SLOPE(6000, 10, 356000), BESIDE_NO_CALLS(12000, 346000, NONE),
	  TRIALS, 15, 11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "whatever it is",
	  SLOPE(6000, 10, 356000), BESIDE_NO_CALLS(90000000, 346000, NONE),
	  TRIALS, 15, 11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "nor in what its runs count at most",
	  SLOPE(4000, 10, 356000), BESIDE_NO_CALLS(90000000, 396000, 346000),
	  TRIALS, 15, 11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "but without one there is no bound",
	  SLOPE(6000, 10, 356000), BESIDE_NO_CALLS(0, 346000, NONE), TRIALS,
	  15, 6000, KB_BASIS_SLOPE, 5990, 6010 },

	{ "without runs of the reference there is no bound",
	  SLOPE(6000, 10, 356000), BESIDE(12000, NONE, NONE), TRIALS, 15,
	  6000, KB_BASIS_SLOPE, 5990, 6010 },
	{ "nor without any of the candidate",
	  SLOPE(6000, 10, NONE), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  6000, KB_BASIS_SLOPE, 5990, 6010 },
	{ "nor beside a reference without a time",
	  SLOPE(6000, 10, 356000), BESIDE(0, 358000, NONE), TRIALS, 15,
	  6000, KB_BASIS_SLOPE, 5990, 6010 },

	/* Of one call and of none: both pay 15000 once. */
	{ "one call beside none is a slope",
	  ONE(10000, NONE), ABSENT, TRIALS, 0,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "which a bound above it corrects",
	  ONE(6000, 356000), BESIDE(12000, 358000, NONE), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },
	{ "and one below it leaves alone",
	  ONE(10000, 346000), BESIDE_ONE(12000, 358000), TRIALS, 15,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "so of the reference",
	  SLOPE(6000, 10, 356000), BESIDE_ONE(12000, 358000), TRIALS, 15,
	  11500, KB_BASIS_ONE_CALL, 11490, 11510 },

	/* No call takes less than its work. */
	{ "a device time that is shorter is no matter",
	  CALLS(10000, NONE, 9999), ABSENT, TRIALS, 0,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "nor one that is the same",
	  CALLS(10000, NONE, 10000), ABSENT, TRIALS, 0,
	  10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "one that is longer is the time",
	  CALLS(10000, NONE, 10001), ABSENT, TRIALS, 0,
	  10001, KB_BASIS_DEVICE, NONE, NONE },
	{ "a bound may be longer",
	  CALLS(6000, 356000, 13000), BESIDE_CALLS(12000, 358000), TRIALS, 15,
	  13000, KB_BASIS_ONE_CALL, 12990, 13010 },
	{ "or not",
	  CALLS(6000, 356000, 13001), BESIDE_CALLS(12000, 358000), TRIALS, 15,
	  13001, KB_BASIS_DEVICE, NONE, NONE },
	{ "without a time by calls there is none",
	  CALLS(0, NONE, 10000), ABSENT, TRIALS, 0,
	  NONE, KB_BASIS_SLOPE, NONE, NONE },
	{ "by the device's clock it is no matter",
	  { 4, 12, 10000, 10, 15000, NONE, NONE, DEVICE, false, 99999 },
	  ABSENT, TRIALS, 0, 10000, KB_BASIS_SLOPE, 9990, 10010 },
	{ "the longest that a device can say",
	  CALLS(10000, NONE, HUGE_NS), ABSENT, TRIALS, 0,
	  HUGE_NS, KB_BASIS_DEVICE, NONE, NONE },

	/* Whatever a record may hold. */
	{ "the longest runs there can be",
	  { 1, 2, 0, 0, HUGE_NS, HUGE_NS, NONE, DEVICE, false, 0 },
	  { 1, 2, HUGE_NS / 2, 0, 0, -HUGE_NS, NONE, DEVICE, false, 0 },
	  TRIALS, 15, HUGE_NS, KB_BASIS_ONE_CALL, HUGE_NS, HUGE_NS },
	{ "and the shortest",
	  { 1, 2, 1, 0, 0, -HUGE_NS, NONE, DEVICE, false, 0 },
	  { 1, 2, HUGE_NS / 2, 0, 0, HUGE_NS, -HUGE_NS, DEVICE, false, 0 },
	  TRIALS, 15, SHORT_NS + SHORT_NS / 50, KB_BASIS_ONE_CALL,
	  SHORT_NS + SHORT_NS / 50, SHORT_NS + SHORT_NS / 50 },
};

struct pair {
	struct kb_timing *t, *reference;
};

static struct pair make_case(size_t i)
{
	return (struct pair){
		make(&cases[i].side, cases[i].trials, cases[i].runs),
		make(&cases[i].reference, cases[i].trials, cases[i].runs),
	};
}

static void free_pair(struct pair *p)
{
	kb_timing_free(p->t);
	kb_timing_free(p->reference);
}

static void test_what_decides(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct pair p = make_case(i);
		const int failed = tap_failed;

		tap_failed = 0;
		kb_time_decide(p.t, p.reference);
		check_int(p.t->time_ns, cases[i].time_ns);
		check_int(p.t->basis, cases[i].basis);
		check_int(p.t->low_ns, cases[i].low_ns);
		check_int(p.t->high_ns, cases[i].high_ns);
		if (tap_failed)
			printf("# in: %s\n", cases[i].what);
		tap_failed |= failed;
		free_pair(&p);
	}
}

static void test_only_what_is_decided_follows(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct pair p = make_case(i);

		kb_time_decide(p.t, p.reference);
		check(kb_time_follows(p.t, p.reference));
		p.t->time_ns = p.t->time_ns == NONE ? 1 : p.t->time_ns - 1;
		check(!kb_time_follows(p.t, p.reference));
		kb_time_decide(p.t, p.reference);
		p.t->basis = !p.t->basis;
		check(!kb_time_follows(p.t, p.reference));
		kb_time_decide(p.t, p.reference);
		p.t->low_ns = p.t->low_ns == NONE ? 1 : NONE;
		check(!kb_time_follows(p.t, p.reference));
		kb_time_decide(p.t, p.reference);
		p.t->high_ns = p.t->high_ns == NONE ? 1 : p.t->high_ns + 1;
		check(!kb_time_follows(p.t, p.reference));
		free_pair(&p);
	}
}

static void test_a_time_that_is_withheld_does_not_follow(void)
{
	const struct side side = SLOPE(10000, 10, NONE);
	struct kb_timing *t = make(&side, TRIALS, 0);

	check(!kb_time_follows(t, NULL));
	kb_timing_free(t);
}

static void test_samples_have_the_time_in_their_middle(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct pair p = make_case(i);
		int64_t *samples_ns;
		size_t count;

		kb_time_decide(p.t, p.reference);
		samples_ns = kb_time_samples_ns(p.t, p.reference, &count);
		check(!samples_ns == (cases[i].time_ns == NONE));
		check(!samples_ns == !count);
		if (samples_ns)
			check_int(kb_median_ns(samples_ns, count),
				  cases[i].time_ns);
		free(samples_ns);
		free_pair(&p);
	}
}

static void test_intervals_at_another_confidence(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct pair p = make_case(i);
		int64_t low_ns = -3, high_ns = -4;
		bool known;

		kb_time_decide(p.t, p.reference);
		known = kb_time_interval(&low_ns, &high_ns, p.t, p.reference,
					 KB_STAT_CONFIDENCE_PPM);
		check_int(known, p.t->low_ns != NONE);
		check_int(low_ns, known ? p.t->low_ns : -3);
		check_int(high_ns, known ? p.t->high_ns : -4);
		if (known && kb_time_interval(&low_ns, &high_ns, p.t,
					      p.reference, 999000)) {
			check(low_ns <= p.t->low_ns);
			check(high_ns >= p.t->high_ns);
		}
		free_pair(&p);
	}
}

static void test_slope_alone(void)
{
	static const struct {
		struct side side;
		int64_t slope_ns;
	} slopes[] = {
		{ SLOPE(10000, 10, 356000), 10000 },
		{ SLOPE(1, 0, NONE), 1 },
		{ SLOPE(0, 0, NONE), NONE },
		{ SLOPE(-1, 0, NONE), NONE },
		{ ONE(10000, NONE), 10000 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(slopes); i++) {
		struct kb_timing *t = make(&slopes[i].side, TRIALS, 2);

		check_int(kb_slope_ns(t), slopes[i].slope_ns);
		kb_timing_free(t);
	}
}

static void test_sizes_without_equally_many_samples(void)
{
	const struct side side = SLOPE(10000, 10, NONE);
	struct kb_timing *t = make(&side, TRIALS, 0);

	t->large_count--;
	check_int(kb_slope_ns(t), KB_UNKNOWN);
	kb_time_decide(t, NULL);
	check_int(t->time_ns, KB_UNKNOWN);
	kb_timing_free(t);
}

static void test_unequal_runs_of_one_call_give_no_bound(void)
{
	const struct side side = SLOPE(6000, 10, 356000);
	const struct side paired = BESIDE(12000, 358000, NONE);
	struct pair p = { make(&side, TRIALS, 15), make(&paired, TRIALS, 14) };

	kb_time_decide(p.t, p.reference);
	check_int(p.t->time_ns, 6000);
	check_int(p.t->basis, KB_BASIS_SLOPE);
	free_pair(&p);
}

/* Of a reference that has been timed without a candidate as well. */
static void test_control_timings_are_the_most_that_counts(void)
{
	static const struct {
		int64_t call_ns, control_ns, time_ns;
		enum kb_basis basis;
	} controls[] = {
		{ 41700, 35500, 36500, KB_BASIS_CONTROL },
		{ 36501, 35500, 36500, KB_BASIS_CONTROL },
		{ 36500, 35500, 36500, KB_BASIS_SLOPE },
		{ 30000, 35500, 30000, KB_BASIS_SLOPE },
		{ 20000000, 10000000, 10200000, KB_BASIS_CONTROL },
		{ 10200000, 10000000, 10200000, KB_BASIS_SLOPE },
		{ 41700, NONE, 41700, KB_BASIS_SLOPE },
		{ 41700, KB_STAT_NS_MAX, 41700, KB_BASIS_SLOPE },
		{ 5000, 1, 1001, KB_BASIS_CONTROL },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(controls); i++) {
		const struct side side = SLOPE(controls[i].call_ns, 10, NONE);
		struct kb_timing *t = make(&side, TRIALS, 0);
		int64_t low_ns = 7, high_ns = 7;
		int64_t *samples_ns;
		size_t count;

		t->control_ns = controls[i].control_ns;
		kb_time_decide(t, NULL);
		check_int(t->time_ns, controls[i].time_ns);
		check_int(t->basis, controls[i].basis);
		check_int(t->low_ns == KB_UNKNOWN,
			  t->basis == KB_BASIS_CONTROL);
		check(kb_time_follows(t, NULL));
		check_int(kb_slope_ns(t), controls[i].call_ns);
		samples_ns = kb_time_samples_ns(t, NULL, &count);
		check_int((intmax_t)count, TRIALS);
		check_int(samples_ns[TRIALS / 2], t->time_ns);
		check_int(kb_time_interval(&low_ns, &high_ns, t, NULL, 950000),
			  t->basis == KB_BASIS_SLOPE);
		free(samples_ns);
		t->control_ns = controls[i].time_ns / 3;
		check(!kb_time_follows(t, NULL));
		kb_timing_free(t);
	}
}

/* The bound itself, and what a slope is granted below it. */
static void test_bound_and_slack(void)
{
	static const struct {
		struct side side, reference;
		size_t runs;
		int64_t bound_ns, slack_ns;
	} bounds[] = {
		{ SLOPE(10000, 10, 356000), BESIDE(12000, 358000, NONE), 15,
		  10000, 1500 },
		{ SLOPE(10000, 10, 356000), BESIDE(12000, 358000, NONE), 1,
		  9980, 1500 },
		{ SLOPE(10000, 10, 356000), BESIDE(12000, 408000, 358000), 15,
		  10000, 1500 },
		{ SLOPE(10000, 10, 346000), BESIDE(12000, 358000, NONE), 15,
		  0, 1500 },
		{ SLOPE(10000, 10, 336000), BESIDE(12000, 358000, NONE), 15,
		  -10000, 1500 },
		{ SLOPE(10000, 10, 358000), BESIDE(150050, 358000, NONE), 15,
		  150050, 3001 },
		{ ONE(10000, 356000), BESIDE(12000, 358000, NONE), 15,
		  10000, 1500 },
		{ HOST_SLOPE(10000, 10, 358000), BESIDE_HOST(12000, 358000),
		  15, 12000, 20000 },
		{ HOST_SLOPE(10000, 10, 358000), BESIDE_HOST(1000050, 358000),
		  15, 1000050, 20001 },
		{ SLOPE(10000, 10, 356000), ABSENT, 15, NONE, NONE },
		{ SLOPE(10000, 10, 356000), BESIDE(0, 358000, NONE), 15, NONE,
		  NONE },
		{ SLOPE(10000, 10, 356000), BESIDE(12000, 358000, NONE), 0,
		  NONE, NONE },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(bounds); i++) {
		struct pair p = {
			make(&bounds[i].side, TRIALS, bounds[i].runs),
			make(&bounds[i].reference, TRIALS, bounds[i].runs),
		};

		check_int(kb_bound_ns(p.t, p.reference), bounds[i].bound_ns);
		check_int(kb_bound_slack_ns(p.t, p.reference),
			  bounds[i].slack_ns);
		free_pair(&p);
	}
}

static void test_ranks_have_a_slack_of_their_own(void)
{
	static const struct side side = SLOPE(6000, 10, 356000);
	static const struct side reference = BESIDE(12000, 358000, NONE);
	struct pair p = { make(&side, TRIALS, 15), make(&reference, TRIALS, 15) };

	kb_time_decide(p.t, p.reference);
	check_int(p.t->basis, KB_BASIS_ONE_CALL);
	check_int(p.t->time_ns, 11500);
	p.t->one_call_slack_ns = KB_ONE_CALL_RANKS_SLACK_NS;
	check_int(kb_bound_slack_ns(p.t, p.reference), 4000);
	kb_time_decide(p.t, p.reference);
	check_int(p.t->basis, KB_BASIS_SLOPE);
	check_int(p.t->time_ns, 6000);
	free_pair(&p);
}

/* Half of the runs alone, those after the candidate, may be slow. */
static void test_the_quicker_of_what_is_taken_alone_counts(void)
{
	static const struct {
		int quick, slow;
		int64_t bound_ns;
	} all[] = {
		{ 8, 8, 10000 }, { 4, 12, 10000 }, { 3, 12, -22000 },
	};
	const struct side side = SLOPE(4000, 10, 356000);
	const struct side paired = BESIDE(12000, 390000, NONE);

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct pair p = { make(&side, TRIALS, 15),
				  make(&paired, TRIALS, 15) };

		for (int k = 0; k < all[i].slow; k++)
			kb_timing_add(p.reference, KB_SERIES_ALONE, 390000);
		for (int k = 0; k < all[i].quick; k++)
			kb_timing_add(p.reference, KB_SERIES_ALONE, 358000);
		check_int(kb_bound_ns(p.t, p.reference), all[i].bound_ns);
		free_pair(&p);
	}
}

static void test_a_series_is_dropped_alone(void)
{
	for (int series = KB_SERIES_SMALL; series <= KB_SERIES_ALONE;
	     series++) {
		const struct side side = SLOPE(10000, 10, 356000);
		struct kb_timing *t = make(&side, TRIALS, 15);

		kb_timing_add(t, KB_SERIES_ALONE, 356000);
		for (int again = 0; again < 2; again++) {
			kb_timing_drop(t, (enum kb_series)series);
			check_int((intmax_t)t->small_count,
				  series == KB_SERIES_SMALL ? 0 : TRIALS);
			check_int((intmax_t)t->large_count,
				  series == KB_SERIES_LARGE ? 0 : TRIALS);
			check_int((intmax_t)t->one_call_count,
				  series == KB_SERIES_ONE_CALL ? 0 : 15);
			check_int((intmax_t)t->alone_count,
				  series != KB_SERIES_ALONE);
		}
		kb_timing_add(t, (enum kb_series)series, 7);
		kb_timing_free(t);
	}
}

static void test_precision(void)
{
	static const struct {
		struct side side;
		size_t trials;
		int64_t interval_ppm;
		bool is_precise;
	} all[] = {
		{ SLOPE(10000, 10, NONE), TRIALS, 2000, true },
		{ SLOPE(10000, 10, NONE), TRIALS, 1999, false },
		{ SLOPE(10000, 10, NONE), 5, 1000000, false },
		{ SLOPE(0, 0, NONE), TRIALS, 1000000, false },
		{ ONE(10000, NONE), TRIALS, 2000, true },
		{ ONE(10000, NONE), TRIALS, 1999, false },
		{ { 1, 2, HUGE_NS / 2, HUGE_NS / 8, 0, NONE, NONE, DEVICE,
		    false, 0 }, TRIALS, KB_STAT_NS_MAX, true },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct kb_timing *t = make(&all[i].side, all[i].trials, 0);

		check_int(kb_time_is_precise(t, all[i].interval_ppm),
			  all[i].is_precise);
		kb_timing_free(t);
	}
	check(!kb_time_is_precise(NULL, 1000000));
}

/* A record's samples may be anything; the sanitizers watch. */
static void test_extremes_do_not_overflow(void)
{
	static const int64_t extremes_ns[] = { -HUGE_NS, -1, 0, 1, HUGE_NS };
	const size_t n = KB_ARRAY_LEN(extremes_ns);

	for (size_t i = 0; i < 8 * n * n * n * n; i++) {
		const size_t kind = i / n / n / n / n;
		struct pair p = { kb_timing_new(KB_CLOCK_CALL, 1, 2),
				  kb_timing_new(KB_CLOCK_CALL, 1, 2) };

		p.reference->n_one_call = kind & 1;
		p.t->copy_in_small_ns = kind & 2 ? 700 : KB_UNKNOWN;
		p.t->device_ns = kind & 4 ? HUGE_NS : KB_UNKNOWN;
		for (size_t k = 0; k < 11; k++) {
			kb_timing_add(p.t, KB_SERIES_SMALL, -HUGE_NS);
			kb_timing_add(p.t, KB_SERIES_LARGE,
				      extremes_ns[i % n]);
			kb_timing_add(p.t, KB_SERIES_ONE_CALL,
				      extremes_ns[i / n % n]);
			kb_timing_add(p.reference, KB_SERIES_SMALL, -HUGE_NS);
			kb_timing_add(p.reference, KB_SERIES_LARGE, HUGE_NS);
			kb_timing_add(p.reference, KB_SERIES_ONE_CALL,
				      extremes_ns[i / n / n % n]);
			kb_timing_add(p.reference, KB_SERIES_ALONE,
				      extremes_ns[i / n / n / n % n]);
		}
		kb_time_decide(p.t, p.reference);
		check(p.t->time_ns == KB_UNKNOWN ||
		      (p.t->time_ns >= 1 && p.t->time_ns <= HUGE_NS));
		check(kb_time_follows(p.t, p.reference));
		free_pair(&p);
	}
}

static void test_who_has_no_time_is_told_why(void)
{
	static const struct side timed = { 1, 3, 1000, 1, 50, NONE, NONE, HOST, false, 0 };
	static const struct side flat = { 1, 3, 0, 0, 50, NONE, NONE, HOST, false, 0 };
	kb_auto(timing) struct kb_timing *none = make(&timed, 0, 0);
	kb_auto(timing) struct kb_timing *zero = make(&flat, TRIALS, 0);
	kb_auto(timing) struct kb_timing *t = make(&timed, TRIALS, 0);

	kb_time_decide(none, NULL);
	kb_time_decide(zero, NULL);
	kb_time_decide(t, NULL);
	check_str(kb_time_why_none(NULL), "no trials");
	check_str(kb_time_why_none(none), "no trials");
	check_str(kb_time_why_none(zero), "slope not above zero");
	check(!kb_time_why_none(t));
}

TAP_MAIN(
	TAP(test_who_has_no_time_is_told_why),
	TAP(test_what_decides),
	TAP(test_only_what_is_decided_follows),
	TAP(test_a_time_that_is_withheld_does_not_follow),
	TAP(test_samples_have_the_time_in_their_middle),
	TAP(test_intervals_at_another_confidence),
	TAP(test_slope_alone),
	TAP(test_sizes_without_equally_many_samples),
	TAP(test_unequal_runs_of_one_call_give_no_bound),
	TAP(test_control_timings_are_the_most_that_counts),
	TAP(test_bound_and_slack),
	TAP(test_ranks_have_a_slack_of_their_own),
	TAP(test_the_quicker_of_what_is_taken_alone_counts),
	TAP(test_a_series_is_dropped_alone),
	TAP(test_precision),
	TAP(test_extremes_do_not_overflow)
);
