#ifndef KB_VERIFY_PARENTS_H
#define KB_VERIFY_PARENTS_H

struct kb_checks;
struct kb_err;
struct kb_lineage;

/*
 * A score is as good as what it was made from. Of a score: what is said of its
 * evaluation and its baseline in the layer "chain", or "arithmetic", as far as
 * these are there. What says no, and what was not checked, is added by its own
 * name; if there is neither, one check "parents" says so. Nothing is added of
 * other kinds.
 */
void kb_parents_check_chain(struct kb_checks *c, const struct kb_lineage *l);

/* Fails as kb_arithmetic_check(). */
int kb_parents_check_arithmetic(struct kb_checks *c,
				const struct kb_lineage *l,
				struct kb_err *err);

#endif
