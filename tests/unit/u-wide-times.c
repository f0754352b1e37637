/* Times that are not known well, counted and told. */

#include "tables/wide_times.h"

#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"

#define MOST ((INT64_C(1) << 53) - 1)
#define DEVICE(...) &(struct kb_device_timing){ \
	.timing = &(struct kb_timing){ __VA_ARGS__ } }

/* A time of a reference, of one beside a candidate, and of both. */
static void count_each(struct kb_device_timing *t, size_t count, size_t wide)
{
	struct kb_reference_result reference = { .device_timing = t };
	const struct kb_baseline b = { .results = &reference,
				       .result_count = 1 };
	struct kb_result result = { .reference_device_timing = t };
	const struct kb_evaluation e = { .results = &result,
					 .result_count = 1 };
	struct kb_wide_times w;

	kb_wide_times_of_baseline(&w, &b);
	check_int(w.count, count);
	check_int(w.wide, wide);
	kb_wide_times_of_evaluation(&w, &e);
	check_int(w.count, count);
	check_int(w.wide, wide);
	result.device_timing = t;
	kb_wide_times_of_evaluation(&w, &e);
	check_int(w.count, 2 * count);
	check_int(w.wide, 2 * wide);
}

/* At the limit, and beyond it by one; without a bound to speak of; without an
 * interval; without a time; and by the call clock alone. */
static void test_widths(void)
{
	count_each(DEVICE(.time_ns = 1000, .low_ns = 980, .high_ns = 1030),
		   1, 0);
	count_each(DEVICE(.time_ns = 1000, .low_ns = 979, .high_ns = 1030),
		   1, 1);
	count_each(DEVICE(.time_ns = 1, .low_ns = -MOST, .high_ns = MOST),
		   1, 1);
	count_each(DEVICE(.time_ns = MOST, .low_ns = MOST, .high_ns = MOST),
		   1, 0);
	count_each(DEVICE(.time_ns = 1000, .low_ns = KB_UNKNOWN,
			  .high_ns = KB_UNKNOWN), 0, 0);
	count_each(DEVICE(.time_ns = KB_UNKNOWN, .low_ns = 1, .high_ns = 1000),
		   0, 0);
	count_each(&(struct kb_device_timing){ .timing = NULL }, 0, 0);
	count_each(NULL, 0, 0);
}

/* Of a CPU the times by calls are asked, which may be five times as wide. */
static void test_times_by_calls(void)
{
	struct kb_timing narrow = { .time_ns = 1000, .low_ns = 900,
				    .high_ns = 1150 };
	struct kb_timing wide = { .time_ns = 1000, .low_ns = 900,
				  .high_ns = 1151 };
	struct kb_result result = { .timing = &wide,
				    .reference_timing = &narrow };
	const struct kb_evaluation e = { .results = &result,
					 .result_count = 1 };
	struct kb_wide_times w;

	kb_wide_times_of_evaluation(&w, &e);
	check_int(w.count, 2);
	check_int(w.wide, 1);
	check(w.is_by_calls);
	result.reference_device_timing =
		DEVICE(.time_ns = 1, .low_ns = 1, .high_ns = 1);
	kb_wide_times_of_evaluation(&w, &e);
	check_int(w.count, 1);
	check_int(w.wide, 0);
	check(!w.is_by_calls);
}

static void test_note(void)
{
	const struct kb_wide_times half = { .count = 4, .wide = 2,
					    .is_by_calls = true };
	const struct kb_wide_times most = { .count = 4, .wide = 3,
					    .is_by_calls = true };
	const struct kb_wide_times narrow = { .count = 118 };
	const struct kb_wide_times wide = { .count = 118, .wide = 25 };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_wide_times_print(&out, &narrow);
	check_str(out.data, "");
	kb_wide_times_print(&out, &wide);
	check_str(out.data, "note: 25 of 118 times by the device's clock have "
		  "an interval wider than 5 % of the time: was the machine "
		  "busy?\n");
	kb_buf_clear(&out);
	kb_wide_times_print(&out, &half);
	check_str(out.data, "");
	kb_wide_times_print(&out, &most);
	check_str(out.data, "note: 3 of 4 times have an interval wider than "
		  "25 % of the time: too noisy to rank; repeat on an idle "
		  "machine\n");
}

TAP_MAIN(TAP(test_widths), TAP(test_times_by_calls),
	 TAP(test_note));
