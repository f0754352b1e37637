#ifndef KB_WORKER_FP64_ERROR_H
#define KB_WORKER_FP64_ERROR_H

#include "manifest/fp64_error.h"
#include "worker/worker.h"

/* Over how many inputs the reference's error is taken. */
#define KB_FP64_ERROR_DRAWS 3

/*
 * Ask a reference that is loaded how far it is from float64, on inputs of
 * `seed`, or on alternate inputs of it. As kb_worker_ask(): 1 with an
 * answer, which may be that there is none; the caller frees it. An answer that
 * nobody could be judged by is none: an error that is not finite, or so large
 * that an output of zeros would pass, as it is where float64 takes another
 * branch or other random numbers.
 */
int kb_fp64_error_ask(struct kb_fp64_error **out, struct kb_worker *reference,
		      const struct kb_plan *plan,
		      const uint8_t seed[KB_SEED_BYTES], bool alternate,
		      struct kb_fault *fault, struct kb_err *err);

/* What the report says, which need not make sense: NULL if it has another
 * version or other outputs than the plan. */
struct kb_fp64_error *
kb_fp64_error_of_report(const struct kb_fp64_error_report *report,
			const struct kb_plan *plan);

#endif
