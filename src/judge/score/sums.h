#ifndef KB_SCORE_SUMS_H
#define KB_SCORE_SUMS_H

#include <stddef.h>

#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "score/metrics.h"
#include "score/preset.h"

struct kb_err;

/*
 * The problems that a preset counts, sorted: those that the evaluation
 * selected; or, where whole levels count, those that the baseline has as well
 * of the same levels, on the leaderboard of its levels. The caller frees.
 */
struct kb_key *kb_problems_of(size_t *count, enum kb_preset preset,
			      const struct kb_evaluation *e,
			      const struct kb_baseline *b);

/*
 * Keep of these the problems that the audit in `suite` found sound, in their
 * order. Fails with KB_ERR_INPUT if `suite` is NULL, or if it has no audit of
 * any of them, or finds none of them sound.
 */
int kb_problems_keep_sound(struct kb_key problems[], size_t *count,
			   const struct kb_suite *suite, struct kb_err *err);

/*
 * The metrics of a score, by level and of all, from one verdict for each of
 * these problems, in their order. Fails with KB_ERR_INPUT if a level has more
 * problems than the leaderboard's.
 */
int kb_sums_of(struct kb_score *s, enum kb_preset preset,
	       const struct kb_verdict verdicts[], size_t count,
	       struct kb_err *err);

/*
 * The metrics of those that the audit in `suite` found sound. `suite` is the
 * evaluation's, or NULL if it is absent. The caller releases out->metrics.
 */
void kb_sums_of_sound(struct kb_sound_metrics *out, enum kb_preset preset,
		      const struct kb_suite *suite,
		      const struct kb_verdict verdicts[], size_t count);

#endif
