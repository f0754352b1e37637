/* What a screen may decide. */

#include "crew/eval_lane.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/fp64_error.h"
#include "manifest/result.h"

static const struct {
	enum kb_status status;
	const char *detail, *log;
	bool is_final;
} rows[] = {
	{ KB_STATUS_BUILD_FAILED, "CompilationError: no tanh", "", true },
	{ KB_STATUS_WRONG_SHAPE, "output 0", "", true },
	{ KB_STATUS_RUN_FAILED, "TypeError: 'int' has no len()", "", true },
	{ KB_STATUS_LOAD_FAILED, "ValueError: 2.2 is no slope", "", true },
	{ KB_STATUS_RUN_FAILED, "RuntimeError: no", "", false },
	{ KB_STATUS_RUN_FAILED, "AssertionError", "", false },
	{ KB_STATUS_MISMATCH, "output 0", "", false },
	{ KB_STATUS_CORRECT, "", "", false },
	/* a compiler that lacked memory */
	{ KB_STATUS_BUILD_FAILED, "error", "cc1: out of memory", false },
	/* a graph that could not be recorded, in a compiler or caught */
	{ KB_STATUS_BUILD_FAILED, "BackendCompilerFailed: no",
	  "CUDA error: operation not permitted when stream is capturing",
	  false },
	{ KB_STATUS_RUN_FAILED, "TypeError: capture_end() failed", "", false },
	{ KB_STATUS_RUN_FAILED, "TypeError: no",
	  "RuntimeError: Capture must end on the same stream it began on.", false },
	{ KB_STATUS_BUILD_FAILED, "cudaErrorStreamCaptureUnsupported", "", false },
};

static void test_code_alone_is_decided(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(mem) char *detail = kb_xstrdup(rows[i].detail);
		kb_auto(mem) char *log = kb_xstrdup(rows[i].log);
		const struct kb_result r = {
			.outcome = {
				.status = rows[i].status,
				.detail = detail, .log = log,
			},
		};

		check_int(kb_eval_is_final(&r), rows[i].is_final);
	}
}

/* What the reference has, how far it is from float64, how far the outputs are off. */
static const struct {
	double own_rms, own_error, error;
	bool is_final;
} mismatches[] = {
	{ 1, 1e-3, 1, true },
	{ 1, 1e-3, 0.11, true },
	{ 1, 1e-3, 0.09, false },	/* may be another rounding */
	{ 1, 1e-3, 9e-3, false },
	{ 1, 0.2, 1, false },		/* of what is noise in float32 as well */
	{ 1537, 1e-4, 1.15, true },
	{ 0.118, 1.9e-7, 9e-5, true },	/* by TF32, where the reference has float32 */
	{ 0.118, 1.9e-7, 1.8e-5, false },
	{ 1, 0, 7e-6, true },
	{ 1, 0, 5e-6, false },
	{ 0, 0, 4, true },
	{ 0, 0, 0, false },		/* infinite, or what is not compared by mean */
};

static void test_far_off_is_decided(void)
{
	kb_auto(mem) char *lacking = kb_xstrdup("CUDA out of memory, by halves\n");

	for (size_t i = 0; i < KB_ARRAY_LEN(mismatches); i++) {
		struct kb_fp64_error_output own[] = {
			{ .is_float = false },
			{ .is_float = true, .rms = mismatches[i].own_rms,
			  .rms_error = mismatches[i].own_error },
		};
		struct kb_fp64_error known = {
			.draws = 1, .outputs = own,
			.output_count = KB_ARRAY_LEN(own),
		};
		struct kb_output_error outputs[] = {
			{ .rms_error = 5, .mismatched = 1 },
			{ .rms_error = mismatches[i].error, .mismatched = 1 },
		};
		struct kb_result r = {
			.outcome.status = KB_STATUS_MISMATCH,
			.outputs = outputs,
			.output_count = KB_ARRAY_LEN(outputs),
			.fp64_error = &known,
		};

		check_int(kb_eval_is_final(&r), mismatches[i].is_final);
		r.outcome.log = lacking;
		check_int(kb_eval_is_final(&r), false);
		r.outcome.log = NULL;
		outputs[1].mismatched = 0;	/* by the first, an integer */
		check_int(kb_eval_is_final(&r), false);
		outputs[1].mismatched = 1;
		r.outcome.status = KB_STATUS_CORRECT;
		check_int(kb_eval_is_final(&r), false);
		r.outcome.status = KB_STATUS_MISMATCH;
		r.fp64_error = NULL;
		check_int(kb_eval_is_final(&r), false);
	}
}

static void test_who_was_late_may_pass(void)
{
	check(!kb_eval_fails_again(NULL));
	check(!kb_eval_fails_again("timed_out: no answer within 30 s"));
	check(kb_eval_fails_again("mismatch: output 0"));
	check(kb_eval_fails_again("run_failed"));
}

TAP_MAIN(TAP(test_code_alone_is_decided), TAP(test_far_off_is_decided),
	 TAP(test_who_was_late_may_pass));
