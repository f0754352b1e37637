#ifndef KB_SCORE_KERNELBENCH_H
#define KB_SCORE_KERNELBENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/metrics.h"
#include "manifest/status.h"
#include "score/speedup.h"

/*
 * The metrics of one level by KernelBench's definitions, as its analysis
 * computes them at commit 423217d, from what its files hold.
 * doc/spec-scores.md has the formulas; what differs from ours:
 *
 *	fast_p		of the correct results with a baseline time those
 *			with baseline / runtime > p, divided by the number
 *			of problems with a baseline time, which is not that
 *			of all problems
 *	geomean		over correct results with a baseline time; 0 if there
 *			are none
 *	untimed		a correct result that has no time has the runtime
 *			-1: its speedup is negative, and so is one factor of
 *			the mean's product
 *
 * Quotients are IEEE doubles, and so compared, because upstream's are: of
 * two three-digit numbers whose quotient is p, some are found greater than
 * p. One correctly rounded division and one comparison are the same on
 * every machine. The mean is not a product of doubles, which could
 * overflow, but kb_geomean's.
 */
#define KB_UPSTREAM_UNTIMED_MS (-1.0)

/* Whether its harness would have stored as compiled what ended like this and by
 * our rule is `compiled` or not: never what timed out, crashed or exited. */
bool kb_upstream_compiled(enum kb_status status, bool compiled);

struct kb_upstream_result {
	bool compiled, correct;
	double runtime_ms;	/* finite, not 0; looked at only if correct */
	double baseline_ms;	/* finite; 0 or less: there is none */
};

/* Starts as { 0 }; grows no further, however much is added. */
struct kb_upstream {
	int64_t problems;
	int64_t compiled, correct;
	int64_t with_baseline;		/* of `problems` */
	int64_t fast[KB_FAST_COUNT];	/* by kb_fast_p_milli */
	int64_t negative;		/* factors of the mean below 0 */
	struct kb_geomean speedups;	/* of their absolute values */
};

/* One problem: its sample 0, or all-false where there is none. */
void kb_upstream_add(struct kb_upstream *u, const struct kb_upstream_result *r);

/* In units of 1 / `scale`, which is 10^9 at most, and within half a unit;
 * KB_UNKNOWN where upstream's is not a number. */
int64_t kb_upstream_geomean(const struct kb_upstream *u, int64_t scale);

/*
 * The mean over levels on upstream's leaderboard: the mean of their geometric
 * means, weighted by `correct`, without levels whose mean is 0 or unknown.
 */
int64_t kb_upstream_mean_of_levels(const struct kb_upstream levels[],
				   int count, int64_t scale);

#endif
