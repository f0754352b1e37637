#ifndef KB_MEASURE_TRIAL_H
#define KB_MEASURE_TRIAL_H

#include "measure/bench_state.h"
#include "measure/output_errors.h"

/* Inside the bench: one trial, as measure/bench.h tells it. */

struct kb_trial {
	bool remedied;			/* asked: on remedy inputs? */
	uint8_t seed[KB_SEED_BYTES];	/* of the inputs */
	int64_t candidate_ns;		/* of the whole batch */
	int64_t reference_ns;
	struct kb_output_error *errors;	/* one an output; owned */
	struct kb_wrong wrong;
};

#define KB_TRIAL_INIT { .errors = NULL }

/*
 * Run it with `n` calls; `candidate` is NULL to time the reference only.
 * Returns 1 if both ran and nothing but the values may be wrong; 0 if one
 * failed, as `fault` says; or fails with KB_ERR_SYS,
 * KB_ERR_INTERRUPTED. Slots must be there already.
 */
int kb_trial_run(struct kb_bench *b, struct kb_worker *candidate, uint32_t n,
		 struct kb_trial *t, struct kb_fault *fault,
		 struct kb_err *err);

void kb_trial_release(struct kb_trial *t);

static inline void kb_cleanup_trial(struct kb_trial *t)
{
	kb_trial_release(t);
}

#endif
