#ifndef KB_MANIFEST_DEVICE_TIMING_H
#define KB_MANIFEST_DEVICE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "manifest/record.h"
#include "manifest/timing.h"

struct kb_fields;
struct kb_json;

#define KB_TELEMETRY_NS (20 * KB_NS_PER_MS)	/* asked so often at most:
						   asking takes as long as a
						   short run */

/* How the device was while the clock ran; KB_UNKNOWN for what it does not
 * tell. `reasons` are NVML's bits, all that were seen. */
struct kb_telemetry {
	int64_t samples;
	int64_t sm_clock_mhz_min, sm_clock_mhz_max;
	int64_t memory_clock_mhz_min, memory_clock_mhz_max;
	int64_t temperature_c_max;
	int64_t power_mw_max;
	int64_t reasons;
};

#define KB_TELEMETRY_INIT {						\
	.sm_clock_mhz_min = KB_UNKNOWN, .sm_clock_mhz_max = KB_UNKNOWN,	\
	.memory_clock_mhz_min = KB_UNKNOWN,				\
	.memory_clock_mhz_max = KB_UNKNOWN,				\
	.temperature_c_max = KB_UNKNOWN, .power_mw_max = KB_UNKNOWN,	\
	.reasons = KB_UNKNOWN,						\
}

/*
 * The time of one call by the device's clock: what the device needs when
 * everything is queued before the clock starts, so that launching costs
 * nothing.
 */
struct kb_device_timing {
	struct kb_timing *timing;	/* with KB_CLOCK_DEVICE; owned; NULL
					   only if `not_queueable` is not */
	char *not_queueable;		/* why calls cannot be queued before
					   they may begin, or NULL; owned */
	int64_t repeated;		/* runs thrown away: a slowdown */
	int64_t control_before_ns;	/* of a reference beside a candidate: */
	int64_t control_after_ns;	/* its slope before that was started and
					   after it was gone, or KB_UNKNOWN;
					   set by kb_device_timing_control() */
	struct kb_telemetry telemetry;
};

#define KB_DEVICE_TIMING_INIT {						\
	.control_before_ns = KB_UNKNOWN, .control_after_ns = KB_UNKNOWN,	\
	.telemetry = KB_TELEMETRY_INIT,					\
}

struct kb_device_timing *kb_device_timing_new(void);
void kb_device_timing_free(struct kb_device_timing *t);	/* NULL is allowed */

/* NULL without one; so for NULL. */
static inline const struct kb_timing *
kb_device_time(const struct kb_device_timing *t)
{
	return t ? t->timing : NULL;
}

/* Both control timings, and the longer of them in the timing, if there is
 * one. */
void kb_device_timing_control(struct kb_device_timing *t, int64_t before_ns,
			      int64_t after_ns);

/* The highest SM clock that was sampled, or KB_UNKNOWN; so for NULL. */
int64_t kb_device_timing_sm_clock_mhz(const struct kb_device_timing *t);

/* The name of a control timing that there is, else NULL; so for NULL. */
const char *kb_device_timing_has_control(const struct kb_device_timing *t);

/* The caller owns the result. `t` is not NULL: lines of a device without a
 * clock of its own have no such member at all. */
struct kb_json *kb_device_timing_to_json(const struct kb_device_timing *t);

/*
 * The member `key`; NULL if it is not there (then it is no error) or if `f`
 * has failed. Refuses what kb_timing_read() refuses, and a timing of calls
 * that cannot be queued. The caller frees with kb_device_timing_free().
 */
struct kb_device_timing *kb_device_timing_read(struct kb_fields *f,
					       const char *key);

/* Fails unless what `key` names, by the call clock, tells what copying in
 * takes exactly where there is a device's clock beside it. Either may be
 * NULL, and then there is nothing to ask. */
void kb_device_timing_check(struct kb_fields *f, const char *key,
			    const struct kb_timing *call,
			    const struct kb_device_timing *device);

/* Is device_ns of `call`, or NULL, the time by `device`, or NULL: of the same
 * side's? Reading does not ask. */
bool kb_device_ns_is_told(const struct kb_timing *call,
			  const struct kb_device_timing *device);

#endif
