#ifndef KB_VERIFY_CLOCKS_H
#define KB_VERIFY_CLOCKS_H

struct kb_baseline;
struct kb_checks;
struct kb_evaluation;

/* The checks "clocks" and "drift" of verify/plausible.h. One of the two
 * records is NULL. */
void kb_clocks_check(struct kb_checks *c, const struct kb_baseline *b,
		     const struct kb_evaluation *e);

#endif
