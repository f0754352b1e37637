#ifndef KB_VERIFY_CHAIN_H
#define KB_VERIFY_CHAIN_H

#include <stddef.h>

#include "manifest/key.h"
#include "verify/checks.h"

struct kb_baseline;
struct kb_candidate;
struct kb_evaluation;
struct kb_json;
struct kb_lineage;
struct kb_result;
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
 *	match_keys	and their match keys, and what is compared beside them
 *			(device/division.h), differ in nothing but what the
 *			score says that it allowed
 *
 * A kind without parents gets one check that says so, called "chain".
 */
void kb_chain_check(struct kb_checks *c, const struct kb_lineage *l);

/* The problems and options of a baseline, an evaluation or an audit. */
struct kb_selection {
	const struct kb_key *problems;	/* sorted */
	size_t count;
	const struct kb_json *options;
};

/* The check "problems" alone; none without a suite. */
void kb_chain_check_problems(struct kb_checks *c, const struct kb_selection *s,
			     const struct kb_suite *suite);

/*
 * The check "candidates" of an evaluation of which one result need be in memory
 * at a time: begun, given every result in order, ended, which adds what came of
 * it to `c`, and released. Both records are borrowed until the end, and the
 * submission's `bundle`, if its candidates' code is to be looked at. Without a
 * submission nothing is asked.
 */
struct kb_candidate_lines {
	const struct kb_evaluation *evaluation;
	const struct kb_submission *submission;
	const struct kb_bundle *bundle;		/* or NULL */
	const struct kb_candidate *next, *end;	/* of those to come */
	size_t lines;
	struct kb_checks of_candidates;
};

void kb_candidate_lines_begin(struct kb_candidate_lines *l,
			      const struct kb_evaluation *e,
			      const struct kb_submission *s,
			      const struct kb_bundle *bundle);
void kb_candidate_lines_take(struct kb_candidate_lines *l,
			     const struct kb_result *r);
void kb_candidate_lines_end(struct kb_candidate_lines *l, struct kb_checks *c);
void kb_candidate_lines_release(struct kb_candidate_lines *l);

/* The same of one that has its results. */
void kb_chain_check_candidates(struct kb_checks *c,
			       const struct kb_evaluation *e,
			       const struct kb_submission *s);

/* The check "mode" alone; none if it is as it should be. */
void kb_chain_check_mode(struct kb_checks *c, const struct kb_baseline *b);

#endif
