#ifndef KB_MEASURE_MEAN_TIME_H
#define KB_MEASURE_MEAN_TIME_H

#include <stdint.h>

struct kb_timing;

/*
 * Times as KernelBench states them: the arithmetic mean of the trials at
 * three significant digits. For comparison with numbers that were made so
 * and for files in its formats; our own times are medians.
 *
 * The mean is of the numbers of which the median is our time
 * (measure/time_rule.h). Slopes are not rounded before: their mean is one
 * exact fraction, rounded once, a tie to the even digit, as "%.3g" does. It
 * stays an integer: below 100 ns there are fewer digits.
 *
 * Where runs of one call decided our time, the mean is at least that time.
 * Where our time is unknown, so is the mean, and where the mean is not greater
 * than zero. `t` has been decided beside `reference`, which may be NULL.
 *
 * Returns nanoseconds, 1 or more, or KB_UNKNOWN.
 */
int64_t kb_mean_time(const struct kb_timing *t,
		     const struct kb_timing *reference);

/* `over` / `under`, both greater than 0, at three digits as above; may be 0. */
int64_t kb_three_digits(__int128 over, __int128 under);

#endif
