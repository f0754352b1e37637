#ifndef KB_VERIFY_TRIALS_H
#define KB_VERIFY_TRIALS_H

struct kb_baseline;
struct kb_checks;
struct kb_evaluation;

/* The checks "samples", "seeds" and "trials" of verify/plausible.h. One of
 * the two records is NULL. */
void kb_trials_check(struct kb_checks *c, const struct kb_baseline *b,
		     const struct kb_evaluation *e);

#endif
