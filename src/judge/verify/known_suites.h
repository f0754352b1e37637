#ifndef KB_VERIFY_KNOWN_SUITES_H
#define KB_VERIFY_KNOWN_SUITES_H

struct kb_checks;
struct kb_lineage;
struct kb_bundle;

/*
 * A suite may call itself what it likes, and its id is what counts. Adds to the
 * layer "chain", of a record whose suite is there, the check "name": ok if it is
 * a suite that this kb brings, in problems/; a note if it is called like one of
 * these and is another. Nothing of others. `b` is the record's bundle.
 */
void kb_known_suites_check(struct kb_checks *c, const struct kb_lineage *l,
			   const struct kb_bundle *b);

#endif
