#ifndef KB_MEASURE_DEVICE_TIME_H
#define KB_MEASURE_DEVICE_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct kb_device_timing;
struct kb_timing;

/*
 * The one rule by which samples of the device clock become a time, for
 * whoever measures and for whoever checks a measurement later. It reads the
 * samples, `publish_ns` and `no_gate` of `t`, and the same of `reference`
 * (the reference's, taken beside it, or NULL), and fills in time_ns,
 * decider, low_ns and high_ns of `t`.
 *
 *	batches		the median of the slopes between small and large
 *			batches: the time, unless one of the others says that
 *			the candidate must have had help
 *	few calls	the same from 1 and 3 calls. With many inputs in
 *			sight, a kernel can do the work of many calls at once
 *			and save their gaps. If the batches are below the
 *			interval of the few calls (at 99.9 %) by more than
 *			KB_FEW_CALLS_SLACK_NS, the time is the upper end of that
 *			interval at 95 %
 *	publishing	the same with the clock started before the inputs
 *			were published, less `publish_ns`, so that a kernel
 *			that waits for inputs gains nothing by starting early.
 *			If the batches are below its interval (at 99.9 %) by
 *			more than KB_PUBLISH_SLACK_PPM of that, the time is its
 *			median
 *	floor		what the large batches leave beside the reference's
 *			gate, as in measure/call_time.h, less
 *			KB_DEVICE_GATE_SLACK_NS: at least that is the time
 *
 * Whichever is largest decides, the first of them if two are the same.
 * Where the batches are KB_METHOD_SINGLE there are no slopes: they decide, or
 * publishing, if that is of single calls as well; and only then.
 * One with too few samples for its interval does not decide. Batches
 * whose median is no time leave it KB_UNKNOWN, and so does `no_gate`.
 *
 * Any numbers that a record can hold are allowed.
 */
#define KB_FEW_CALLS_SLACK_NS 1500
#define KB_PUBLISH_SLACK_PPM 10000
#define KB_DEVICE_GATE_SLACK_NS 8000

void kb_device_time_decide(struct kb_device_timing *t,
			   const struct kb_device_timing *reference);

/* The time that `t` claims, if any, is what kb_device_time_decide() makes of
 * it, and so are those of its timings. */
bool kb_device_time_follows(const struct kb_device_timing *t,
			    const struct kb_device_timing *reference);

/*
 * The interval of the median that decided, as low_ns and high_ns are, but at
 * this confidence. `t` has been decided. False, and the outputs as they were,
 * if there is no time, too few samples to say, or if the floor gave it.
 */
bool kb_device_time_interval(int64_t *low_ns, int64_t *high_ns,
			     const struct kb_device_timing *t,
			     int confidence_ppm);

/*
 * Have enough trials been made? If the interval of the median at 95 % is at
 * most `interval_ppm` millionths of the median wide. Not with too few
 * samples for an interval, a median that is no time, or no timing (NULL).
 */
bool kb_device_time_is_precise(const struct kb_timing *batches,
			       int64_t interval_ppm);

#endif
