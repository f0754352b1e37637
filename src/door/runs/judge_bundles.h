#ifndef KB_RUNS_JUDGE_BUNDLES_H
#define KB_RUNS_JUDGE_BUNDLES_H

#include <stdbool.h>
#include <stddef.h>

#include "score/preset.h"

struct kb_err;
struct kb_score;

/* The task of kb-score. All is borrowed. */
struct kb_judge_bundles {
	const char *store;
	const char *evaluation, *baseline;	/* as they are named */
	struct kb_choice choice;
	bool by_usual_clock;		/* the baseline's, not the choice's */
	const char *const *allowed_fields;	/* that may differ */
	size_t allowed_count;
};

/*
 * Open an evaluation and a baseline with the suite and the submission that are
 * in the store, refuse what kb-verify would, and judge. What is wrong with the
 * evaluation's results is said before what is wrong with anything else. If
 * their conditions differ, standard error has a table of how.
 *
 * Fails with the kinds of opening and reading bundles, and as kb_judge().
 * Release `out` in any case.
 */
int kb_judge_bundles(struct kb_score *out, const struct kb_judge_bundles *r,
		     struct kb_err *err);

#endif
