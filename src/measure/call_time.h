#ifndef KB_MEASURE_CALL_TIME_H
#define KB_MEASURE_CALL_TIME_H

#include <stdbool.h>
#include <stddef.h>
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

/*
 * The quotients of which that is the median, sorted; `count` receives how
 * many. NULL if there are none: see above. The caller frees.
 */
int64_t *kb_call_times_ns(const struct kb_timing *t, size_t *count);

/* How much more a candidate's batch may pay once than the reference's. */
#define KB_GATE_SLACK_NS 100000

/*
 * A candidate's time, given the reference's samples that were taken beside
 * its own. A candidate sees how large its batch is. One that wastes time in
 * its small batches makes its slope small; but then its batches pay more
 * once than the reference's do, whose gate is the same. So the time is at
 * least what the large batches leave:
 *
 *	gate	median(small_ns) - n_small * time, of the reference
 *	floor	(median(large_ns) - gate - KB_GATE_SLACK_NS) / n_large
 *
 * rounded down. Wasting gains at most the slack over the large batch. As
 * kb_call_time_of() where there is one batch size or no reference's time.
 */
int64_t kb_call_time_beside(const struct kb_timing *t,
			    const struct kb_timing *reference);

/*
 * The interval of the median that kb_call_time_beside() gives, at this
 * confidence. False, and the outputs as they were, if there is no time, if
 * there are too few samples to say, or if the floor gave it.
 */
bool kb_call_time_interval(int64_t *low_ns, int64_t *high_ns,
			   const struct kb_timing *t,
			   const struct kb_timing *reference,
			   int confidence_ppm);

/* That floor alone, with another slack. KB_UNKNOWN where there is none: see
 * above. It may be below 1. */
int64_t kb_call_time_floor(const struct kb_timing *t,
			   const struct kb_timing *reference,
			   int64_t slack_ns);

/*
 * The interval of a time that is the larger of a floor and the slopes' median,
 * at this confidence: from the intervals of the medians that it is made of,
 * each so much surer that they all hold together. False, and the outputs as
 * they were, if there is no floor, or if there are too few samples to say.
 */
bool kb_call_time_floor_interval(int64_t *low_ns, int64_t *high_ns,
				 const struct kb_timing *t,
				 const struct kb_timing *reference,
				 int64_t slack_ns, int confidence_ppm);

/* The time that `t` claims, if any, is what kb_call_time_beside() makes of
 * its samples. */
bool kb_call_time_follows(const struct kb_timing *t,
			  const struct kb_timing *reference);

#endif
