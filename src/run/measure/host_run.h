#ifndef KB_MEASURE_HOST_RUN_H
#define KB_MEASURE_HOST_RUN_H

#include "measure/bench_state.h"
#include "measure/host_measurement.h"
#include "measure/output_errors.h"

/*
 * Inside the bench, on the CPU: runs of the reference and, if asked for, of
 * the candidate on the same inputs, in the order that measure/bench.h tells.
 */
struct kb_host_run {
	struct kb_host_runs *runs;	/* asked and answered; borrowed */
	bool warms_up;			/* asked: may these show that the
					   reference works in place? */
	struct kb_worker *candidate;	/* if it is to run; borrowed */
	bool repeats;			/* asked: `seed` is the last run's. Of
					   the reference alone, its outputs are
					   compared with that run's */
	bool draws_anew;		/* asked: the runtime's own generator gets
					   another seed than in that run */

	/* answered, unless it repeats */
	uint8_t seed[KB_SEED_BYTES];	/* of the inputs */

	/* answered */
	bool is_paused;			/* we were, so that its times tell
					   nothing */
	struct kb_output_error *errors;	/* of who is compared, one an output;
					   owned */
	struct kb_wrong wrong;
};

#define KB_HOST_RUN_INIT { .errors = NULL }

/*
 * Returns 1 if both did as asked and nothing but the candidate's values may be
 * wrong; 0 if one failed, as `fault` says; or fails with KB_ERR_SYS,
 * KB_ERR_INTERRUPTED. There are as many slots as it takes after it.
 */
int kb_host_run(struct kb_bench *b, struct kb_host_run *r,
		struct kb_fault *fault, struct kb_err *err);
void kb_host_run_release(struct kb_host_run *r);

static inline void kb_cleanup_host_run(struct kb_host_run *r)
{
	kb_host_run_release(r);
}

void kb_host_copy_release(struct kb_host_copy *c);

#endif
