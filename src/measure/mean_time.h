#ifndef KB_MEASURE_MEAN_TIME_H
#define KB_MEASURE_MEAN_TIME_H

#include <stdint.h>

struct kb_device_timing;
struct kb_timing;

/*
 * Times as KernelBench states them: the arithmetic mean of the trials at
 * three significant digits. For comparison with numbers that were made so
 * and for files in its formats; our own times are medians.
 *
 * The mean is of the quotients of which the median is our time
 * (measure/call_time.h), but not of rounded ones: it is one exact fraction,
 * rounded once, a tie to the even digit, as "%.3g" does. It stays an
 * integer: below 100 ns there are fewer digits.
 *
 * Where our time was raised above what the samples say, because the
 * candidate had help (measure/call_time.h, measure/device_time.h), the mean
 * is at least that time. Where our time is unknown, so is the mean, and
 * where the mean is not greater than zero. `reference` was taken beside, or
 * is NULL.
 *
 * Return nanoseconds, 1 or more, or KB_UNKNOWN.
 */
int64_t kb_mean_call_time(const struct kb_timing *t,
			  const struct kb_timing *reference);
int64_t kb_mean_device_time(const struct kb_device_timing *t);

/* `over` / `under`, both greater than 0, at three digits as above; may be 0. */
int64_t kb_three_digits(__int128 over, __int128 under);

#endif
