#ifndef KB_TURNS_FEEDBACK_H
#define KB_TURNS_FEEDBACK_H

#include "manifest/generation.h"

struct kb_baseline;
struct kb_buf;
struct kb_err;
struct kb_json;
struct kb_result;

/*
 * Turn an evaluation's result of an attempt into the feedback for the model.
 * Pure functions, which `kb-verify` calls again.
 *
 * Times are those that `kb-score` takes if no clock is chosen: by the device's
 * where the reference has such a one. Times are compared with the baseline or,
 * without one, with the reference that was timed next to the candidate.
 */
struct kb_attempt {
	const struct kb_generated *line;
	const struct kb_result *result;	/* NULL: the answer has no code */
	const struct kb_baseline *baseline;	/* or NULL */
	int64_t bound_ns;		/* what the device needs at least for
					   the problem, or KB_UNKNOWN */
};

/* All but `told`, which is NULL. Fails with KB_ERR_INPUT if a time does not
 * follow from its samples. */
int kb_attempt_judge(struct kb_judged *out, const struct kb_attempt *a,
		     struct kb_err *err);

/* Append the message. Fails with KB_ERR_INPUT if the words' placeholders are
 * not those that there are. */
int kb_attempt_tell(struct kb_buf *out, const struct kb_attempt *a,
		    const struct kb_judged *judged,
		    const struct kb_refinement *r, struct kb_err *err);

/* The most bytes of a log that the model is told. A compiler says first what is
 * wrong. */
#define KB_TOLD_LOG_BYTES_MAX 8192

/* The words that messages are made of, by name: kb's own, as a record holds
 * them. The caller frees. */
struct kb_json *kb_words_ours(void);

/* Whether `words` has each word that messages are made of, and no other, and
 * each with the placeholders that there are. `where` is for messages. Fails
 * with KB_ERR_INPUT. */
int kb_words_check(const struct kb_json *words, const char *where,
		   struct kb_err *err);

#endif
