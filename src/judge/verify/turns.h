#ifndef KB_VERIFY_TURNS_H
#define KB_VERIFY_TURNS_H

struct kb_checks;
struct kb_lineage;

/* Compare the attempts of a generation of several turns with their evaluations,
 * as far as these are there: to the layer "chain". */
void kb_turns_check(struct kb_checks *c, const struct kb_lineage *l);

#endif
