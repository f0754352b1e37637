#ifndef KB_MEASURE_TIME_RULE_H
#define KB_MEASURE_TIME_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_timing;

/*
 * The one rule by which samples become the time of a call, by either clock
 * and on every device, for whoever measures and for whoever checks a
 * measurement later. It reads of `t` its clock, sizes, samples, device_ns, control_ns
 * and copy_in_small_ns; of `reference`, which was taken beside it by the same
 * clock, or is NULL, its sizes and samples.
 *
 *	slope		median over trials of
 *			(large_ns - small_ns) / (n_large - n_small),
 *			each rounded to a nanosecond: what is paid once a run
 *			cancels
 *	bound		what one call takes with no other in sight, which could
 *			be done beside it or together with it:
 *			reference.n_one_call * slope of the reference
 *			+ median over i of t.one_call_ns[i] -
 *				reference.one_call_ns[i]
 *			Where n_one_call is 0 the reference's runs are of no
 *			calls: they cost what a run costs, and the noise of a
 *			slope that is long is in no bound
 *			A reference's run that takes longer than `most` does
 *			not count as it is, so that a candidate gains nothing by
 *			making some or all of them dear: by the device's clock
 *			it counts as the shortest of alone_ns, the same runs
 *			with no candidate alive, by the call clock as `most`
 *	most		the lower quartile of alone_ns, since those before a
 *			candidate and those after it may differ by tens of
 *			microseconds, or their median by the call clock, in
 *			which launching varies by more; and an allowance for
 *			drift, KB_ONE_CALL_DRIFT_PPM of the reference's slope,
 *			at least KB_ONE_CALL_DRIFT_NS. No limit without alone_ns
 *
 * The time is the slope, unless that is below the bound: below the lower end
 * of the bound's interval at 99.9 % by more than a slack. Then it is the
 * bound and the slack together, so that nobody gains by what the bound cannot
 * tell. The slack is KB_ONE_CALL_SLACK_PPM of the bound, and at least
 * KB_ONE_CALL_SLACK_NS by the device's clock, KB_ONE_CALL_LAUNCH_SLACK_NS by
 * the call clock beside it, KB_ONE_CALL_HOST_SLACK_NS on the CPU, where no
 * inputs are copied in: by so much do the single calls of two processes with
 * the same code differ. Of 89 honest candidates of up to 150 us on an H200 the
 * lower end was 0.6 us above the slope at most.
 * Groups of ranks, whose members do not start at the same time, have
 * KB_ONE_CALL_RANKS_SLACK_NS by the device's clock, which is in the timing
 * (one_call_slack_ns). Of 64 references of two to eight ranks as candidates of
 * their own problem, 18 us to 7 ms, the lower end was up to 2.8 us above the slope
 * below 200 us, and 1.4 % above it from there on.
 *
 * On the CPU the lower end is further down by as much as that of the
 * reference's slope, at 99.9 % or its smallest with fewer than 11 of them, is
 * below its median. References as candidates of their own problem, 5 us to
 * 30 ms, on two cores that other programs wanted as well: of 60 one had its
 * slope below the lower end, by 5.2 us; of 12 on one core none. With the
 * median of the reference's slopes in place of its lower end slacks of up to
 * 326 us would have been needed. (The rule was chosen on 40 of these.)
 *
 * By the call clock a time is at least device_ns, the same side's by the
 * device's clock, if that is known: no call takes less than its work.
 *
 * Of a reference beside a candidate the time is at most control_ns, what it
 * takes with no candidate alive, and KB_CONTROL_SLACK_PPM of that or
 * KB_CONTROL_SLACK_NS, whichever is more: what a candidate does to it makes no
 * ratio better. Of 134 references beside honest candidates on an H200 none was
 * more than 1.6 % above it.
 *
 * There is no bound without a reference, if its batches give no time, or
 * unless both have equally many runs of one call and at least one. Below 11
 * of them there is no interval at 99.9 %.
 *
 * The interval of the bound is that of the median of differences, moved to
 * the time; one that device_ns or control_ns gave has none.
 *
 * Any numbers that a record can hold are allowed.
 */
#define KB_ONE_CALL_SLACK_NS 1500
#define KB_ONE_CALL_RANKS_SLACK_NS 4000
#define KB_ONE_CALL_LAUNCH_SLACK_NS 3000
#define KB_ONE_CALL_HOST_SLACK_NS 20000
#define KB_ONE_CALL_SLACK_PPM 20000
#define KB_ONE_CALL_DRIFT_NS 3000
#define KB_ONE_CALL_DRIFT_PPM 10000
#define KB_CONTROL_SLACK_NS 1000
#define KB_CONTROL_SLACK_PPM 20000

/* Fill in time_ns, basis, low_ns and high_ns. No time: all are KB_UNKNOWN
 * and the basis is KB_BASIS_SLOPE. */
void kb_time_decide(struct kb_timing *t, const struct kb_timing *reference);

/* Are time_ns, basis, low_ns and high_ns what kb_time_decide() makes of the
 * samples? */
bool kb_time_follows(const struct kb_timing *t,
		     const struct kb_timing *reference);

/* Why there is no time, in a few words; NULL if there is one. So for no timing at
 * all, which is NULL. */
const char *kb_time_why_none(const struct kb_timing *t);

/* The slope alone: 1 or more; KB_UNKNOWN if there are no samples, if the two
 * sizes do not have equally many, or if the median is not above zero. */
int64_t kb_slope_ns(const struct kb_timing *t);

/* The median of the bound, and the slack that a slope is granted below it; both
 * KB_UNKNOWN where there is no bound. */
int64_t kb_bound_ns(const struct kb_timing *t,
		    const struct kb_timing *reference);
int64_t kb_bound_slack_ns(const struct kb_timing *t,
			  const struct kb_timing *reference);

/* The most that a reference takes beside a candidate, whose control timing is
 * `control_ns`: that and the slack. */
int64_t kb_control_most_ns(int64_t control_ns);

/* Is the 95 % interval of the slope at most `interval_ppm` millionths of the
 * slope wide? False with too few samples for an interval, a slope that is no
 * time, or no timing (NULL). */
bool kb_time_is_precise(const struct kb_timing *t, int64_t interval_ppm);

/* After how many trials, at least `least`, that is so of those alone; how many
 * there are, if after none of the first KB_PREFIX_MAX. */
#define KB_PREFIX_MAX 1024

size_t kb_time_precise_after(const struct kb_timing *t, int64_t least,
			     int64_t interval_ppm);

/*
 * The numbers of which the time is the median, sorted: slopes, or differences
 * moved to the bound; slopes moved to it if device_ns or control_ns gave the
 * time. `count`
 * receives how many; `t` has been decided. NULL without a time. The caller
 * frees.
 */
int64_t *kb_time_samples_ns(const struct kb_timing *t,
			    const struct kb_timing *reference, size_t *count);

/* The interval of the time at `confidence_ppm`. `t` has been decided. Returns
 * false, and leaves the outputs, without a time or with too few samples. */
bool kb_time_interval(int64_t *low_ns, int64_t *high_ns,
		      const struct kb_timing *t,
		      const struct kb_timing *reference, int confidence_ppm);

#endif
