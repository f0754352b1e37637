#ifndef KB_MEASURE_BENCH_H
#define KB_MEASURE_BENCH_H

#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/bench_state.h"

struct kb_err;

/*
 * One problem on the bench: its reference, running, and the slots in
 * which reference and candidates take turns.
 *
 * A trial is one timed request of n calls, and is verified in full. Its
 * order is what makes it worth something:
 *
 *	1. the candidate is asked to run n slots and stands at the gate,
 *	   stopped;
 *	2. only now a seed is drawn and the reference makes the inputs;
 *	3. outputs are poisoned, guards set, inputs hashed;
 *	4. clock; the gate opens and the candidate runs; when it says that
 *	   it is done everything of it is stopped; clock;
 *	5. the outputs are copied away; the candidate says how it went and
 *	   is stopped; guards and inputs are checked;
 *	6. only now the reference computes what they should have been, in
 *	   the same slots, timed in the same way;
 *	7. copy and slots are compared, every element, and the slots'
 *	   outputs overwritten.
 *
 * Trials on remedy inputs are the same but for step 2, where the reference
 * is asked for those, and their times, which nobody keeps; measure/remedy.h
 * says when they are.
 *
 * So the candidate never runs while there are inputs that it is not being
 * timed on, or outputs that it is not being judged by.
 *
 * On a CUDA device a stopped process does not stop its kernels. There, what
 * candidates must not see or touch is in memory that they do not have, and
 * the order is that of measure/device_turn.h.
 */

/*
 * Start the reference, learn the problem's shape from it and how far it is
 * from float64; `gpu` is NULL for the CPU. Returns 1; 0 if the reference
 * cannot be loaded (then `outcome` says how and the bench may be closed); or
 * fails with KB_ERR_SYS, KB_ERR_MISSING, KB_ERR_INTERRUPTED.
 */
int kb_bench_open(struct kb_bench *b, struct kb_launcher *launcher,
		  const struct kb_policy *policy, const struct kb_gpu *gpu,
		  const struct kb_source *problem, struct kb_outcome *outcome,
		  struct kb_err *err);
void kb_bench_close(struct kb_bench *b);

/*
 * Judge and time one candidate: everything of `r` but key, sample_id and
 * digest. Returns 1; 0 if the reference failed, after which the bench must
 * be closed (`r` then has KB_STATUS_REFERENCE_FAILED); or fails as above,
 * then `r` is to be dropped.
 */
int kb_bench_candidate(struct kb_bench *b, const struct kb_source *candidate,
		       struct kb_result *r, struct kb_err *err);

/* The same of whether it is correct alone: its trials are the verified ones
 * that warm it up, and neither it nor the reference gets a time. */
int kb_bench_verify(struct kb_bench *b, const struct kb_source *candidate,
		    struct kb_result *r, struct kb_err *err);

/* Time the reference itself: everything of `r` but key and mode. Returns
 * and fails as above. */
int kb_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
		       struct kb_err *err);

static inline void kb_cleanup_bench(struct kb_bench *b)
{
	kb_bench_close(b);
}

#endif
