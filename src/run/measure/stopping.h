#ifndef KB_MEASURE_STOPPING_H
#define KB_MEASURE_STOPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "manifest/timing.h"

struct kb_policy;

/*
 * When a measurement may stop: pure functions of the samples so far, which the
 * CPU and CUDA devices share, and which kb-verify asks again.
 *
 * A policy that has a slow_factor is by rule KB_STOPPING_RULE, which is in the
 * record. One that has none is by the first rule, by which no candidate is too
 * slow: all that is said here of slow ones then does not apply.
 */
#define KB_STOPPING_RULE 2

/* The fewest trials by the call clock beside those by the device's: enough
 * for an interval. */
#define KB_TRIALS_BESIDE 6

/* The facts at the end of a round of trials. */
struct kb_progress_of_trials {
	int64_t least;			/* trials, at least */
	int64_t counted;
	int64_t elapsed_ns, budget_ns;
	bool precise;			/* all slopes are known well enough */
};

/*
 * Is the candidate so slow that more of its trials decide nothing? It is if
 *
 *	each slope of `t` is slow_factor times the median of what a call takes
 *	in large runs of the reference beside it, or more;
 *	each has KB_SLOW_TRIALS of these, or more; and
 *	the runs of its trials took KB_SLOW_NS together: below that more are
 *	cheap, and give an interval.
 *
 * Samples are corrected once more when the candidate is gone. So who checks a
 * record (`is_recorded`) grants a tenth of the factor and of the time. NULL is a
 * timing that is not there.
 */
#define KB_SLOW_TRIALS 2
#define KB_SLOW_NS (KB_NS_PER_S / 4)

bool kb_trials_are_slow(const struct kb_timing *t,
			const struct kb_timing *reference, int64_t slow_factor,
			bool is_recorded);

/*
 * Where a time is taken to lie that ended as slow before there were trials enough
 * for an interval: from half of it to twice. No confidence is claimed for that:
 * it takes two runs that are both off by so much for no reason. Leaves the
 * outputs of any other timing, and without a time.
 */
void kb_slow_range(int64_t *low_ns, int64_t *high_ns,
		   const struct kb_timing *t);

/* By the call clock who is not done so long after what its calls take is at fault:
 * they are launched meanwhile, by a host that may be busy. */
#define KB_LAUNCH_PATIENCE_NS (5 * KB_NS_PER_S)

/*
 * For how long a run of `n` calls of a candidate may last: slow_call_ns or, if
 * that is longer, slow_factor times what `n` calls of its reference take; never
 * longer than `timeout_ns`, which is all by the first rule. `reference_call_ns`
 * may be KB_UNKNOWN.
 */
int64_t kb_run_limit_ns(const struct kb_policy *policy, int64_t timeout_ns,
			int64_t reference_call_ns, uint32_t n);

/* For how long a candidate may be asked anything, its reference's turns included:
 * ten times `timeout_ns`. 0 by the first rule: for as long as it takes. */
int64_t kb_total_limit_ns(const struct kb_policy *policy, int64_t timeout_ns);

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
 * many? None is needed of who ended as slow: nobody gains by a slope that is so
 * long, and a bound would make it longer. Of all others they may, between
 * KB_ONE_CALL_PAIRS_MIN, below which there is no interval to decide by, and
 * KB_ONE_CALL_PAIRS_MAX (measure/policy.h),
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
