#ifndef KB_MEASURE_DEVICE_TIMES_H
#define KB_MEASURE_DEVICE_TIMES_H

#include "measure/device_trial.h"

/* From the samples of a measurement on a CUDA device to its times. */

/* Add to `t` the samples of control timing in `alone` that `t` lacks: those from
 * before the candidate, or those from after it. */
void kb_measurement_add_alone(struct kb_timing *t,
			      const struct kb_timing *alone);

/*
 * Decide the times. No candidate is alive: the cost of the chains is measured
 * again, which a candidate may have raised before, and samples are corrected by
 * the difference. Returns as the functions of
 * measure/device_trial.h do.
 */
int kb_measurement_decide(struct kb_measurement *m, struct kb_err *err);

#endif
