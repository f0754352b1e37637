#ifndef KB_MEASURE_DEVICE_CALIBRATION_H
#define KB_MEASURE_DEVICE_CALIBRATION_H

#include "measure/device_trial.h"

/*
 * The steps before the trials that count on a CUDA device: first calls, how
 * many calls a batch takes, and what the reference takes with no candidate
 * alive. Functions return as those of measure/device_trial.h do.
 */

/* First calls, which load, build and allocate what is done once. */
int kb_measurement_warm_up(struct kb_measurement *m, enum kb_side side,
			   struct kb_err *err);

/* Estimate the device time of a call, and choose the sizes of batches. The bench
 * keeps the reference's for its next measurement. */
int kb_measurement_calibrate(struct kb_measurement *m, enum kb_side side,
			     struct kb_err *err);

/*
 * Choose the sizes of batches by the call clock, into `*n`. `device_ns`, which
 * may be KB_UNKNOWN, is the least that a call takes; if that is long enough to
 * decide, no call is made.
 */
int kb_measurement_calibrate_calls(struct kb_measurement *m, enum kb_side side,
				   int64_t device_ns, struct kb_batches *n,
				   struct kb_err *err);

/*
 * Control timing: `*time_ns` receives the reference's slope from a few trials by
 * the device clock, or KB_UNKNOWN, and runs of one call of it are kept. No
 * candidate is alive. After one, `before_ns` is the slope from before it, else
 * KB_UNKNOWN: trials are repeated until the device has settled (stopping.h).
 */
int kb_measurement_control(struct kb_measurement *m, int64_t before_ns,
			   int64_t *time_ns, struct kb_err *err);

#endif
