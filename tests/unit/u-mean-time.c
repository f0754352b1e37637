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

#define USUAL .n_one_call = 1, .device_ns = KB_UNKNOWN

static const struct kb_timing
	skewed = { USUAL, .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 3,
		   .small_ns = SAMPLES(1000, 1000, 1000), .small_count = 3,
		   .large_ns = SAMPLES(3000, 3000, 6000), .large_count = 3 },
	single = { USUAL, .method = KB_METHOD_SINGLE, .n_small = 2, .n_large = 2,
		   .small_ns = SAMPLES(4000, 4001), .small_count = 2 },
	backwards = { USUAL, .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 3,
		      .small_ns = SAMPLES(1000, 1000, 9000), .small_count = 3,
		      .large_ns = SAMPLES(1002, 1002, 1000), .large_count = 3 },
	none = { USUAL, .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 3 },
	/* One call at a time, 1000 below the reference's: the mean of the
	 * first is above the median, of the second below. */
	dear = { USUAL, .method = KB_METHOD_SINGLE, .n_small = 1, .n_large = 1,
		 .small_ns = SAMPLES(300000), .small_count = 1,
		 .one_call_ns = SAMPLES(299000, 299000, 299700),
		 .one_call_count = 3 },
	cheap = { USUAL, .method = KB_METHOD_SINGLE, .n_small = 1, .n_large = 1,
		  .small_ns = SAMPLES(300000), .small_count = 1,
		  .one_call_ns = SAMPLES(299000, 299000, 290000),
		  .one_call_count = 3 },
	reference = { USUAL, .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 11,
		      .small_ns = SAMPLES(1000, 1000, 1000), .small_count = 3,
		      .large_ns = SAMPLES(36678, 36678, 36678),
		      .large_count = 3,
		      .one_call_ns = SAMPLES(300000, 300000, 300000),
		      .one_call_count = 3 };

static int64_t mean_of(const struct kb_timing *t,
		       const struct kb_timing *beside)
{
	struct kb_timing decided = *t;

	kb_time_decide(&decided, beside);
	return kb_mean_time(&decided, beside);
}

static void test_the_mean_is_of_all_trials(void)
{
	/* Slopes of 1000, 1000 and 2500: the median would be 1000. */
	check_int(mean_of(&skewed, NULL), 1500);
	check_int(mean_of(&single, NULL), 2000);
}

static void test_no_time_has_no_mean(void)
{
	check(mean_of(&none, NULL) == KB_UNKNOWN);
	check(mean_of(&backwards, NULL) == KB_UNKNOWN);
}

/* The reference's slope is 3568, so the time is 2568. */
static void test_the_bound_holds_for_means(void)
{
	check_int(mean_of(&dear, &reference), 2800);
	check_int(mean_of(&cheap, &reference), 2570);
}

TAP_MAIN(TAP(test_three_digits_as_printf_rounds),
	 TAP(test_the_mean_is_of_all_trials),
	 TAP(test_no_time_has_no_mean),
	 TAP(test_the_bound_holds_for_means));
