#include "measure/output_errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lib/tap.h"
#include "worker/worker.h"

static const struct kb_plan plan = {
	.output_count = 2,
	.outputs = {
		{ .dtype = KB_FLOAT32, .ndim = 2, .dims = { 2, 3 } },
		{ .dtype = KB_INT64 },
	},
};

static void test_what_is_wrong_is_told_apart(void)
{
	static const struct kb_error_limits limits = {
		.element = { 1, 0 }, .rms = 0.5 };
	static const struct kb_error_limits no_limit = {
		.element = { 1, 0 }, .rms = HUGE_VAL };
	static const struct kb_output_error errors[2] = {
		{ .elements = 6, .mismatched = 1 },
		{ .elements = 1, .mismatched = 1 },
	};
	static const struct {
		struct kb_compare_result c;
		const struct kb_error_limits *limits;
		enum kb_status status;		/* KB_STATUS_CORRECT: nothing */
		const char *detail;
	} rows[] = {
		{ { .elements = 0 }, &limits, KB_STATUS_CORRECT, "" },
		{ { .elements = 4, .rms_error = 0.5 }, &limits,
		  KB_STATUS_CORRECT, "" },
		{ { .elements = 4, .rms_error = 0.51 }, &no_limit,
		  KB_STATUS_CORRECT, "" },
		{ { .elements = 4, .rms_error = 0.51 }, &limits,
		  KB_STATUS_MISMATCH,
		  "output 1: root mean square error 5.10e-01, 5.00e-01 at most" },
		{ { .elements = 4, .rms_error = HUGE_VAL }, &limits,
		  KB_STATUS_MISMATCH,
		  "output 1: root mean square error inf, 5.00e-01 at most" },
		{ { .elements = 1, .mismatched = 1, .rms_error = 0.51 },
		  &limits, KB_STATUS_MISMATCH,
		  "output 1: 0, expected 0; 100 % differ" },
		{ { .elements = 1, .mismatched = 1, .not_finite = 1 }, &limits,
		  KB_STATUS_NOT_FINITE,
		  "output 1: 0, expected 0; 100 % differ" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		static const struct kb_compare_result right;
		struct kb_fault fault = { .status = KB_STATUS_CORRECT };
		struct kb_wrong wrong = { .rms = false };

		check(!kb_wrong_add(&wrong, &right, &limits, 0));
		check(kb_wrong_add(&wrong, &rows[i].c, rows[i].limits, 3) ==
		      (rows[i].c.mismatched > 0));
		check(!kb_wrong_add(&wrong, &rows[i].c, rows[i].limits, 4));
		check_int(kb_wrong_judge(&wrong, &plan, errors,
					 KB_SIDE_CANDIDATE, &fault),
			  rows[i].status == KB_STATUS_CORRECT);
		check_int(fault.status, rows[i].status);
		check_str(fault.detail, rows[i].detail);
	}
}

/* Each value as the type has it, told by as many digits as it takes. */
static void test_the_first_wrong_element_is_shown(void)
{
	static const struct {
		enum kb_dtype dtype;
		uint32_t ndim;
		uint64_t index;
		uint64_t got, expected;		/* bits */
		int64_t mismatched, nan;	/* of 6000 */
		const char *detail;
	} rows[] = {
		{ KB_FLOAT32, 2, 5, 0x3fa00000, 0x3fc00000, 720, 0,
		  "output 0 [1, 2]: 1.25, expected 1.5; 12 % differ" },
		{ KB_FLOAT32, 2, 0, 0x3f800001, 0x3f800000, 1, 0,
		  "output 0 [0, 0]: 1.00000012, expected 1; 0.017 % differ" },
		{ KB_FLOAT32, 1, 1, 0xffc00000, 0x3f800000, 5999, 600,
		  "output 0 [1]: nan, expected 1; 99 % differ, 10 % NaN or Inf" },
		{ KB_FLOAT32, 0, 0, 0xff800000, 0x3f800000, 6000, 6000,
		  "output 0: -inf, expected 1; 100 % differ, 100 % NaN or Inf" },
		{ KB_FLOAT64, 1, 0, 0x3ff0000000000001, 0x3ff0000000000000, 60, 0,
		  "output 0 [0]: 1.00000000000000022, expected 1; 1 % differ" },
		{ KB_FLOAT16, 1, 0, 0x3c00, 0xc000, 60, 0,
		  "output 0 [0]: 1, expected -2; 1 % differ" },
		{ KB_BFLOAT16, 1, 0, 0x3f80, 0xc000, 60, 0,
		  "output 0 [0]: 1, expected -2; 1 % differ" },
		{ KB_FLOAT8_E4M3FN, 1, 0, 0x38, 0xc0, 60, 0,
		  "output 0 [0]: 1, expected -2; 1 % differ" },
		{ KB_FLOAT8_E5M2, 1, 0, 0x3c, 0xc0, 60, 0,
		  "output 0 [0]: 1, expected -2; 1 % differ" },
		{ KB_INT64, 1, 0, UINT64_MAX, INT64_MAX, 60, 0,
		  "output 0 [0]: -1, expected 9223372036854775807; 1 % differ" },
		{ KB_INT32, 1, 0, 0xffffffff, 7, 60, 0,
		  "output 0 [0]: -1, expected 7; 1 % differ" },
		{ KB_INT16, 1, 0, 0x8000, 7, 60, 0,
		  "output 0 [0]: -32768, expected 7; 1 % differ" },
		{ KB_INT8, 1, 0, 0xff, 7, 60, 0,
		  "output 0 [0]: -1, expected 7; 1 % differ" },
		{ KB_UINT8, 1, 0, 0xff, 7, 60, 0,
		  "output 0 [0]: 255, expected 7; 1 % differ" },
		{ KB_BOOL, 1, 0, 2, 1, 60, 0,
		  "output 0 [0]: 2, expected 1; 1 % differ" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		const struct kb_plan one = {
			.output_count = 1,
			.outputs = { { .dtype = rows[i].dtype,
				       .ndim = rows[i].ndim,
				       .dims = { 2, 3 } } },
		};
		const struct kb_output_error errors = {
			.elements = 6000, .mismatched = rows[i].mismatched,
			.nan = rows[i].nan,
		};
		struct kb_wrong wrong = {
			.element = true, .element_output = 7,
			.element_index = rows[i].index,
		};
		struct kb_fault fault;

		memcpy(wrong.got, &rows[i].got, sizeof(wrong.got));
		memcpy(wrong.expected, &rows[i].expected,
		       sizeof(wrong.expected));
		check_int(kb_wrong_judge(&wrong, &one, &errors,
					 KB_SIDE_CANDIDATE, &fault), 0);
		check_str(fault.detail, rows[i].detail);
	}
}

/* The first of several outputs, whatever the later ones are. */
static void test_later_outputs_change_nothing(void)
{
	static const struct kb_error_limits limits = {
		.element = { 1, 0 }, .rms = 0.5 };
	static const struct kb_compare_result
		first = { .elements = 6, .mismatched = 1, .first_mismatch = 4 },
		second = { .elements = 6, .mismatched = 2, .first_mismatch = 0,
			   .not_finite = 1, .rms_error = 2 };
	struct kb_wrong wrong = { .rms = false };

	check(kb_wrong_add(&wrong, &first, &limits, 0));
	check(!kb_wrong_add(&wrong, &second, &limits, 1));
	check_int((intmax_t)wrong.element_output, 0);
	check_int((intmax_t)wrong.element_index, 4);
	check(wrong.not_finite && wrong.rms && wrong.rms_output == 1);
}

static void test_the_worst_trial_is_kept(void)
{
	static const struct kb_wrong nothing, mean = { .rms = true };
	static const struct kb_output_error first = {
		.elements = 4, .max_abs_error = 2, .rms_error = 0.5,
	};
	static const struct kb_output_error flatter = {
		.elements = 4, .max_abs_error = 1, .rms_error = 1,
	};
	struct kb_output_error worst = { .elements = 0 };

	kb_output_errors_keep(&worst, &first, 1, &nothing);
	check(worst.rms_error == 0.5);
	kb_output_errors_keep(&worst, &flatter, 1, &nothing);
	check(worst.rms_error == 0.5);
	kb_output_errors_keep(&worst, &flatter, 1, &mean);
	check(worst.rms_error == 1);
}

static void test_trials_on_alternate_inputs_are_kept_apart(void)
{
	static const struct kb_wrong nothing;
	static const struct kb_output_error own[] = {
		{ .elements = 4, .max_abs_error = 1 },
		{ .elements = 4, .max_abs_error = 2 },
	};
	static const struct kb_output_error other[] = {
		{ .elements = 4, .max_abs_error = 3 },
		{ .elements = 4, .max_abs_error = 4 },
	};
	struct kb_alternate_trials *alternates = kb_alternate_trials_new();
	struct kb_output_error *worst = NULL;

	kb_output_errors_keep_trial(&worst, alternates, other, 2, &nothing);
	check(!worst && alternates->trials == 1 && alternates->output_count == 2);
	kb_output_errors_keep_trial(&worst, NULL, own, 2, &nothing);
	check(alternates->trials == 1);
	check(worst[0].max_abs_error == 1 && worst[1].max_abs_error == 2);
	check(alternates->outputs[0].max_abs_error == 3 &&
	      alternates->outputs[1].max_abs_error == 4);
	kb_output_errors_keep_trial(&worst, alternates, own, 2, &nothing);
	check(alternates->trials == 2 && alternates->outputs[1].max_abs_error == 4);

	kb_alternate_trials_free(alternates);
	free(worst);
}

static void test_blame_names_the_outputs(void)
{
	static const struct kb_output_error errors[] = {
		{ .elements = 9 },
		{ .elements = 8, .mismatched = 3, .max_abs_error = 1.5 },
		{ .elements = 7, .nan = 1, .mismatched = 1,
		  .max_abs_error = 20 },
	};
	static const struct kb_plan of_one = { .output_count = 1 };
	static const struct kb_plan of_three = { .output_count = 3 };
	static const struct kb_plan of_ranks = { .output_count = 3, .ranks = 3 };
	struct kb_fault fault = { .detail = "" };

	kb_fault_set(&fault, KB_SIDE_CANDIDATE, KB_STATUS_MISMATCH, KB_PHASE_RUN, "too far off");
	kb_output_errors_blame(&fault, &of_three, NULL);
	check_str(fault.detail, "too far off");
	kb_output_errors_blame(&fault, &of_one, errors);
	check_str(fault.detail, "too far off");
	kb_output_errors_blame(&fault, &of_three, errors);
	check_str(fault.detail,
		  "too far off; output 1: 3 of 8 elements, by up to 1.50e+00; "
		  "output 2: 1 of 7 elements, by up to 2.00e+01");
	check_int(fault.status, KB_STATUS_MISMATCH);
	kb_fault_set(&fault, KB_SIDE_REFERENCE, KB_STATUS_MISMATCH, KB_PHASE_RUN, "not again");
	kb_output_errors_blame(&fault, &of_ranks, errors);
	check_str(fault.detail,
		  "not again; rank 1, output 1: 3 of 8 elements, by up to "
		  "1.50e+00; rank 2, output 2: 1 of 7 elements, by up to "
		  "2.00e+01");
}

static void test_a_repeat_gives_the_same_or_is_blamed(void)
{
	static const struct kb_output_error first[] = {
		{ .elements = 8 },
		{ .elements = 8, .max_abs_error = 0.5, .max_rel_error = 0.25,
		  .rms_error = 0.125 },
	};
	static const struct kb_output_error others[] = {
		{ .elements = 8, .mismatched = 1, .max_abs_error = 0.5,
		  .max_rel_error = 0.25, .rms_error = 0.125 },
		{ .elements = 8, .nan = 1, .max_abs_error = 0.5,
		  .max_rel_error = 0.25, .rms_error = 0.125 },
		{ .elements = 8, .max_abs_error = 0.25, .max_rel_error = 0.25,
		  .rms_error = 0.125 },
		{ .elements = 8, .max_abs_error = 0.5, .max_rel_error = 0.5,
		  .rms_error = 0.125 },
		{ .elements = 8, .max_abs_error = 0.5, .max_rel_error = 0.25,
		  .rms_error = 0x1.0000000000001p-3 },
	};
	struct kb_fault fault = { .status = KB_STATUS_CORRECT };

	check_int(kb_output_errors_judge_repeat(first, first, 2, &fault), 1);
	check_int(fault.status, KB_STATUS_CORRECT);
	for (size_t i = 0; i < KB_ARRAY_LEN(others); i++) {
		const struct kb_output_error again[] = { first[0], others[i] };

		check_int(kb_output_errors_judge_repeat(first, again, 2,
							&fault), 0);
		check_int(fault.status, KB_STATUS_MISMATCH);
		check_int(fault.side, KB_SIDE_CANDIDATE);
		check_str(fault.detail, "output 1 differs between two runs on "
			  "the same inputs");
	}
}

TAP_MAIN(TAP(test_what_is_wrong_is_told_apart),
	 TAP(test_the_first_wrong_element_is_shown),
	 TAP(test_later_outputs_change_nothing),
	 TAP(test_a_repeat_gives_the_same_or_is_blamed),
	 TAP(test_blame_names_the_outputs),
	 TAP(test_the_worst_trial_is_kept),
	 TAP(test_trials_on_alternate_inputs_are_kept_apart));
