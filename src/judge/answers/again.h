#ifndef KB_ANSWERS_AGAIN_H
#define KB_ANSWERS_AGAIN_H

#include "manifest/generation.h"

struct kb_err;

/*
 * Derive again what a generation derives, from its contents, to verify it.
 * Pure. Each fails with KB_ERR_INPUT, and names the sample.
 */

/* Model, backend, seeds, sampling settings, prices and system prompt are what
 * the options say, and there are no others. */
int kb_generation_options_again(const struct kb_generation *g,
				struct kb_err *err);

/* Each request is the one that its prompt, the model, the sampling settings
 * and the seed make. */
int kb_generation_requests_again(const struct kb_generation *g,
				 struct kb_err *err);

/* Each reply, and with it each candidate, is what the answer gives by the rule
 * of extraction; and each answer names its request. */
int kb_generation_replies_again(const struct kb_generation *g,
				struct kb_err *err);

/* The sums. */
int kb_generation_totals_again(const struct kb_generation *g,
			       struct kb_err *err);

#endif
