#ifndef KB_MEASURE_STOPPING_H
#define KB_MEASURE_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "manifest/timing.h"

struct kb_policy;

/*
 * When a measurement may stop: pure functions of the samples so far, which the
 * CPU and CUDA devices share.
 */

/* The fewest trials by the call clock beside those by the device's: enough
 * for an interval. */
#define KB_TRIALS_BESIDE 6

/* What is known when a round of trials is over. */
struct kb_progress_of_trials {
	int64_t least;			/* trials, at least */
	int64_t counted;
	int64_t elapsed_ns, budget_ns;
	bool precise;			/* all slopes are known well enough */
};

/*
 * May the trials by one clock end? Not before `least`; then if they
 * are precise, if time is up, or at policy->trials_max, in this order, which
 * `reason` receives.
 */
bool kb_trials_are_enough(const struct kb_policy *policy,
			  const struct kb_progress_of_trials *p,
			  enum kb_stop_reason *reason);

/*
 * May the runs of one call end, of which `t` and `reference` have equally
 * many? Between KB_ONE_CALL_PAIRS_MIN, below which there is no interval to
 * decide by, and KB_ONE_CALL_PAIRS_MAX (measure/policy.h) they may
 *
 *	if the slope is clearly not below the bound: the bound is above it by
 *	no more than three quarters of the slack that is granted; or
 *	if it clearly is, and there are KB_ONE_CALL_PAIRS_DECIDED, since then
 *	the bound is the time, and is to be known well
 */
#define KB_ONE_CALL_PAIRS_DECIDED 24

bool kb_one_calls_are_enough(const struct kb_timing *t,
			     const struct kb_timing *reference);

/*
 * May the control timing that comes after a candidate be kept, `after_ns`
 * beside `before_ns`? While the driver clears the memory of a process that has
 * ended, kernels that wait for memory take up to 30 % longer, about a tenth of a
 * second on an H200. So not yet while it is longer by more than the slack of a
 * control timing; but always once `elapsed_ns` is KB_SETTLING_NS: clocks may
 * have changed for good. Times may be KB_UNKNOWN: there is nothing to wait for.
 */
#define KB_SETTLING_NS KB_NS_PER_S

bool kb_control_has_settled(int64_t before_ns, int64_t after_ns,
			    int64_t elapsed_ns);

#endif
