#ifndef KB_SCORE_JUDGE_H
#define KB_SCORE_JUDGE_H

#include "manifest/baseline.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "manifest/suite.h"
#include "score/preset.h"

struct kb_err;
struct kb_json;

/*
 * Judgement: one evaluation and one baseline in, one score out. Pure, so
 * that a score can be made again from its parents, byte for byte, by
 * anybody, on any machine.
 *
 * One sample of each problem is judged, the same number for all. A problem
 * without that sample is missing. The preset decides which problems count, what
 * a time is and how times become a score. Times are not taken on trust: each is
 * derived from its samples again, and a record whose time does not follow is
 * refused.
 *
 * In a score by the device clock a problem whose reference has a time by the
 * call clock alone is judged by that, and a candidate that has no device time
 * where its reference has one by its call time over the reference's device
 * time: score/times.h.
 */
struct kb_judge_input {
	const struct kb_evaluation *evaluation;	/* all borrowed */
	struct kb_digest evaluation_id;
	const struct kb_baseline *baseline;
	struct kb_digest baseline_id;
	const struct kb_suite *suite;		/* of both; NULL: absent */
	const struct kb_json *tool;		/* kb_tool_json(); copied */
	struct kb_choice choice;
	const char *const *allowed_fields;	/* of the division */
	size_t allowed_count;
};

/*
 * Judge results as they come, one after the other, of which only what the
 * score needs is kept: memory grows with problems, not with results. Begin,
 * take every result of the evaluation, sorted, and end; then free, whatever
 * happened. `in`, of which the evaluation's own results are not looked at,
 * stays as it is until then.
 *
 * Beginning fails with KB_ERR_INPUT if the two are not of one suite, if the
 * baseline has no time at all by the clock that is asked for, if the preset
 * judges sample 0 alone and another is asked for, if sound problems alone are
 * asked for and the preset judges all, or the suite does not say which they
 * are (kb_problems_keep_sound()), if an allowed field is in neither match key
 * and not compared beside them (device/division.h), or if their conditions
 * differ in a field that is not allowed. In the last case only, `refused`
 * receives those differences (left: evaluation, right: baseline); caller
 * releases it in any case.
 *
 * Ending fails with KB_ERR_INPUT if a time does not follow from its samples,
 * if candidates of one backend are asked for and a result does not say its own,
 * or if the preset knows fewer problems of a level. It comes after the last
 * result, so that those who read them can first say what is wrong with their
 * form. Caller releases `out` with kb_score_release().
 */
struct kb_judging;

int kb_judging_begin(struct kb_judging **out, struct kb_mismatches *refused,
		     const struct kb_judge_input *in, struct kb_err *err);
void kb_judging_take(struct kb_judging *j, const struct kb_result *r);
int kb_judging_end(struct kb_judging *j, struct kb_score *out,
		   struct kb_err *err);
void kb_judging_free(struct kb_judging *j);	/* NULL is allowed */

/* All in one, for an evaluation that has its results. Fails as either. */
int kb_judge(struct kb_score *out, struct kb_mismatches *refused,
	     const struct kb_judge_input *in, struct kb_err *err);

/*
 * The score `claimed`, made again from its parents as `in` gives them; the
 * tool, the choice and the allowed fields of `in` are not looked at, but
 * taken from `claimed`. Nor is its suite where the score was made without it;
 * else it must be there. Fails as kb_judge(), and as kb_preset_read() if
 * `claimed` makes no choice that there is.
 */
int kb_judge_again(struct kb_score *out, const struct kb_score *claimed,
		   const struct kb_judge_input *in, struct kb_err *err);

/* The same as kb_judging_begin(), for results as they come. Beside `in`'s own
 * `claimed` is borrowed until the end. */
int kb_judging_begin_again(struct kb_judging **out,
			   const struct kb_score *claimed,
			   const struct kb_judge_input *in,
			   struct kb_err *err);

static inline void kb_cleanup_judging(struct kb_judging **j)
{
	kb_judging_free(*j);
}

#endif
