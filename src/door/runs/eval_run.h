#ifndef KB_RUNS_EVAL_RUN_H
#define KB_RUNS_EVAL_RUN_H

#include <stddef.h>

#include "crew/crew.h"
#include "crew/eval_lane.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "session/journaled.h"
#include "store/bundle.h"

struct kb_err;
struct kb_session;

/*
 * One run of kb-eval: what is judged, by what, and what came of it so far.
 *
 * The program opens submission and baseline, and says what is wrong with them;
 * this is what happens between: which jobs there are, what a lane does with
 * one, and how what it says becomes a result and a line of the journal.
 */
struct kb_eval_run {
	struct kb_session *session;		/* borrowed */
	struct kb_bundle bundle;		/* the submission's */
	struct kb_submission submission;
	struct kb_baseline baseline;		/* empty if none was named */
	struct kb_evaluation evaluation;
	size_t capacity;			/* of evaluation.results */
	struct kb_journaled journaled;
	struct kb_crew crew;

	struct kb_eval_lane lane;
};

#define KB_EVAL_RUN_INIT { .bundle = KB_BUNDLE_INIT,			\
	.submission = KB_SUBMISSION_INIT, .baseline = KB_BASELINE_INIT,	\
	.evaluation = KB_EVALUATION_INIT, .journaled = KB_JOURNALED_INIT, \
	.crew = KB_CREW_INIT, .lane = KB_EVAL_LANE_INIT }

/* Start the lanes, as kb_crew_open(): the session is prepared and the
 * submission open. Release the run in any case. */
int kb_eval_run_open(struct kb_eval_run *run, struct kb_err *err);
void kb_eval_run_release(struct kb_eval_run *run);

/*
 * Do what the session's journal does not have, of the shard or of all: then
 * run->evaluation has the results. Fails as kb_journaled_run().
 */
int kb_eval_run_do(struct kb_eval_run *run, struct kb_err *err);

#endif
