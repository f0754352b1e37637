#ifndef KB_MEASURE_DEVICE_MEASUREMENT_H
#define KB_MEASURE_DEVICE_MEASUREMENT_H

#include "measure/device_trial.h"

/*
 * The way from warm-ups to times on a CUDA device, for the reference alone or
 * for a candidate beside it. Both sides go it by the same code and take turns,
 * the candidate first, so that its inputs serve for the reference as well:
 *
 *	measure/device_calibration.h:
 *	warm-ups	ungated runs, verified like all others
 *	calibration	how many calls a batch takes
 *	control timing	of the reference with no candidate alive: before the
 *			candidate is started, and when it is gone
 *	here, by the device clock, then by the call clock:
 *	trials		a small and a large batch of each side, until the
 *			slopes are known well enough (measure/stopping.h); a
 *			few on alternate inputs among them, which do not count
 *	one call	runs of a single call, reference and candidate in
 *			turn, for the bound of measure/time_rule.h
 *	measure/device_times.h:
 *	times		by that rule, when the candidate is gone
 *
 * Functions return as those of measure/device_trial.h do.
 */

/* Draw the seed and add it to `outcome`; the control page of the reference is
 * shown to the device. Fails with KB_ERR_SYS, KB_ERR_DEVICE. */
int kb_measurement_begin(struct kb_measurement *m, struct kb_bench *b,
			 struct kb_outcome *outcome, struct kb_err *err);
void kb_measurement_release(struct kb_measurement *m);

/* The candidate takes part, until it is dropped, which must be before its
 * worker ends. `pool` is borrowed as long. Fails with KB_ERR_DEVICE. */
int kb_measurement_add_candidate(struct kb_measurement *m, struct kb_worker *w,
				 const struct kb_output_pool *pool,
				 bool in_slots, struct kb_err *err);
void kb_measurement_drop_candidate(struct kb_measurement *m);

/* All trials and runs of one call that count. */
int kb_measurement_take(struct kb_measurement *m, struct kb_err *err);

static inline void kb_cleanup_measurement(struct kb_measurement *m)
{
	kb_measurement_release(m);
}

#endif
