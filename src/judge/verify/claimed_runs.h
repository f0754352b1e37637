#ifndef KB_VERIFY_CLAIMED_RUNS_H
#define KB_VERIFY_CLAIMED_RUNS_H

#include "store/digest.h"

struct kb_checks;
struct kb_trial_lines;

/*
 * The runs of all evaluations that one command reads. A run belongs to one
 * evaluation. Seeds are drawn from 2^256, and no two timings have the same samples
 * to the nanosecond. So evaluations with a common seed or timing have common runs,
 * and one measurement is claimed twice.
 */
struct kb_claimed_runs {
	void *by_mark;			/* tsearch(3) */
};

#define KB_CLAIMED_RUNS_INIT { .by_mark = NULL }

/*
 * Add the runs of evaluation `id`, whose lines have ended. Returns the first
 * evaluation before it that has some of them, borrowed until the release, or
 * NULL.
 */
const struct kb_digest *kb_claimed_runs_add(struct kb_claimed_runs *c,
					    const struct kb_trial_lines *l,
					    const struct kb_digest *id);

/* The same as a check: "seeds" of the layer "plausibility" is a note, if there is
 * such an evaluation. */
void kb_claimed_runs_check(struct kb_checks *checks, struct kb_claimed_runs *c,
			   const struct kb_trial_lines *l,
			   const struct kb_digest *id);

void kb_claimed_runs_release(struct kb_claimed_runs *c);

static inline void kb_cleanup_claimed_runs(struct kb_claimed_runs *c)
{
	kb_claimed_runs_release(c);
}

#endif
