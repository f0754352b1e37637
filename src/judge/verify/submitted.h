#ifndef KB_VERIFY_SUBMITTED_H
#define KB_VERIFY_SUBMITTED_H

#include "manifest/key.h"
#include "store/digest.h"

struct kb_bundle;
struct kb_err;
struct kb_evaluation;
struct kb_result;
struct kb_submission_head;

/*
 * Has an evaluation a line for every candidate of the problems that it
 * selected, and for no other? By two digests, of the candidates in their order
 * and of the lines, so that neither are in memory, of whom there may be a
 * hundred thousand. Which of them it is, if it has not, kb_chain_check() says.
 */
struct kb_submitted {
	const struct kb_evaluation *evaluation;	/* borrowed; its problems */
	struct kb_hasher *lines, *candidates;
};

void kb_submitted_init(struct kb_submitted *s,
		       const struct kb_evaluation *evaluation);
void kb_submitted_release(struct kb_submitted *s);

/* A line, in order. */
void kb_submitted_take(struct kb_submitted *s, const struct kb_result *r);

/*
 * When all lines were taken, and once: are the candidates of the submission
 * `b` those that they are about? Returns 1 if so, else 0. Caller releases
 * `head`, what the record says beside them. Fails as
 * kb_submission_each().
 */
int kb_submitted_compare(struct kb_submitted *s, const struct kb_bundle *b,
			 struct kb_submission_head *head, struct kb_err *err);

static inline void kb_cleanup_submitted(struct kb_submitted *s)
{
	kb_submitted_release(s);
}

#endif
