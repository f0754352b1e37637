#ifndef KB_SESSION_CANDIDATES_H
#define KB_SESSION_CANDIDATES_H

#include "base/buf.h"
#include "manifest/result.h"
#include "manifest/submission.h"
#include "measure/bench.h"
#include "measure/policy.h"
#include "session/session.h"
#include "source/runtime.h"

struct kb_bundle;
struct kb_device_profile;
struct kb_err;

/*
 * Candidates in a session: what kb-eval and kb-verify --remeasure have in
 * common.
 */

/* Does any candidate for the selected problems run in that? */
bool kb_candidates_use(const struct kb_session *s,
		       const struct kb_submission *x, enum kb_runtime runtime);

/* Have the launcher's fork server import what candidates for the selected problems
 * seem to. Fails as kb_bundle_read(). */
int kb_candidates_note_modules(struct kb_session *s,
			       const struct kb_submission *submission,
			       const struct kb_bundle *bundle,
			       struct kb_err *err);

/* kb_session_note_conditions() with the runtimes that candidates for the
 * selected problems need. */
int kb_candidates_note_conditions(struct kb_session *s,
				  const struct kb_submission *submission,
				  struct kb_err *err);

/*
 * The bench of one problem, which is opened when a candidate needs it, and
 * again after one at which the reference failed. Starts as
 * KB_PROBLEM_BENCH_INIT.
 */
struct kb_problem_bench {
	struct kb_session *session;	/* borrowed until close */
	struct kb_policy policy;	/* the session's, under one of its seeds */
	const struct kb_problem *problem;	/* of its suite */
	struct kb_buf source;		/* the problem's */
	char *alternate;			/* its alternate inputs, or NULL */
	struct kb_tolerance stated;	/* by the suite, */
	bool is_stated;			/* if it states one */
	enum kb_runtime runtime;
	struct kb_bench bench;
};

#define KB_PROBLEM_BENCH_INIT { .source = KB_BUF_INIT, .bench = KB_BENCH_INIT }

/* Read the problem; `key` is one of the session's suite. */
int kb_problem_bench_open(struct kb_problem_bench *p, struct kb_session *s,
			  struct kb_key key, struct kb_err *err);
void kb_problem_bench_close(struct kb_problem_bench *p);

/*
 * Judge and time a candidate of the bundle `submission` under the session's
 * seed: all of `r`, which was KB_RESULT_INIT and on failure is so again.
 * Returns 0, or fails as kb_bench_candidate().
 */
int kb_problem_bench_judge(struct kb_problem_bench *p, struct kb_result *r,
			   const struct kb_bundle *submission,
			   const struct kb_candidate *c, struct kb_err *err);

/* Judge a candidate without timing it. Returns and fails as kb_problem_bench_judge(). */
int kb_problem_bench_verify(struct kb_problem_bench *p, struct kb_result *r,
			    const struct kb_bundle *submission,
			    const struct kb_candidate *c, struct kb_err *err);

/* The same in a screen, by kb_bench_screen() where that can be. `policy.others` was set
 * when the bench had been opened. A candidate with KB_STATUS_MISMATCH and no outputs
 * in `r` is to be verified. */
int kb_problem_bench_screen(struct kb_problem_bench *p, struct kb_result *r,
			    const struct kb_bundle *submission,
			    const struct kb_candidate *c, struct kb_err *err);

/*
 * Judge a candidate without timing it, and fill in `profile` if it is correct:
 * its gpm is set. Returns and fails as kb_problem_bench_judge().
 */
int kb_problem_bench_profile(struct kb_problem_bench *p, struct kb_result *r,
			     const struct kb_bundle *submission,
			     const struct kb_candidate *c,
			     struct kb_device_profile *profile,
			     struct kb_err *err);

/*
 * Verify the correct candidates again, under each further weights seed of the
 * policy; reference and candidate are built anew under each. A candidate that
 * fails under a seed gets, in `results`, its result under the first such seed.
 * Without further seeds there is nothing to do. `results` are of `candidates`,
 * in their order. Returns 0, or fails as above; then
 * `results` are only good for being released.
 */
int kb_problem_bench_confirm(struct kb_problem_bench *p,
			     struct kb_result results[],
			     const struct kb_candidate *const candidates[],
			     size_t count, const struct kb_bundle *submission,
			     struct kb_err *err);

static inline void kb_cleanup_problem_bench(struct kb_problem_bench *p)
{
	kb_problem_bench_close(p);
}

#endif
