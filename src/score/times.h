#ifndef KB_SCORE_TIMES_H
#define KB_SCORE_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/score.h"
#include "manifest/timing.h"

struct kb_device_timing;

/*
 * The times of somebody's calls, by one clock or by the other: at most one
 * of the two is there, and neither is changed. `beside` in what follows is
 * the reference's of the same session, or kb_no_times.
 */
struct kb_times {
	const struct kb_timing *call;			/* or NULL */
	const struct kb_device_timing *device;		/* or NULL */
};

extern const struct kb_times kb_no_times;

struct kb_times kb_times_by(enum kb_clock clock, const struct kb_timing *call,
			    const struct kb_device_timing *device);

/* What is written beside the samples is what follows from them. The
 * functions below want times of which this is so. */
bool kb_times_follow(const struct kb_times *t, const struct kb_times *beside);

/* The time, a median; or the mean of measure/mean_time.h. KB_UNKNOWN if there
 * is none. */
int64_t kb_times_median_ns(const struct kb_times *t);
int64_t kb_times_mean_ns(const struct kb_times *t,
			 const struct kb_times *beside);

/*
 * The mean of a candidate: no less than its median at three digits. Who wastes
 * time in a few small batches pulls down the mean of slopes, and not their
 * median.
 */
int64_t kb_times_candidate_mean_ns(const struct kb_times *t,
				   const struct kb_times *beside);

/* How sure the interval of one time is, so that of two of them both hold at
 * 95 %. */
#define KB_INTERVAL_PPM 975000

void kb_times_interval(struct kb_interval *out, const struct kb_times *t,
		       const struct kb_times *beside);

/* The same, at another confidence, and where a floor made the time as well:
 * scores have none there, and are made again byte by byte. */
void kb_times_interval_at(struct kb_interval *out, const struct kb_times *t,
			  const struct kb_times *beside, int confidence_ppm);

/*
 * Noise, as one session shows it: the time by the odd trials alone divided by
 * that by the even ones, of which neither knows anything of the other. 10^6
 * is none; KB_UNKNOWN below two trials of each kind.
 */
int64_t kb_times_noise_micro(const struct kb_times *t);

#endif
