#ifndef KB_MEASURE_DEVICE_PROFILE_H
#define KB_MEASURE_DEVICE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/profile.h"

struct kb_err;
struct kb_gpm;
struct kb_kernels;
struct kb_measurement;

/*
 * A candidate's calls in a loop on a CUDA device, while the supervisor reads
 * what the device counts. Nothing of it is timed or judged: the batches are
 * ungated, all on the inputs of the run before the loop, which was verified. An
 * in-place problem therefore works on the output of its own previous call.
 *
 * Between two batches the candidate is stopped and the device idle. An interval
 * therefore also shows which part of it batches took.
 */
struct kb_device_profile {
	struct kb_gpm *gpm;		/* borrowed */
	int64_t batch_calls;
	struct kb_profile_interval *intervals;	/* owned */
	size_t count;
	struct kb_kernels *kernels;	/* of one call behind the loop; owned */
};

void kb_device_profile_release(struct kb_device_profile *p);

/* Profile the candidate of `m`, which is warm. Returns and fails as functions
 * of measure/device_trial.h do; also with KB_ERR_DEVICE if the counters cannot
 * be read. */
int kb_measurement_profile(struct kb_measurement *m,
			   struct kb_device_profile *p, struct kb_err *err);

#endif
