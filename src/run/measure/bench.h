#ifndef KB_MEASURE_BENCH_H
#define KB_MEASURE_BENCH_H

#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/bench_state.h"

struct kb_err;

/*
 * One problem on the bench: its reference, running, and what reference and
 * candidates are measured with.
 *
 * A run is one batch of n calls of one side, reference or candidate, timed as
 * a whole and verified in full. Its order is what makes it worth something. On
 * the CPU:
 *
 *	1. a seed is drawn, the reference makes the inputs in slots of its
 *	   own, and the supervisor copies them to memory that no worker maps;
 *	2. the reference runs: steps 3 to 5 of its own. What it leaves in its
 *	   slots is what is expected;
 *	3. the candidate is asked to run n slots, stands at the gate and is
 *	   stopped. Only now are the inputs copied into its slots; outputs are
 *	   filled with a pattern, guards are set;
 *	4. clock; the gate opens and the candidate runs; when it says that it
 *	   is done every thread of every process of it is stopped; clock;
 *	5. still stopped: outputs are copied to memory that no worker maps,
 *	   guards and inputs are checked; then it says how it went and is
 *	   stopped again;
 *	6. copy and what is expected are compared, every element.
 *
 * Reference and candidate have no page in common, and the candidate runs only
 * inside its interval while there are inputs that it could know. So nothing
 * that it leaves behind changes what is expected, what is compared, or another
 * candidate's verdict. The interval begins after the inputs were copied in:
 * nothing of the candidate runs meanwhile, so that it learns of them when the
 * gate opens.
 *
 * A run on alternate inputs differs in step 1, where the reference makes
 * alternate inputs, and its time is dropped; measure/alternate.h says which
 * runs these are. measure/host_measurement.h says which runs there are at all.
 *
 * On a CUDA device a stopped process does not stop its kernels. There, what
 * candidates must not see or touch is in memory that they do not have, and
 * the order is that of measure/device_run.h. Code in torch has memory there that
 * may be too little: who runs out of it before anything counts is tried once
 * more with a larger output pool where there is room, see
 * measure/device_pools.h.
 */

/*
 * Start the reference, learn the problem's shape from it and, unless others are
 * beside it, how far it is from float64; `gpu` is NULL for the CPU. Returns 1; 0 if the reference
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
 * digest. Returns 1; 0 if the bench is of no more use and must be closed: the
 * reference failed (`r` then has KB_STATUS_REFERENCE_FAILED), or the candidate
 * left a device no memory, or did not give it back; or fails as above, then `r`
 * is to be dropped.
 */
int kb_bench_candidate(struct kb_bench *b, const struct kb_source *candidate,
		       struct kb_result *r, struct kb_err *err);

/* Judge a candidate without timing it: its only runs are the warm-ups, which
 * are verified, and neither it nor the reference gets a time. If `b->profile` is
 * set, which wants a device that NVML knows, one that is correct then runs in a
 * loop for that. Returns and fails as kb_bench_candidate(). */
int kb_bench_verify(struct kb_bench *b, const struct kb_source *candidate,
		    struct kb_result *r, struct kb_err *err);

/*
 * In a screen, instead of kb_bench_open() and kb_bench_verify(): try a candidate in one
 * process with its reference, both in torch and of one rank. The supervisor sees no
 * output, and believes failures of the candidate alone. A candidate with
 * KB_STATUS_CORRECT has not failed in one call; one with KB_STATUS_MISMATCH has other
 * outputs than the reference by the worker's word, and `r` has none of them. Returns 0,
 * and the bench is to be closed; or fails as kb_bench_open().
 */
int kb_bench_screen(struct kb_bench *b, struct kb_launcher *launcher,
		    const struct kb_policy *policy, const struct kb_gpu *gpu,
		    const struct kb_source *problem,
		    const struct kb_source *candidate, struct kb_result *r,
		    struct kb_err *err);

/* Time the reference itself: everything of `r` but key and mode. Returns
 * and fails as above. */
int kb_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
		       struct kb_err *err);

static inline void kb_cleanup_bench(struct kb_bench *b)
{
	kb_bench_close(b);
}

#endif
