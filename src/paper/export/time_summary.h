#ifndef KB_EXPORT_TIME_SUMMARY_H
#define KB_EXPORT_TIME_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/timing.h"

struct kb_device_timing;
struct kb_err;

/*
 * One of our times as other tools summarise theirs: mean, standard
 * deviation, least and greatest of some samples, in milliseconds.
 *
 * The samples are those of which the time is the median (kb_time_samples_ns()
 * of measure/time_rule.h).
 *
 * What goes by the name of mean is
 *
 *	KB_STATISTIC_MEDIAN	the time: what kb-score divides
 *	KB_STATISTIC_MEAN	the mean of three digits that kb-score divides
 *				under KernelBench's definitions
 *				(score/times.h)
 *
 * `std_ms` is the population's (n, not n - 1), about the arithmetic mean.
 * Noise can make `min_ms` zero or negative.
 */
enum kb_statistic {
	KB_STATISTIC_MEDIAN,
	KB_STATISTIC_MEAN,
	KB_STATISTIC_COUNT,		/* not a statistic */
};

const char *kb_statistic_name(enum kb_statistic statistic);

/* Fails with KB_ERR_USAGE; the message lists the names there are. */
int kb_statistic_parse(enum kb_statistic *out, const char *name,
		       struct kb_err *err);

struct kb_time_summary {
	double mean_ms;			/* above 0 */
	double std_ms;			/* 0 or more */
	double min_ms, max_ms;
	size_t trials;			/* 1 or more */
};

/* How to summarise: what a user chooses. */
struct kb_summary_choice {
	enum kb_clock clock;
	enum kb_statistic statistic;
};

/* Timings by both clocks, and the reference's timings next to a candidate's.
 * Any may be NULL; all are borrowed. */
struct kb_time_source {
	bool is_candidate;
	const struct kb_timing *call, *paired_call;
	const struct kb_device_timing *device, *paired_device;
};

/*
 * Returns 1, or 0 if there is no time by the clock that is asked for.
 *
 * Fails with KB_ERR_INPUT if the time does not follow from its samples, or
 * if the mean is asked for and a reference's is not above zero.
 */
int kb_time_summarise(struct kb_time_summary *out,
		      const struct kb_time_source *source,
		      const struct kb_summary_choice *choice,
		      struct kb_err *err);

#endif
