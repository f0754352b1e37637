/* By how much a line may say that its outputs were wrong. */

#include "verify/line.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "device/tolerance.h"
#include "lib/tap.h"
#include "manifest/fp64_error.h"
#include "manifest/problem_facts.h"
#include "manifest/result.h"
#include "verify/line_rules.h"

#define ELEMENTS 8

/* The policy allows errors up to 1e-4 at least. */
static const struct {
	const char *detail;
	int64_t mismatched[2];
	double max_abs_error[2];
	bool can_be;
} rows[] = {
	{ "output 0 [3]: 1, expected 2; 50 % differ", { 4, 0 }, { 1, 0 }, true },
	{ "output 0 [3]: 1, expected 2; 50 % differ", { 4, 0 }, { 9e-5, 0 }, false },
	{ "output 0 [3]: 1, expected 2; 50 % differ", { 4, 0 }, { 0, 0 }, false },
	{ NULL, { 4, 0 }, { 0, 0 }, false },
	/* The reference has masked elements, and the candidate has large ones. */
	{ "output 0 [3]: -1e+09, expected -inf; 50 % differ", { 4, 0 }, { 0, 0 }, true },
	{ "on alternate inputs: output 0: 1, expected inf; 1 % differ", { 1, 0 },
	  { 9e-5, 0 }, true },
	{ "under seed 7: output 0 [0]: 0, expected nan; 50 % differ", { 4, 0 },
	  { 0, 0 }, true },
	/* The detail is of one output. */
	{ "output 0 [3]: 1, expected 2; 50 % differ", { 4, 4 }, { 1, 0 }, true },
	{ "output 1 [3]: 1, expected 2; 50 % differ", { 4, 4 }, { 0, 1 }, true },
	{ "output 0 [3]: 1, expected 2; 50 % differ", { 4, 4 }, { 0, 0 }, false },
};

static void test_an_error_that_is_a_number_is_beyond_what_is_allowed(void)
{
	struct kb_tensor_facts outputs[2] = {
		{ .dtype = KB_FLOAT32, .shape = { ELEMENTS }, .dim_count = 1 },
		{ .dtype = KB_FLOAT32, .shape = { ELEMENTS }, .dim_count = 1 },
	};
	const struct kb_problem_facts facts = {
		.outputs = outputs, .output_count = KB_ARRAY_LEN(outputs),
	};
	kb_auto(fp64_error) struct kb_fp64_error *own = kb_fp64_error_new(3, 2);
	struct kb_line_rules rules = {
		.batch_calls_max = KB_UNKNOWN, .precision = KB_FP32,
	};

	own->outputs[0] = own->outputs[1] = (struct kb_fp64_error_output){
		.is_float = true, .max_abs_error = 1e-7, .rms_error = 1e-8,
		.max_abs = 2, .rms = 1,
	};
	check_int(kb_tolerance_policy_find(&rules.tolerance, "kernelbench", NULL),
		  0);
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(mem) char *detail = kb_xstrdup(rows[i].detail);
		struct kb_output_error errors[2];
		struct kb_err err = KB_ERR_INIT;
		struct kb_result r = KB_RESULT_INIT;
		const struct kb_line l = {
			.rules = &rules, .facts = &facts, .r = &r, .err = &err,
		};

		for (int k = 0; k < 2; k++)
			errors[k] = (struct kb_output_error){
				.elements = ELEMENTS,
				.mismatched = rows[i].mismatched[k],
				.max_abs_error = rows[i].max_abs_error[k],
			};
		r.outcome.status = KB_STATUS_MISMATCH;
		r.outcome.detail = detail;
		r.fp64_error = own;
		r.outputs = errors;
		r.output_count = KB_ARRAY_LEN(errors);
		if ((kb_line_check_compared(&l) == 0) != rows[i].can_be)
			tap_fail("row %zu: %s", i, err.msg);
	}
}

static void test_ranks_have_as_many_outputs_each(void)
{
	struct kb_output_error errors[6] = { { .elements = ELEMENTS } };
	struct kb_suite suite = KB_SUITE_INIT;
	const struct kb_line_rules rules = {
		.batch_calls_max = KB_UNKNOWN, .suite = &suite,
	};
	struct kb_result r = KB_RESULT_INIT;
	struct kb_err err = KB_ERR_INIT;
	const struct kb_line l = { .rules = &rules, .r = &r, .err = &err };

	r.outcome.status = KB_STATUS_RUN_FAILED;
	r.outputs = errors;
	for (suite.world = 1; suite.world <= 4; suite.world++)
		for (r.output_count = 1; r.output_count <= 6; r.output_count++)
			check_int(kb_line_check_compared(&l) == 0,
				  r.output_count % (size_t)suite.world == 0);
	suite.world = 2;
	r.output_count = 3;
	check_int(kb_line_check_compared(&l), -KB_ERR_INPUT);
	check(strstr(err.msg, "'outputs' has 3 outputs, and 2 ranks have as "
			      "many each"));
}

TAP_MAIN(TAP(test_an_error_that_is_a_number_is_beyond_what_is_allowed),
	 TAP(test_ranks_have_as_many_outputs_each));
