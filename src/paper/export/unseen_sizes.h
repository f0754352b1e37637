#ifndef KB_EXPORT_UNSEEN_SIZES_H
#define KB_EXPORT_UNSEEN_SIZES_H

#include <stddef.h>

#include "base/cleanup.h"
#include "manifest/evaluation.h"

struct kb_buf;
struct kb_err;
struct kb_suite;

/* Evaluations in the order that they were named. */
struct kb_two_evaluations {
	struct kb_evaluation items[2];	/* owned */
	size_t count;
};

#define KB_TWO_EVALUATIONS_INIT { .count = 0 }

void kb_two_evaluations_release(struct kb_two_evaluations *t);

/*
 * Whether `unseen` is of the submission that `seen` is of, by `suite`, its own,
 * which is derived by sizes from the suite of `seen`. Fails with KB_ERR_INPUT.
 */
int kb_unseen_sizes_check(const struct kb_evaluation *seen,
			  const struct kb_evaluation *unseen,
			  const struct kb_suite *suite, struct kb_err *err);

/* A row for each sample that either has, its status in both, with tabs between
 * them; "-" where one has none. */
void kb_unseen_sizes_print(struct kb_buf *out,
			   const struct kb_evaluation *seen,
			   const struct kb_evaluation *unseen);

static inline void kb_cleanup_two_evaluations(struct kb_two_evaluations *t)
{
	kb_two_evaluations_release(t);
}

#endif
