#include "measure/mean_time.h"

#include "base/alloc.h"
#include "lib/tap.h"
#include "manifest/device_timing.h"
#include "manifest/record.h"
#include "manifest/timing.h"

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

static const struct kb_timing
	skewed = { .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 3,
		   .small_ns = SAMPLES(1000, 1000, 1000), .small_count = 3,
		   .large_ns = SAMPLES(3000, 3000, 6000), .large_count = 3 },
	single = { .method = KB_METHOD_SINGLE, .n_small = 2, .n_large = 2,
		   .small_ns = SAMPLES(4000, 4001), .small_count = 2 },
	backwards = { .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 3,
		      .small_ns = SAMPLES(1000, 1000, 9000), .small_count = 3,
		      .large_ns = SAMPLES(1002, 1002, 1000), .large_count = 3 },
	none = { .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 3 },
	/* The small batches wait for as long as the large ones take. */
	wasted = { .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 11,
		   .small_ns = SAMPLES(2000000, 2000000, 2000000),
		   .small_count = 3,
		   .large_ns = SAMPLES(2000100, 2000100, 2000100),
		   .large_count = 3 },
	reference = { .method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 11,
		      .small_ns = SAMPLES(200000, 200000, 200000),
		      .small_count = 3,
		      .large_ns = SAMPLES(2000000, 2000000, 2000000),
		      .large_count = 3 };

static void test_the_mean_is_of_all_trials(void)
{
	/* Slopes of 1000, 1000 and 2500: the median would be 1000. */
	check_int(kb_mean_call_time(&skewed, NULL), 1500);
	check_int(kb_mean_call_time(&single, NULL), 2000);
}

static void test_no_time_has_no_mean(void)
{
	check(kb_mean_call_time(&none, NULL) == KB_UNKNOWN);
	check(kb_mean_call_time(&backwards, NULL) == KB_UNKNOWN);
}

static void test_the_floor_holds_for_means(void)
{
	/* (2000100 - 20000 - 100000) / 11, at three digits */
	check_int(kb_mean_call_time(&wasted, &reference), 171000);
	check_int(kb_mean_call_time(&wasted, NULL), 10);
}

static void test_a_device_time_that_was_raised_stays(void)
{
	struct kb_timing batches = skewed;
	struct kb_device_timing t = { .time_ns = 1000,
				      .decider = KB_DECIDER_BATCHES,
				      .batches = &batches };

	check_int(kb_mean_device_time(&t), 1500);
	t.decider = KB_DECIDER_FEW_CALLS;
	t.time_ns = 2718;
	check_int(kb_mean_device_time(&t), 2720);
	t.time_ns = 1200;
	check_int(kb_mean_device_time(&t), 1500);
	t.time_ns = KB_UNKNOWN;
	check(kb_mean_device_time(&t) == KB_UNKNOWN);
}

TAP_MAIN(TAP(test_three_digits_as_printf_rounds),
	 TAP(test_the_mean_is_of_all_trials),
	 TAP(test_no_time_has_no_mean),
	 TAP(test_the_floor_holds_for_means),
	 TAP(test_a_device_time_that_was_raised_stays));
