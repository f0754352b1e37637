#ifndef KB_MEASURE_HOST_MEASUREMENT_H
#define KB_MEASURE_HOST_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/timing.h"
#include "measure/policy.h"
#include "measure/remedy.h"
#include "worker/worker.h"

/*
 * Inside the bench, on the CPU: which runs are made, of how many calls and in
 * which order, and what becomes of their times. Who makes them is a function,
 * so that this can be tried without a worker and without a clock.
 *
 *	alone		runs of one call of the reference while no candidate
 *			is alive
 *	warm-up		KB_HOST_WARM_UPS runs of one call of both: the first
 *			loads and allocates what is done once, the last
 *			estimates how long a call takes
 *	trials		as many as the policy says, each a run of n_small
 *			calls and one of n_large (kb_policy_batches()), and
 *			beside a candidate runs of one call, so that there
 *			are kb_host_one_calls() of them when the last trial is
 *			over; where n_small is 1 its runs are such runs, too
 *	alternate	further trials, drawn by chance, on alternate inputs
 *			(measure/remedy.h): like any other to the candidate,
 *			and not counted
 *
 * Each of these but the first is a run of the reference and, beside it, one of
 * the candidate on the same inputs.
 */

#define KB_HOST_WARM_UPS 2

/* At least so many that their median has an interval at 99.9 %. */
#define KB_HOST_ONE_CALLS_MIN 11
#define KB_HOST_ONE_CALLS_MAX 31

/* How many runs of one call are made of each side if one takes `call_ns`: as
 * many as fit a quarter of a second, within these limits. */
uint32_t kb_host_one_calls(int64_t call_ns);

struct kb_host_measurement {
	/* given; all borrowed */
	const struct kb_policy *policy;
	const struct kb_remedy_rounds *rounds;	/* which are alternate */
	bool has_candidate;
	uint64_t call_bytes;		/* memory that one call takes */
	void *context;			/* for `run` */

	/*
	 * Make a run of `n` calls of the reference and, if `candidate`, one of
	 * it beside that, and verify it. Both times are of all calls together;
	 * a side that did not run has none. Returns 1; 0 if one of them
	 * failed; or fails.
	 */
	int (*run)(void *context, uint32_t n, bool candidate, bool alternate,
		   int64_t elapsed_ns[KB_SIDE_COUNT], struct kb_fault *fault,
		   struct kb_err *err);

	/* found */
	struct kb_timing *timings[KB_SIDE_COUNT];	/* owned until taken */
	int64_t alone_ns[KB_HOST_ONE_CALLS_MAX];
	uint32_t alone_count;
};

/* These return and fail as `run`. `call_ns` is what a call takes, about. */

/* Before a candidate is started. */
int kb_host_measure_alone(struct kb_host_measurement *m, int64_t call_ns,
			  struct kb_fault *fault, struct kb_err *err);

int kb_host_warm_up(struct kb_host_measurement *m, int64_t *call_ns,
		    struct kb_fault *fault, struct kb_err *err);

/* All trials; then `timings` have times. */
int kb_host_measure(struct kb_host_measurement *m, int64_t call_ns,
		    struct kb_fault *fault, struct kb_err *err);

void kb_host_measurement_release(struct kb_host_measurement *m);

static inline void
kb_cleanup_host_measurement(struct kb_host_measurement *m)
{
	kb_host_measurement_release(m);
}

#endif
