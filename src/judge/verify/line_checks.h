#ifndef KB_VERIFY_LINE_CHECKS_H
#define KB_VERIFY_LINE_CHECKS_H

#include "base/err.h"
#include "verify/baseline_lines.h"
#include "verify/chain.h"
#include "verify/derived.h"
#include "verify/plausible.h"

struct kb_bundle;
struct kb_judging;
struct kb_lineage;
struct kb_score;

/*
 * The checks of an evaluation's results, in one pass over them, with one in
 * memory at a time. Their answers wait here until their layer takes
 * them, once: kb_chain_check(), kb_arithmetic_check() and
 * kb_plausible_check() of a lineage that has an evaluation.
 */
struct kb_line_checks {
	struct kb_candidate_lines candidates;
	struct kb_derived_lines derived;
	struct kb_plausible_lines plausible;
	struct kb_baseline_lines baseline_lines;	/* of a score with both parents */
	struct kb_judging *judging;	/* of a score with both parents */
	int ret;			/* why there is none, or 0 */
	struct kb_err err;
};

/*
 * Ask the results of the evaluation of `l`, which are in the bundle `b`, and
 * hand what came of it to `l`. Does nothing if there is no evaluation. Fails as
 * kb_evaluation_each().
 */
int kb_line_checks_make(struct kb_lineage *l, const struct kb_bundle *b,
			struct kb_err *err);

/* The score, judged again; once. Fails as kb_judge_again(). */
int kb_line_checks_judge(struct kb_line_checks *checks, struct kb_score *out,
			 struct kb_err *err);

void kb_line_checks_free(struct kb_line_checks *checks);	/* or NULL */

#endif
