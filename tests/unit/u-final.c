/* What a screen may decide. */

#include "crew/eval_lane.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/result.h"

static const struct {
	enum kb_status status;
	const char *detail, *log;
	bool is_final;
} rows[] = {
	{ KB_STATUS_BUILD_FAILED, "CompilationError: no tanh", "", true },
	{ KB_STATUS_WRONG_SHAPE, "output 0", "", true },
	{ KB_STATUS_RUN_FAILED, "TypeError: 'int' has no len()", "", true },
	{ KB_STATUS_RUN_FAILED, "RuntimeError: no", "", false },
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

TAP_MAIN(TAP(test_code_alone_is_decided));
