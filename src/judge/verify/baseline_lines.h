#ifndef KB_VERIFY_BASELINE_LINES_H
#define KB_VERIFY_BASELINE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "verify/checks.h"

struct kb_baseline;
struct kb_evaluation;
struct kb_result;

/*
 * Compare a baseline's references with an evaluation's, of one suite. Begin
 * with both, which are borrowed, give every result of the evaluation in order,
 * end, which adds the checks to `c`, and release.
 *
 * 	errors		of one seed of weights the error of a reference against
 * 			float64 is within KB_ERRORS_TIMES_MAX in both, where the
 * 			baseline is eager. Layer arithmetic; asked only if
 * 			`is_one_stack`, since other libraries round otherwise
 * 	baseline	notes, layer plausibility: of a share of the references
 * 			the times differ, or one of both has no time by the
 * 			device's clock, or the SM clock was lower in the
 * 			baseline; and a baseline that is not eager, and has the
 * 			times of eager references; correct candidates whose
 * 			problems it does not have
 */
#define KB_ERRORS_TIMES_MAX 4

struct kb_baseline_lines {
	const struct kb_baseline *baseline;	/* NULL: nothing is asked */
	bool is_one_seed, has_two_boards;
	struct kb_checks of_errors;
	int64_t references, off, alike, other_clock, slower_clock;
	int64_t unselected;		/* correct, without a reference's line */
};

void kb_baseline_lines_begin(struct kb_baseline_lines *l,
			     const struct kb_evaluation *e,
			     const struct kb_baseline *b, bool is_one_stack);
void kb_baseline_lines_take(struct kb_baseline_lines *l, const struct kb_result *r);
void kb_baseline_lines_end_errors(struct kb_baseline_lines *l, struct kb_checks *c);
void kb_baseline_lines_end_notes(const struct kb_baseline_lines *l,
				 struct kb_checks *c);
void kb_baseline_lines_release(struct kb_baseline_lines *l);

#endif
