#ifndef KB_MEASURE_DEVICE_TIMES_H
#define KB_MEASURE_DEVICE_TIMES_H

#include "measure/device_trial.h"

/* From the samples of a measurement on a CUDA device to its times. */

/* Those samples of `alone` that `t` has not yet: what is known of the
 * reference alone, of before the candidate and of after it. */
void kb_measurement_add_alone(struct kb_timing *t,
			      const struct kb_timing *alone);

/*
 * Times, from all that was measured. No candidate is alive: what chains cost
 * is measured once more, so that none can have made it dear, and samples are
 * corrected by the difference. Returns as the functions of
 * measure/device_trial.h do.
 */
int kb_measurement_decide(struct kb_measurement *m, struct kb_err *err);

#endif
