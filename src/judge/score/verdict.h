#ifndef KB_SCORE_VERDICT_H
#define KB_SCORE_VERDICT_H

struct kb_choice;
struct kb_err;
struct kb_reference_result;
struct kb_result;
struct kb_verdict;

/*
 * The verdict on one problem, by a preset: `v` starts with the problem's key,
 * the sample's number and the clock. Times are derived from samples again.
 *
 * Fail with KB_ERR_INPUT if a time that is claimed does not follow from its
 * samples; the message names the problem.
 */

/* The baseline's time, if it has one. */
int kb_verdict_take_reference(struct kb_verdict *v, const struct kb_choice *c,
			      const struct kb_reference_result *r,
			      struct kb_err *err);

/* After that: status and times of the sample that is judged, and its speedup. */
int kb_verdict_take_sample(struct kb_verdict *v, const struct kb_choice *c,
			   const struct kb_result *result, struct kb_err *err);

#endif
