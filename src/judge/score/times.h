#ifndef KB_SCORE_TIMES_H
#define KB_SCORE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/score.h"
#include "manifest/timing.h"

struct kb_baseline;
struct kb_device_timing;
struct kb_evaluation;
struct kb_result;

/*
 * Times of calls, by one clock or by the other. `t` is a timing, or NULL if
 * there is none. `paired` is the reference's timing by the same clock in the
 * same session, or NULL. Both are borrowed.
 */
const struct kb_timing *kb_timing_by(enum kb_clock clock,
				     const struct kb_timing *call,
				     const struct kb_device_timing *device);

/* Has a result a time, by either clock? */
bool kb_result_has_time(const struct kb_result *r);

/*
 * The default clock of a score: the device's if the baseline has a time by it.
 */
enum kb_clock kb_usual_clock(const struct kb_baseline *b);

/* The clock by which an evaluation without a score is shown: the device's if
 * any of its candidates has such a time. */
enum kb_clock kb_evaluation_clock(const struct kb_evaluation *e);

/*
 * The clock by which a problem is judged if the score asks for `clock`: the
 * call clock, too, if the reference has a time by the call clock and none by
 * the device's. Either of the reference's times may be NULL.
 */
enum kb_clock kb_problem_clock(enum kb_clock clock,
			       const struct kb_timing *call,
			       const struct kb_device_timing *device);

/*
 * A session's times of reference and candidate, for a problem that is judged
 * by `clock`. A candidate that has no time by the device's clock is taken by
 * the call clock, which counts more: who is not queued does not choose an
 * easier one.
 */
struct kb_session_times {
	const struct kb_timing *reference;
	const struct kb_timing *candidate;
	const struct kb_timing *paired;	/* the reference, by that clock */
	enum kb_clock candidate_clock;
};

struct kb_session_times kb_session_times_of(const struct kb_result *r,
					    enum kb_clock clock);

/* Do time, interval and basis follow from the samples? The functions below need
 * times for which they do. */
bool kb_times_follow(const struct kb_timing *t,
		     const struct kb_timing *paired);

/* The time, a median; or the mean of measure/mean_time.h. KB_UNKNOWN if there
 * is none. */
int64_t kb_times_median_ns(const struct kb_timing *t);
int64_t kb_times_mean_ns(const struct kb_timing *t,
			 const struct kb_timing *paired);

/*
 * The mean of a candidate: no less than its median at three digits. Who wastes
 * time in a few small batches pulls down the mean of slopes, and not their
 * median.
 */
int64_t kb_times_candidate_mean_ns(const struct kb_timing *t,
				   const struct kb_timing *paired);

/* How sure the interval of one time is, so that of two of them both hold at
 * 95 %. */
#define KB_INTERVAL_PPM 975000

/* The interval of the median that is the time, at this confidence. */
void kb_times_interval(struct kb_interval *out, const struct kb_timing *t,
		       const struct kb_timing *paired, int confidence_ppm);

/* The least and the most that a ratio of two times can be by their intervals:
 * an end that is not known, or not above 0, bounds nothing. */
int64_t kb_interval_least_micro(struct kb_interval over,
				struct kb_interval under);
int64_t kb_interval_most_micro(struct kb_interval over,
			       struct kb_interval under);

/*
 * The noise within one session: the slope of the odd trials divided by the
 * slope of the even trials, in millionths. The two are independent. 10^6 is no
 * noise; KB_UNKNOWN below two trials of each kind.
 */
int64_t kb_times_noise_micro(const struct kb_timing *t);

#endif
