#ifndef KB_VERIFY_DERIVED_H
#define KB_VERIFY_DERIVED_H

#include <stddef.h>

#include "manifest/key.h"
#include "verify/checks.h"
#include "verify/line_rules.h"
#include "verify/runs.h"

struct kb_baseline;
struct kb_result;

/*
 * The checks "times", "runs" and "outcomes" of verify/arithmetic.h, of an evaluation's
 * results, of which one need be in memory at a time: begun with its
 * conditions, given every result in order, and ended, which adds what came of
 * it to `c` and releases. Both records are borrowed until the end.
 */
struct kb_derived_lines {
	struct kb_checks of_times, of_runs, of_outcomes;
	struct kb_line_rules rules;
	struct kb_run_rules run_rules;
	size_t times, lines;
	struct kb_key problem;		/* of the last line, */
	int missing;			/* and its only one's sample, if that is
					   called missing and not refused */
};

#define KB_NONE_MISSING (-1)

void kb_derived_lines_begin(struct kb_derived_lines *l,
			    const struct kb_conditions *conditions,
			    const struct kb_suite *suite);
/* Stop each of both checks at its first "no". */
void kb_derived_lines_want_first_no(struct kb_derived_lines *l);
void kb_derived_lines_take(struct kb_derived_lines *l,
			   const struct kb_result *r);
void kb_derived_lines_end(struct kb_derived_lines *l, struct kb_checks *c);
void kb_derived_lines_release(struct kb_derived_lines *l);

/* The same of all of a baseline. */
void kb_derived_check_baseline(struct kb_checks *c,
			       const struct kb_baseline *b,
			       const struct kb_suite *suite);

#endif
