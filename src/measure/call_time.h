#ifndef KB_MEASURE_CALL_TIME_H
#define KB_MEASURE_CALL_TIME_H

#include <stdint.h>

struct kb_timing;

/*
 * The one rule by which samples become a time, for whoever measures and for
 * whoever checks a measurement later:
 *
 *	KB_METHOD_SLOPE		the median of the trials' slopes
 *	KB_METHOD_SINGLE	the median of the trials' batch time / n_small
 *
 * each quotient rounded to a nanosecond before the median is taken, as
 * measure/stats.h says. Only the samples and the batch sizes are read, not
 * `call_time_ns`.
 *
 * Returns a time of at least 1, or KB_UNKNOWN if the samples do not give
 * one: there are none, the two sizes do not have equally many, or the
 * median is not greater than zero.
 */
int64_t kb_call_time_of(const struct kb_timing *t);

#endif
