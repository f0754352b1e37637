#ifndef KB_MEASURE_TIME_RULE_H
#define KB_MEASURE_TIME_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_timing;

/*
 * The one rule by which samples become the time of a call, by either clock
 * and on every device, for whoever measures and for whoever checks a
 * measurement later. It reads sizes, samples and copy_in_small_ns of `t`, and
 * the same of `reference`: the reference's by the same clock, taken beside
 * it, or NULL.
 *
 *	slope		median over trials of
 *			(large_ns - small_ns) / (n_large - n_small),
 *			each rounded to a nanosecond; with KB_METHOD_SINGLE of
 *			small_ns / n_small. What is paid once a run cancels in
 *			the first and is part of the second
 *	bound		what one call takes with no other in sight, which could
 *			be done beside it or together with it:
 *			slope of the reference
 *			+ median over i of t.one_call_ns[i] -
 *					   reference.one_call_ns[i]
 *			+ extra
 *	extra		median of the reference's one_call_ns less that of its
 *			alone_ns, if both are there and that is above zero: a
 *			candidate that makes the reference's runs dear gains
 *			nothing, as the smaller of the two counts
 *
 * The time is the slope, unless that is below the bound: below the lower end
 * of the bound's interval at 99.9 % by more than a slack. Then it is the
 * bound. The slack is KB_ONE_CALL_SLACK_PPM of the bound, and at least
 * KB_ONE_CALL_SLACK_NS where inputs are copied in (a GPU), else
 * KB_ONE_CALL_HOST_SLACK_NS. On the CPU the lower end is further down by as
 * much as that of the reference's slope, at 99.9 % or its smallest with fewer
 * than 11 of them, is below its median.
 *
 * That was found with references as candidates of their own problem, 5 us to
 * 30 ms, on two cores that other programs wanted as well: of 80 with runs of
 * one call in a row one had its slope below the lower end, by 5.2 us, the next
 * was 1.6 us above it; on one core all 12 were above it by 3.8 us. With the
 * median of the reference's slopes in place of its lower end slacks of 326,
 * 215, 76 and 69 us would have been needed. The slack is for code that is
 * another, too: threads that are woken once a run, an interpreter that is
 * cold, take 10 us and more.
 *
 * Runs of one size that are beside slopes hold what slopes do not: there the
 * bound is the time, whatever the interval.
 *
 * There is no bound without a reference, if its batches give no time, or
 * unless both have equally many runs of one call and at least one. Below 11
 * of them there is no interval at 99.9 %.
 *
 * The interval of the bound is that of the median of differences, moved to
 * the bound.
 *
 * Any numbers that a record can hold are allowed.
 */
#define KB_ONE_CALL_SLACK_NS 1000
#define KB_ONE_CALL_HOST_SLACK_NS 20000
#define KB_ONE_CALL_SLACK_PPM 20000

/* Fill in time_ns, basis, low_ns and high_ns. No time: all are KB_UNKNOWN
 * and the basis is KB_BASIS_SLOPE. */
void kb_time_decide(struct kb_timing *t, const struct kb_timing *reference);

/* These four are what kb_time_decide() makes of the samples. */
bool kb_time_follows(const struct kb_timing *t,
		     const struct kb_timing *reference);

/* The slope alone: 1 or more; KB_UNKNOWN if there are no samples, if the two
 * sizes do not have equally many, or if the median is not above zero. */
int64_t kb_slope_ns(const struct kb_timing *t);

/* Have enough trials been made? If the interval of the slope at 95 % is at
 * most `interval_ppm` millionths of it wide. Not with too few samples for an
 * interval, a slope that is no time, or no timing (NULL). */
bool kb_time_is_precise(const struct kb_timing *t, int64_t interval_ppm);

/*
 * The numbers of which the time is the median, sorted: slopes, or differences
 * moved to the bound. `count` receives how many; `t` has been decided. NULL
 * without a time. The caller frees.
 */
int64_t *kb_time_samples_ns(const struct kb_timing *t,
			    const struct kb_timing *reference, size_t *count);

/* As low_ns and high_ns, but at this confidence. `t` has been decided. False,
 * and the outputs as they were, without a time or with too few samples. */
bool kb_time_interval(int64_t *low_ns, int64_t *high_ns,
		      const struct kb_timing *t,
		      const struct kb_timing *reference, int confidence_ppm);

#endif
