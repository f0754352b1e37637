#ifndef KB_RUNS_NEXT_STEP_H
#define KB_RUNS_NEXT_STEP_H

#include "manifest/key.h"

struct kb_buf;
struct kb_bundle;
struct kb_err;
struct kb_evaluation;

/* Append a line with a command of kb that can be typed, with the option for
 * `store` if that is not the usual one, and what it is for. */
void kb_next_step_print(struct kb_buf *out, const char *store,
			const char *purpose, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* The first candidate that is not correct. Returns 1, or 0 if there is none;
 * problems without a candidate do not count. Fails as kb_evaluation_each(). */
int kb_first_failure(struct kb_key *key, int *sample_id,
		     const struct kb_evaluation *e, const struct kb_bundle *b,
		     struct kb_err *err);

#endif
