#ifndef KB_VERIFY_TRIAL_COUNTS_H
#define KB_VERIFY_TRIAL_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/record.h"
#include "verify/checks.h"

struct kb_json;
struct kb_timed;

/*
 * The check "trials" of verify/plausible.h: how often a record's lines were
 * measured, against its policy. Begin with the policy, give everything that was
 * timed, and end, which adds the answer to `c`. Then release `checks`.
 */
struct kb_trial_counts {
	struct kb_checks checks;	/* answers so far */
	int64_t least, most;		/* here and below KB_UNKNOWN where the
					   policy does not say */
	bool is_fixed;			/* nothing but their number ends them */
	int64_t one_call_least, one_call_most;
	int64_t alone_least;
	int64_t slow_factor;		/* 0: by a rule without one */
};

void kb_trial_counts_begin(struct kb_trial_counts *k,
			   const struct kb_json *policy);
void kb_trial_counts_take(struct kb_trial_counts *k, const struct kb_timed *t);
void kb_trial_counts_end(struct kb_trial_counts *k, enum kb_kind kind,
			 struct kb_checks *c);

#endif
