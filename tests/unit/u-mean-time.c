#include "measure/mean_time.h"

#include "base/alloc.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/time_rule.h"

#define MAX INT64_C(9007199254740991)

static const struct {
	int64_t over, under, want;
} rounded[] = {
	{ 1, 1, 1 },
	{ 1, 3, 0 },
	{ 1, 2, 0 },			/* a tie, to even */
	{ 3, 2, 2 },
	{ 999, 1, 999 },
	{ 1234, 1, 1230 },
	{ 1235, 1, 1240 },
	{ 1245, 1, 1240 },
	{ 12451, 10, 1250 },		/* beyond the tie: rounded once */
	{ 9995, 1, 10000 },
	{ 9985, 1, 9980 },
	{ 99949, 1, 99900 },
	{ 99951, 1, 100000 },
	{ MAX, 1, INT64_C(9010000000000000) },
	{ MAX, MAX, 1 },
};

static void test_three_digits_as_printf_rounds(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rounded); i++)
		check_int(kb_three_digits(rounded[i].over, rounded[i].under),
			  rounded[i].want);
}

#define SAMPLES(...) (int64_t[]){ __VA_ARGS__ }

#define NINE(ns) ns, ns, ns, ns, ns, ns, ns, ns, ns

/* A slope of 100000. */
#define SIDE_BY_SIDE .n_small = 1, .n_large = 3, \
	.small_ns = SAMPLES(1000), .small_count = 1, \
	.large_ns = SAMPLES(201000), .large_count = 1
#define USUAL								\
	.n_one_call = 1, .device_ns = KB_UNKNOWN, .control_ns = KB_UNKNOWN

static const struct kb_timing
	skewed = { USUAL, .n_small = 1, .n_large = 3,
		   .small_ns = SAMPLES(1000, 1000, 1000), .small_count = 3,
		   .large_ns = SAMPLES(3000, 3000, 6000), .large_count = 3 },
	of_one_call = { USUAL, .n_small = 0, .n_large = 1,
			.small_ns = SAMPLES(100, 200), .small_count = 2,
			.large_ns = SAMPLES(2100, 2207), .large_count = 2 },
	backwards = { USUAL, .n_small = 1, .n_large = 3,
		      .small_ns = SAMPLES(1000, 1000, 9000), .small_count = 3,
		      .large_ns = SAMPLES(1002, 1002, 1000), .large_count = 3 },
	none = { USUAL, .n_small = 1, .n_large = 3 },
	/* One call at a time, 100000 below the reference's: the mean of the
	 * first is above the median, of the second below. */
	dear = { USUAL, SIDE_BY_SIDE,
		 .one_call_ns = SAMPLES(NINE(900000), 970000, 970000),
		 .one_call_count = 11 },
	cheap = { USUAL, SIDE_BY_SIDE,
		  .one_call_ns = SAMPLES(NINE(900000), 800000, 800000),
		  .one_call_count = 11 },
	reference = { USUAL, .n_small = 1, .n_large = 11,
		      .small_ns = SAMPLES(1000), .small_count = 1,
		      .large_ns = SAMPLES(3569000), .large_count = 1,
		      .one_call_ns = SAMPLES(NINE(1000000), 1000000, 1000000),
		      .one_call_count = 11 };

static int64_t mean_of(const struct kb_timing *t,
		       const struct kb_timing *paired)
{
	struct kb_timing decided = *t;

	kb_time_decide(&decided, paired);
	return kb_mean_time(&decided, paired);
}

static void test_the_mean_is_of_all_trials(void)
{
	/* Slopes of 1000, 1000 and 2500: the median would be 1000. */
	check_int(mean_of(&skewed, NULL), 1500);
	check_int(mean_of(&of_one_call, NULL), 2000);
}

static void test_no_time_has_no_mean(void)
{
	check(mean_of(&none, NULL) == KB_UNKNOWN);
	check(mean_of(&backwards, NULL) == KB_UNKNOWN);
}

/* The reference's slope is 356800, so the median of the bound is 256800, and
 * the time that and the slack of 5136. */
static void test_the_bound_holds_for_means(void)
{
	check_int(mean_of(&dear, &reference), 275000);
	check_int(mean_of(&cheap, &reference), 262000);
}

TAP_MAIN(TAP(test_three_digits_as_printf_rounds),
	 TAP(test_the_mean_is_of_all_trials),
	 TAP(test_no_time_has_no_mean),
	 TAP(test_the_bound_holds_for_means));
