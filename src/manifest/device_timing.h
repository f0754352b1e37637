#ifndef KB_MANIFEST_DEVICE_TIMING_H
#define KB_MANIFEST_DEVICE_TIMING_H

#include <stdint.h>

#include "manifest/record.h"
#include "manifest/timing.h"

struct kb_fields;
struct kb_json;

/*
 * The device time of one call: what the device needs when everything is
 * queued before the clock starts, so that launching costs nothing. Each of
 * the three timings has KB_CLOCK_DEVICE and keeps all its samples; what
 * they are for and how one time follows from them is told in
 * measure/device_time.h.
 */

/* What the time is from: one of the three, or what is left beside the
 * reference's gate. */
enum kb_decider {
	KB_DECIDER_BATCHES,
	KB_DECIDER_FEW_CALLS,		/* batches were quicker than few calls */
	KB_DECIDER_PUBLISHING,		/* it ran before the clock was started */
	KB_DECIDER_FLOOR,		/* it wasted time in its small batches */
	KB_DECIDER_COUNT,		/* not a decider */
};

/* Why no more trials were made. */
enum kb_ending {
	KB_ENDING_INTERVAL,		/* the interval was narrow enough */
	KB_ENDING_TRIALS,		/* as many as allowed were made */
	KB_ENDING_BUDGET,		/* time was up */
	KB_ENDING_COUNT,		/* not an ending */
};

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

struct kb_device_timing {
	int64_t time_ns;		/* of one call; 1 or more, or KB_UNKNOWN */
	enum kb_decider decider;	/* no matter without a time */
	enum kb_ending ending;		/* no matter without a gate */
	enum kb_ending call_ending;	/* of the trials by the call clock */
	/* Of the median of the deciding timing's slopes, at 95 %, less
	 * `publish_ns` if that is publishing; both KB_UNKNOWN if there are
	 * too few samples to say, if the floor decided, and without a time. */
	int64_t low_ns, high_ns;
	char *no_gate;			/* why the calls could not be queued
					   behind a gate: then there are no
					   timings; else NULL */
	/* Owned. call_time_ns of each is that of its own samples. */
	struct kb_timing *batches;	/* NULL only if `no_gate` is not */
	struct kb_timing *few_calls;	/* of 1 and of 3 calls, or NULL */
	struct kb_timing *publishing;	/* clock started before inputs were
					   published, or NULL */
	int64_t publish_ns;		/* what publishing one call's inputs
					   takes; KB_UNKNOWN only without
					   `publishing` */
	int64_t repeated;		/* trials thrown away: a slowdown */
	int64_t before_ns, after_ns;	/* of a reference beside candidates:
					   its time before the candidate was
					   started and after it was gone, or
					   KB_UNKNOWN */
	struct kb_telemetry telemetry;
};

#define KB_DEVICE_TIMING_INIT {						\
	.time_ns = KB_UNKNOWN, .low_ns = KB_UNKNOWN,			\
	.high_ns = KB_UNKNOWN, .publish_ns = KB_UNKNOWN,		\
	.before_ns = KB_UNKNOWN, .after_ns = KB_UNKNOWN,		\
	.telemetry = KB_TELEMETRY_INIT,					\
}

struct kb_device_timing *kb_device_timing_new(void);
void kb_device_timing_free(struct kb_device_timing *t);	/* NULL is allowed */

/* The caller owns the result. `t` is not NULL: lines of a device without a
 * clock of its own have no such member at all. */
struct kb_json *kb_device_timing_to_json(const struct kb_device_timing *t);

/*
 * The member `key`; NULL if it is not there (then it is no error) or if `f`
 * has failed. Refuses what contradicts itself: a time without the timing
 * that decided it, another clock, an interval upside down, timings without
 * a gate. Whether the time follows from the samples is kb-score's to check.
 * The caller frees with kb_device_timing_free().
 */
struct kb_device_timing *kb_device_timing_read(struct kb_fields *f,
					       const char *key);

#endif
