#ifndef KB_TURNS_SUBMIT_H
#define KB_TURNS_SUBMIT_H

#include "manifest/generation.h"
#include "manifest/provenance.h"
#include "manifest/submission.h"

struct kb_err;

/*
 * From a generation to its two bundles: itself, and the submission of what was
 * extracted, whose parent it is.
 *
 * A sample whose answer has no code is submitted as an empty file, which
 * fails to load or to build and so counts as an attempt; one that has no
 * answer, or a failure of the server's, is not submitted.
 *
 * Of a refinement each trajectory is one sample: its best attempt, by
 * kb_trajectory_best().
 */

/* The candidates of the submission of `g`, and what the generation says of
 * where they are from: for who verifies one. Fails with KB_ERR_INPUT if there are none. */
int kb_submission_again(struct kb_submission *s, const struct kb_generation *g,
			struct kb_err *err);

/*
 * Write both into `store`. What `over` knows is said of the submission beside
 * what the generation says. Sorts and sums `g`. Fails as above, with
 * KB_ERR_INPUT if `over` is not as it should be, KB_ERR_SYS.
 */
int kb_generation_submit(struct kb_generation *g,
			 const struct kb_provenance *over, const char *store,
			 struct kb_digest *generation,
			 struct kb_digest *submission, struct kb_err *err);

/*
 * The attempts of one turn that have code, of which there is one, as a
 * submission for `kb-eval`, and nothing more: no generation is its parent yet.
 * The same turn is the same bundle again. Fails with KB_ERR_SYS.
 */
int kb_turn_submit(const struct kb_generation *g, int turn, const char *store,
		   struct kb_digest *submission, struct kb_err *err);

#endif
