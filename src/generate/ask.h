#ifndef KB_GENERATE_ASK_H
#define KB_GENERATE_ASK_H

#include "manifest/generation.h"
#include "manifest/suite.h"

struct kb_bundle;
struct kb_err;
struct kb_prompter;

/*
 * What to ask of the problems in `g->asked`: adds a prompt for each, with
 * `system` (may be NULL) before it, and a line for each sample of the first
 * turn, none of which is answered. `suite` and its bundle `b` have the
 * problems.
 *
 * Fails with KB_ERR_INPUT if a problem's file is not text, or is not what the
 * backend can be asked to replace: native backends write for problems in
 * Python too, but those in C have no Model for a Python module to replace.
 */
int kb_ask(struct kb_generation *g, const struct kb_suite *suite,
	   const struct kb_bundle *b, const struct kb_prompter *prompter,
	   const char *system, struct kb_err *err);

#endif
