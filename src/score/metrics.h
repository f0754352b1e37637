#ifndef KB_SCORE_METRICS_H
#define KB_SCORE_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/score.h"

/*
 * Metrics of a set of problems, from one verdict a problem. METHODOLOGY.md
 * derives them; in short:
 *
 *	problems	verdicts given: every selected problem counts, also
 *			one that has no candidate. It is the denominator of
 *			every rate.
 *	compiled	got as far as running (manifest/status.h)
 *	correct		every trial agreed
 *	fast_p		correct, with a candidate time and a baseline time,
 *			and baseline / candidate > p, strictly
 *	geomean		over the same candidates as fast_0
 *
 * No time is not fast, for no p: fast_0 is less than `correct` by the
 * correct candidates whose speedup is not known.
 */

struct kb_verdict {
	struct kb_score_line line;	/* speedup_micro need not be set */
	bool compiled;
};

/* Has what a speedup takes: correct, and both times are known. */
bool kb_speedup_known(const struct kb_score_line *line);

void kb_metrics_of(struct kb_metrics *out, const struct kb_verdict verdicts[],
		   size_t count);

/*
 * How far the stack has drifted between the baseline and the evaluation:
 * the reference as timed during the evaluation itself, divided by the
 * baseline's time of it. 10^6 is no drift, more is slower.
 */
struct kb_drift {
	size_t problems;		/* that have both times */
	int64_t median_micro;		/* KB_UNKNOWN if there are none */
	int64_t min_micro, max_micro;
};

/* Of one problem, or KB_UNKNOWN. */
int64_t kb_drift_micro(const struct kb_score_line *line);

void kb_drift_of(struct kb_drift *out, const struct kb_score_line lines[],
		 size_t count);

#endif
