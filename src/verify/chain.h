#ifndef KB_VERIFY_CHAIN_H
#define KB_VERIFY_CHAIN_H

struct kb_checks;
struct kb_lineage;

/*
 * Does a record go together with what it was made from? Pure; adds to the
 * layer "chain", of what is there:
 *
 *	problems	they are those that the options select from the suite,
 *			by the code with which kb-eval selects
 *	candidates	there is a line for every candidate that the submission
 *			has of them and for no other, with the same digest, and
 *			one that says "missing" where it has none
 *	same_suite	evaluation and baseline of a score are of one suite
 *	match_keys	and their match keys differ in nothing but what the
 *			score says that it allowed
 *
 * A kind without parents gets one check that says so, called "chain".
 */
void kb_chain_check(struct kb_checks *c, const struct kb_lineage *l);

#endif
