#include "measure/output_errors.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "lib/tap.h"
#include "worker/worker.h"

static void test_what_is_wrong_is_said(void)
{
	static const struct kb_error_limits limits = {
		.element = { 1, 0 }, .rms = 0.5 };
	static const struct kb_error_limits no_limit = {
		.element = { 1, 0 }, .rms = HUGE_VAL };
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
		  "root mean square error beyond the tolerance" },
		{ { .elements = 4, .rms_error = HUGE_VAL }, &limits,
		  KB_STATUS_MISMATCH,
		  "root mean square error beyond the tolerance" },
		{ { .elements = 4, .mismatched = 1, .rms_error = 0.51 },
		  &limits, KB_STATUS_MISMATCH, "values beyond the tolerance" },
		{ { .elements = 4, .mismatched = 1, .not_finite = 1 }, &limits,
		  KB_STATUS_NOT_FINITE,
		  "NaN or Inf where the reference is finite" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		static const struct kb_compare_result right;
		struct kb_fault fault = { .status = KB_STATUS_CORRECT };
		struct kb_wrong wrong = { .rms = false };

		kb_wrong_add(&wrong, &right, &limits);
		kb_wrong_add(&wrong, &rows[i].c, rows[i].limits);
		kb_wrong_add(&wrong, &right, &limits);
		check_int(kb_wrong_judge(&wrong, KB_SIDE_CANDIDATE, &fault),
			  rows[i].status == KB_STATUS_CORRECT);
		check_int(fault.status, rows[i].status);
		check_str(fault.detail, rows[i].detail);
	}
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
	struct kb_fault fault = { .detail = "" };

	kb_fault_set(&fault, KB_SIDE_CANDIDATE, KB_STATUS_MISMATCH, KB_PHASE_RUN, "too far off");
	kb_output_errors_blame(&fault, NULL, 3);
	check_str(fault.detail, "too far off");
	kb_output_errors_blame(&fault, errors, 1);
	check_str(fault.detail, "too far off");
	kb_output_errors_blame(&fault, errors, 3);
	check_str(fault.detail,
		  "too far off; output 1: 3 of 8 elements, by up to 1.50e+00; "
		  "output 2: 2 of 7 elements, by up to 2.00e+01");
	check_int(fault.status, KB_STATUS_MISMATCH);
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

TAP_MAIN(TAP(test_what_is_wrong_is_said),
	 TAP(test_a_repeat_gives_the_same_or_is_blamed),
	 TAP(test_blame_names_the_outputs),
	 TAP(test_the_worst_trial_is_kept),
	 TAP(test_trials_on_alternate_inputs_are_kept_apart));
