#ifndef KB_VERIFY_CHAIN_H
#define KB_VERIFY_CHAIN_H

#include <stddef.h>

#include "manifest/key.h"

struct kb_baseline;
struct kb_checks;
struct kb_evaluation;
struct kb_json;
struct kb_lineage;
struct kb_submission;
struct kb_suite;

/*
 * Does a record go together with what it was made from? Pure; adds to the
 * layer "chain", of what is there:
 *
 *	problems	they are those that the options select from the suite,
 *			by the code with which kb-eval selects
 *	mode		a baseline's is among those that its options list
 *	candidates	there is a line for every candidate that the submission
 *			has of them and for no other, with the same digest, and
 *			one that says "missing" where it has none
 *	extracted	the candidates of a submission that was made of answers
 *			are those that the generation's answers give, by the
 *			code with which kb-generate extracts
 *	same_suite	evaluation and baseline of a score are of one suite
 *	match_keys	and their match keys differ in nothing but what the
 *			score says that it allowed
 *
 * A kind without parents gets one check that says so, called "chain".
 */
void kb_chain_check(struct kb_checks *c, const struct kb_lineage *l);

/* What a run was of: of a baseline, an evaluation or an audit. */
struct kb_selection {
	const struct kb_key *problems;	/* sorted */
	size_t count;
	const struct kb_json *options;
};

/* The check "problems" alone; none without a suite. */
void kb_chain_check_problems(struct kb_checks *c, const struct kb_selection *s,
			     const struct kb_suite *suite);

/* The check "candidates" alone. */
void kb_chain_check_candidates(struct kb_checks *c,
			       const struct kb_evaluation *e,
			       const struct kb_submission *s);

/* The check "mode" alone; none if it is as it should be. */
void kb_chain_check_mode(struct kb_checks *c, const struct kb_baseline *b);

#endif
