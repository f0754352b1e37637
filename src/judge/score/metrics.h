#ifndef KB_SCORE_METRICS_H
#define KB_SCORE_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/score.h"
#include "score/at_k.h"
#include "score/speedup.h"

/*
 * Metrics of a set of problems, from one verdict a problem. doc/spec-scores.md
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
 *
 * What intervals of times say besides, with b and c the baseline's and the
 * candidate's:
 *
 *	certain		b_low / c_high > p; for p = 0 a time is enough
 *	undecided	neither that, nor b_high / c_low <= p. Without both
 *			intervals nothing is decided
 *	geomean		from that of b_low / c_high to that of b_high / c_low;
 *			an end is unknown if one of its ratios is, or is not
 *			above 0
 */

struct kb_verdict {
	struct kb_score_line line;	/* speedup_micro need not be set */
	bool compiled;
	bool too_few_trials;		/* agreed, but that is not enough */
	struct kb_tries tries;		/* of all samples of the problem */
};

/* Has what a speedup takes: correct, and both times are known. */
bool kb_speedup_known(const struct kb_score_line *line);

/* Metrics in the making, from one verdict after the other; starts as
 * KB_TALLY_INIT and grows no further. `metrics` has neither shares nor
 * at_k. */
struct kb_tally {
	struct kb_metrics metrics;
	struct kb_geomean speedups, low, high;
};

#define KB_TALLY_INIT { .metrics = KB_METRICS_INIT }

void kb_tally_add(struct kb_tally *t, const struct kb_verdict *v);

/* The means, which want all verdicts to be there. */
void kb_tally_end(struct kb_tally *t);

void kb_metrics_of(struct kb_metrics *out, const struct kb_verdict verdicts[],
		   size_t count);

/*
 * How far the stack has drifted between the baseline and the evaluation:
 * the reference as timed during the evaluation itself, divided by the
 * baseline's time of it. 10^6 is no drift, more is slower. KB_UNKNOWN if one
 * of the two times is.
 */
int64_t kb_drift_micro(const struct kb_score_line *line);

/* References of an evaluation are eager: what differs from a baseline of
 * another mode is the mode, and no drift. `s` has its definition. */
bool kb_has_drift(const struct kb_score *s);

void kb_drift_of(struct kb_spread *out, const struct kb_score_line lines[],
		 size_t count);

/* The same of the lines' noise_micro. */
void kb_noise_of(struct kb_spread *out, const struct kb_score_line lines[],
		 size_t count);

#endif
