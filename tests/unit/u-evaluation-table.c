/* An evaluation as a table. */

#include "tables/evaluation_table.h"

#include <math.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/evaluation.h"
#include "manifest/fp64_error.h"
#include "manifest/suite.h"

static struct kb_timing call_60 = { .time_ns = 60000 },
			call_90 = { .time_ns = 90000 };
static struct kb_timing at_50 = { .time_ns = 50000 },
			at_80 = { .time_ns = 80000 };
static struct kb_device_timing device_50 = { .timing = &at_50 },
			       device_80 = { .timing = &at_80 },
			       unqueueable = { .timing = NULL };

/* Beside integers, and beside an output that is less far off for what it
 * is. */
static struct kb_output_error three_errors[] = {
	{ .elements = 4, .rms_error = 0 },
	{ .elements = 4, .rms_error = 3.14e-7 },
	{ .elements = 4, .rms_error = 2e-3 },
};
static struct kb_fp64_error_output three_own[] = {
	{ .is_float = false },
	{ .is_float = true, .max_abs_error = 2e-7, .rms_error = 1.06e-7 },
	{ .is_float = true, .max_abs_error = 2e-3, .rms_error = 1e-3 },
};
static struct kb_output_error one_error[] = {
	{ .elements = 4, .mismatched = 1, .rms_error = HUGE_VAL },
};
static struct kb_fp64_error fp64_error = {
	.draws = 3, .outputs = three_own, .output_count = 3,
};
static struct kb_fp64_error no_fp64_error = { .unavailable = (char *)"too large" };

static struct kb_result results[] = {
	{ .key = { 1, 1 }, .outcome = { .status = KB_STATUS_CORRECT },
	  .outputs = three_errors, .output_count = 3, .fp64_error = &fp64_error,
	  .timing = &call_60, .reference_timing = &call_90 },
	{ .key = { 1, 2 }, .outcome = { .status = KB_STATUS_CORRECT },
	  .timing = &call_60, .reference_timing = &call_90 },
	{ .key = { 1, 19 },
	  .outputs = one_error, .output_count = 1, .fp64_error = &no_fp64_error,
	  .outcome = { .status = KB_STATUS_MISMATCH,
		       .detail = (char *)"output 0" } },
};

static const struct kb_evaluation evaluation = {
	.results = results, .result_count = KB_ARRAY_LEN(results),
};

static void test_evaluation_table(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_evaluation_table_print(&out, &evaluation, KB_LOOK_PLAIN);
	/* Without samples nothing decides whether 1.5 is above 1. */
	check_str(out.data,
		  "problem  sample  status    rms_error  ref_error"
		  "  candidate  reference  speedup\n"
		  "1/1           0  correct     3.1e-07    1.1e-07"
		  "   60.00 us   90.00 us    ~1.5x\n"
		  "1/2           0  correct           -          -"
		  "   60.00 us   90.00 us    ~1.5x\n"
		  "1/19          0  mismatch        inf          -"
		  "  output 0\n"
		  "~ undecided: by the intervals at 95% it may be faster than "
		  "the reference or not\n"
		  "\ncorrect 2, mismatch 1\n");
}

/* What could be compared of such an output says nothing of the rest. */
static void test_an_output_with_nan_has_no_error(void)
{
	static struct kb_output_error errors[] = {
		{ .elements = 4, .mismatched = 1, .rms_error = 0.5 },
		{ .elements = 4, .mismatched = 4, .nan = 4, .rms_error = 0 },
	};
	static struct kb_result some[] = {
		{ .key = { 1, 1 }, .outputs = errors, .output_count = 2,
		  .outcome = { .status = KB_STATUS_NOT_FINITE,
			       .detail = (char *)"output 1" } },
	};
	const struct kb_evaluation e = { .results = some, .result_count = 1 };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_evaluation_table_print(&out, &e, KB_LOOK_PLAIN);
	check_str(out.data,
		  "problem  sample  status      rms_error  ref_error"
		  "  candidate  reference  speedup\n"
		  "1/1           0  not_finite          -          -"
		  "  output 1\n"
		  "\nnot_finite 1\n");
}

static void test_problems_without_a_candidate_are_listed_below(void)
{
	static struct kb_result some[] = {
		{ .key = { 1, 2 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 4 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 5 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 6 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 7 }, .outcome = { .status = KB_STATUS_CRASHED } },
		{ .key = { 1, 8 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 2, 9 }, .outcome = { .status = KB_STATUS_MISSING } },
	};
	const struct kb_evaluation e = {
		.results = some, .result_count = KB_ARRAY_LEN(some),
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_evaluation_table_print(&out, &e, KB_LOOK_PLAIN);
	check_str(out.data,
		  "problem  sample  status   rms_error  ref_error"
		  "  candidate  reference  speedup\n"
		  "1/7           0  crashed\n"
		  "\ncrashed 1, missing 6\n"
		  "no candidate for 1/2, 1/4 to 1/6, 1/8, 2/9\n");
}

static void test_evaluation_table_with_device_times(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	results[0].device_timing = &device_50;
	results[0].reference_device_timing = &device_80;
	results[1].device_timing = &unqueueable;
	results[1].reference_device_timing = &device_80;
	kb_evaluation_table_print(&out, &evaluation, KB_LOOK_PLAIN);
	check_str(out.data,
		  "problem  sample  status    rms_error  ref_error"
		  "  candidate  reference  speedup    device  ref_device"
		  "  speedup\n"
		  "1/1           0  correct     3.1e-07    1.1e-07"
		  "   60.00 us   90.00 us    ~1.5x  50.00 us    80.00 us"
		  "    ~1.6x\n"
		  "1/2           0  correct           -          -"
		  "   60.00 us   90.00 us    ~1.5x         -    80.00 us"
		  "        -\n"
		  "1/19          0  mismatch        inf          -"
		  "  output 0\n"
		  "~ undecided: by the intervals at 95% it may be faster than "
		  "the reference or not\n"
		  "\ncorrect 2, mismatch 1\n");
}

static void test_a_narrow_terminal_has_the_times_of_scores(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_evaluation_table_print(&out, &evaluation,
				  (struct kb_look){ 72, true });
	check_str(out.data,
		  "problem  sample  status    rms_error    device  ref_device"
		  "  speedup\n"
		  "1/1           0  \033[32mcorrect\033[0m     3.1e-07  50.00 us"
		  "    80.00 us    ~1.6x\n"
		  "1/2           0  \033[32mcorrect\033[0m           -         -"
		  "    80.00 us        -\n"
		  "1/19          0  \033[31mmismatch\033[0m        inf  output 0\n"
		  "~ undecided: by the intervals at 95% it may be faster than "
		  "the reference or not\n"
		  "\ncorrect 2, mismatch 1\n");
}

TAP_MAIN(TAP(test_evaluation_table),
	 TAP(test_an_output_with_nan_has_no_error),
	 TAP(test_problems_without_a_candidate_are_listed_below),
	 TAP(test_evaluation_table_with_device_times),
	 TAP(test_a_narrow_terminal_has_the_times_of_scores));
