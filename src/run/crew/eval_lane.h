#ifndef KB_CREW_EVAL_LANE_H
#define KB_CREW_EVAL_LANE_H

#include "session/candidates.h"

struct kb_bundle;
struct kb_err;
struct kb_json;
struct kb_session;
struct kb_submission;

/*
 * What a lane of kb-eval does: candidates of a submission are judged and timed
 * on the bench of their problem, which stays for the next ones. See the functions
 * of the same names in crew/crew.h.
 */
struct kb_eval_lane {
	struct kb_session *session;		/* borrowed, as are these */
	const struct kb_bundle *bundle;		/* the submission's */
	const struct kb_submission *submission;
	struct kb_problem_bench bench;
	struct kb_key key;			/* of its problem; level 0: none */
};

#define KB_EVAL_LANE_INIT { .bench = KB_PROBLEM_BENCH_INIT }

/* Begin, and note the session's conditions; all are borrowed until release. */
int kb_eval_lane_enter(struct kb_eval_lane *lane, struct kb_session *s,
		       const struct kb_bundle *bundle,
		       const struct kb_submission *submission,
		       struct kb_err *err);
int kb_eval_lane_do_job(struct kb_eval_lane *lane, struct kb_key key,
			const struct kb_json *samples, int fd,
			struct kb_err *err);

/* Also of one that was never entered. */
void kb_eval_lane_release(struct kb_eval_lane *lane);

#endif
