#ifndef KB_DEVICE_GPM_H
#define KB_DEVICE_GPM_H

#include <stdint.h>

#include "manifest/gpm_metric.h"

struct kb_err;
struct kb_nvml;

/*
 * NVML's GPU performance monitoring (GPM): how busy the parts of a GPU were
 * between two points in time, counted by the device over all that runs on it,
 * and read by a process that runs nothing there. Hopper and newer.
 *
 * What it tells are shares of what the device can do at its clocks of that
 * interval, in millionths. Intervals shorter than KB_GPM_INTERVAL_MIN_NS tell
 * little: the counters are read some ten times a second.
 */

#define KB_GPM_INTERVAL_MIN_NS INT64_C(100000000)

struct kb_gpm;

/*
 * `n` is borrowed until close. Fails with KB_ERR_MISSING if this NVML or this
 * GPU has no GPM; with KB_ERR_DEVICE if NVML refuses to tell, which it may do
 * to who has no permission: the message then says what a site can do.
 */
int kb_gpm_open(struct kb_gpm **out, const struct kb_nvml *n,
		struct kb_err *err);
void kb_gpm_close(struct kb_gpm *g);		/* NULL is allowed */

/* An interval ends here, and the next one begins. The first mark, which open
 * makes, only begins one. Fails with KB_ERR_DEVICE. */
int kb_gpm_mark(struct kb_gpm *g, struct kb_err *err);

/* The counters of the interval between the last two marks, which must be there:
 * KB_NVML_UNKNOWN where this device has no counter. Fails with
 * KB_ERR_DEVICE. */
int kb_gpm_read(const struct kb_gpm *g, int64_t ppm[KB_GPM_METRIC_COUNT],
		struct kb_err *err);

#endif
