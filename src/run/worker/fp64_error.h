#ifndef KB_WORKER_FP64_ERROR_H
#define KB_WORKER_FP64_ERROR_H

#include "manifest/fp64_error.h"
#include "worker/worker.h"

/* Over how many inputs the reference's error is taken. */
#define KB_FP64_ERROR_DRAWS 3

/*
 * Ask a reference that is loaded how far it is from float64, on inputs drawn
 * from `seed`, which are alternate inputs if `alternate`. Returns and fails as
 * kb_worker_ask(); with 1 the caller frees `*out`.
 *
 * `*out` says that there is no error to judge by, and why, if the error is not
 * finite or so large that an output of zeros would pass: float64 may take
 * another branch, or draw other random numbers.
 */
int kb_fp64_error_ask(struct kb_fp64_error **out, struct kb_worker *reference,
		      const struct kb_plan *plan,
		      const uint8_t seed[KB_SEED_BYTES], bool alternate,
		      struct kb_fault *fault, struct kb_err *err);

/* Read a report of each rank, which the worker wrote and may have forged. NULL if
 * one has another version, or other outputs, than the plan. The first that has a
 * reason instead counts for all. */
struct kb_fp64_error *
kb_fp64_error_of_reports(const struct kb_fp64_error_report of_ranks[],
			 const struct kb_plan *plan);

#endif
