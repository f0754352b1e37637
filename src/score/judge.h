#ifndef KB_SCORE_JUDGE_H
#define KB_SCORE_JUDGE_H

#include "manifest/baseline.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"

struct kb_err;
struct kb_json;

/*
 * Judgement: one evaluation and one baseline in, one score out. Pure, so
 * that a score can be made again from its parents, byte for byte, by
 * anybody, on any machine.
 *
 * Of each selected problem one sample is judged, always of the same number;
 * a problem that lacks it is missing. Times are not taken on trust: each is
 * derived from its samples once more, and a record whose samples say
 * something else is refused.
 */
struct kb_judge_input {
	const struct kb_evaluation *evaluation;	/* all borrowed */
	struct kb_digest evaluation_id;
	const struct kb_baseline *baseline;
	struct kb_digest baseline_id;
	const struct kb_json *tool;		/* kb_tool_json(); copied */
	int sample_id;
	const char *const *allowed_fields;	/* of the match key */
	size_t allowed_count;
};

/*
 * Make the score. Caller releases `out` with kb_score_release().
 *
 * Fails with KB_ERR_INPUT if the two are not of one suite, if a time does
 * not follow from its samples, if an allowed field is in neither match
 * key, or if their match keys differ in a field that is not allowed. In
 * the last case only, `refused` receives those differences (left:
 * evaluation, right: baseline); caller releases it in any case.
 */
int kb_judge(struct kb_score *out, struct kb_mismatches *refused,
	     const struct kb_judge_input *in, struct kb_err *err);

/*
 * The score `claimed`, made again from its parents as `in` gives them; the
 * tool, the sample and the allowed fields of `in` are not looked at, but
 * taken from `claimed`. Fails as kb_judge(), and with KB_ERR_INPUT if
 * `claimed` does not say which sample was judged.
 */
int kb_judge_again(struct kb_score *out, const struct kb_score *claimed,
		   const struct kb_judge_input *in, struct kb_err *err);

#endif
