#ifndef KB_MEASURE_HOST_MEASUREMENT_H
#define KB_MEASURE_HOST_MEASUREMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/timing.h"
#include "measure/policy.h"
#include "measure/alternate.h"
#include "worker/worker.h"

/*
 * Inside the bench, on the CPU: which runs are made, of how many calls and in
 * which order, and what becomes of their times. The runs are made by a function
 * of the caller's, so that tests need neither a worker nor a clock.
 *
 *	warm-up		KB_HOST_WARM_UPS runs of one call of both: the first
 *			loads and allocates what is done once, the last
 *			estimates how long a call takes
 *	trials		as many as the policy says, each a run of n_small
 *			calls and one of n_large (kb_policy_batches()), and
 *			beside a candidate runs of one call, so that there
 *			are kb_host_one_calls() of them when the last trial is
 *			over
 *	alternate	further trials, drawn by chance, on alternate inputs
 *			(measure/alternate.h): like any other to the candidate,
 *			and not counted
 *
 * Each of these is a run of the reference and, right after it, one of the
 * candidate on the same inputs. Runs of one call are made in a row, without new
 * inputs being made in between: both sides then have been idle for as long.
 *
 * There is no control timing of the reference, as there is on a GPU: a candidate
 * on the CPU is stopped while the reference runs, and other load of the machine
 * changes the time of a single call by more, from one second to the next, than
 * a stopped candidate could (doc/spec-statistics.md).
 */

#define KB_HOST_WARM_UPS 2

/* How many runs of one call are made of each side if one takes `call_ns`: as
 * many as fit a quarter of a second, within these limits. */
uint32_t kb_host_one_calls(int64_t call_ns);

/* Runs that are asked for, and what they took. */
struct kb_host_runs {
	uint32_t calls;
	bool one_by_one;		/* runs of one call each, at most
					   KB_HOST_ONE_CALLS_MAX; else one run
					   of all */
	bool warms;			/* each after one that is not timed */
	bool alternate;			/* on alternate inputs */
	int64_t elapsed_ns[KB_SIDE_COUNT][KB_HOST_ONE_CALLS_MAX]; /* each run */
};

struct kb_host_measurement {
	/* given; all borrowed */
	const struct kb_policy *policy;
	const struct kb_alternate_rounds *rounds;	/* which are alternate */
	bool has_candidate;
	uint64_t call_bytes;		/* memory that one call takes */
	void *context;			/* for `run` */

	/* Make runs of the reference and, if there is one, of the candidate,
	 * and verify that. Returns 1; 0 if one of them failed; or fails. */
	int (*run)(void *context, struct kb_host_runs *runs,
		   struct kb_fault *fault, struct kb_err *err);

	/* found */
	struct kb_timing *timings[KB_SIDE_COUNT];	/* owned until taken */
};

/* These return and fail as `run`. `call_ns` is what a call takes, about. */

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
