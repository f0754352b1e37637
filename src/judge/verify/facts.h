#ifndef KB_VERIFY_FACTS_H
#define KB_VERIFY_FACTS_H

#include <stdbool.h>

struct kb_checks;
struct kb_conditions;

/*
 * The check "facts" of verify/conditions.h: one fact has one statement. Pure.
 *
 *	types		a fact has the JSON type that its writer gives it, or is
 *			unavailable; some facts are always to be had
 *	twice		a fact that policy and environment both tell is the same
 *			in both
 *	isolation	the section tells of each means of isolation that every
 *			release has; under "strict" all are in force, under "off"
 *			none but control groups
 */
void kb_facts_verify(struct kb_checks *c, const struct kb_conditions *k,
		     bool is_cuda);

#endif
