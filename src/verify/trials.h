#ifndef KB_VERIFY_TRIALS_H
#define KB_VERIFY_TRIALS_H

#include <stdbool.h>
#include <stdint.h>

struct kb_baseline;
struct kb_checks;
struct kb_evaluation;
struct kb_json;
struct kb_result;

/* The checks "samples", "seeds" and "trials" of verify/plausible.h. One of
 * the two records is NULL. */
void kb_trials_check(struct kb_checks *c, const struct kb_baseline *b,
		     const struct kb_evaluation *e);

/* Of these "trials" alone, of a baseline. */
void kb_trials_check_counts(struct kb_checks *c, const struct kb_baseline *b);

/*
 * The same of an evaluation's results, for who has one at a time: how often a
 * policy measures, KB_UNKNOWN where it does not say.
 */
struct kb_trial_counts {
	struct kb_checks *checks;	/* borrowed; what says no is added */
	int64_t least, most;
	bool is_fixed;			/* nothing but their number ends them */
	int64_t one_call_least, one_call_most;
	int64_t alone_least;
};

void kb_trial_counts_init(struct kb_trial_counts *k, struct kb_checks *c,
			  const struct kb_json *policy);
/* Of an evaluation's policy, whatever its results. */
void kb_trial_counts_check_policy(const struct kb_trial_counts *k);
void kb_trial_counts_check(const struct kb_trial_counts *k,
			   const struct kb_result *r);

#endif
