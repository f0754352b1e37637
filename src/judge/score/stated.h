#ifndef KB_SCORE_STATED_H
#define KB_SCORE_STATED_H

#include <stddef.h>

#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "manifest/suite.h"

/* The problems that count, sorted, before those that are not sound are left
 * out if a score is of sound ones alone. */
struct kb_counted {
	struct kb_key *keys;
	size_t count;
};

/*
 * Fill in the conditions that a score states. `s` has its definition, its
 * metrics and its lines; `suite` is the evaluation's, or NULL if it is absent.
 * `s->stated` is as KB_SCORE_INIT leaves it.
 */
void kb_score_state(struct kb_score *s, const struct kb_evaluation *e,
		    const struct kb_counted *counted,
		    const struct kb_suite *suite);

#endif
