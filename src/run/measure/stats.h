#ifndef KB_MEASURE_STATS_H
#define KB_MEASURE_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/numbers.h"

/*
 * Order statistics over timing samples. Pure: no clock, no I/O, no
 * allocation, and the same result on every machine.
 *
 * Samples are nanoseconds, hence the `_ns`, and lie within +-KB_STAT_NS_MAX
 * (the integers that a record can hold), so that no difference of two of
 * them overflows. Nothing is assumed about how they are distributed:
 * timings have a floor and a tail, and a mean follows the tail.
 *
 * Functions that take `sorted_ns` want ascending order: kb_sort_ns() first.
 */

#define KB_STAT_NS_MAX KB_EXACT_INT_MAX

/* How sure the interval of a median is, in millionths. */
#define KB_STAT_CONFIDENCE_PPM 950000

void kb_sort_ns(int64_t samples_ns[], size_t count);

/*
 * The middle sample; for an even count the mean of the two middle ones,
 * half a nanosecond rounded up. `count` is at least 1.
 */
int64_t kb_median_ns(const int64_t sorted_ns[], size_t count);

/*
 * The shortest symmetric pair of order statistics that holds the median of
 * the population with probability at least `confidence_ppm`, whatever its
 * distribution: `low` is the k-th smallest sample and `high` the k-th
 * largest, with the greatest k for which
 *
 *	2 * P(Binomial(count, 1/2) < k) <= 1 - confidence.
 *
 * Returns false, leaving the outputs alone, if even the whole range is not
 * wide enough: below 6 samples at 95 %.
 */
bool kb_median_interval_ns(int64_t *low_ns, int64_t *high_ns,
			   const int64_t sorted_ns[], size_t count,
			   int confidence_ppm);

/*
 * The time of one call, by trial: a trial made `n_small` calls in small_ns[i]
 * and `n_large` calls in large_ns[i], so that what both paid once cancels in
 *
 *	(large_ns[i] - small_ns[i]) / (n_large - n_small),
 *
 * rounded to the nearest nanosecond, half away from zero. Slopes may be
 * zero or negative: noise is symmetric, and cutting it off would bias the
 * median. `n_large` is greater than `n_small`, which is at least 0.
 */
void kb_slopes_ns(int64_t out[], const int64_t small_ns[],
		  const int64_t large_ns[], size_t count, int64_t n_small,
		  int64_t n_large);

#endif
