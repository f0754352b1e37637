#ifndef KB_VERIFY_LINE_H
#define KB_VERIFY_LINE_H

#include <stdbool.h>

#include "base/err.h"

struct kb_fp64_error;
struct kb_line_rules;
struct kb_problem_facts;
struct kb_remedies;
struct kb_result;

/* A line for the checks of line_rules.c, and the suite's facts about its
 * problem. All borrowed. */
struct kb_line {
	const struct kb_line_rules *rules;
	const struct kb_problem_facts *facts;	/* NULL: nothing is known */
	const struct kb_remedies *remedies;	/* NULL: the suite is absent */
	const struct kb_result *r;
	struct kb_err *err;
};

/* Refuse the line, with a message. */
#define no(l, ...) kb_err((l)->err, KB_ERR_INPUT, __VA_ARGS__)

/* Does what was compared go with the status: what is called correct with
 * nothing beyond the tolerance, what is called wrong with something? Fails with
 * KB_ERR_INPUT. */
int kb_line_check_compared(const struct kb_line *l);

/* Was a reference that has outputs of floats asked how far it is from float64? It
 * must have been if outputs were compared. Fails with KB_ERR_INPUT. */
int kb_line_check_fp64_error(const struct kb_problem_facts *facts,
			     const struct kb_fp64_error *own, bool was_compared,
			     struct kb_err *err);

#endif
