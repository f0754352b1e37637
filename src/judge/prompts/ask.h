#ifndef KB_PROMPTS_ASK_H
#define KB_PROMPTS_ASK_H

#include "manifest/generation.h"
#include "manifest/suite.h"

struct kb_bundle;
struct kb_err;
struct kb_prompter;
struct kb_prompts;

/* Where prompts come from: a prompter, or prompts that somebody made. */
struct kb_prompt_source {
	const struct kb_prompts *prompts;	/* NULL: `prompter` */
	const char *prompts_name;		/* of their file, for messages */
	const struct kb_prompter *prompter;
	const char *system;	/* before what the prompter makes, or NULL */
};

/*
 * Add a prompt for each problem in `g->asked`, and a line for each sample of
 * the first turn, none of which is answered. `suite` and its bundle `b` have
 * the problems.
 *
 * Fails with KB_ERR_INPUT if `from` has no prompt for a problem; if a problem's
 * file is not text; or if the backend cannot replace the problem: native
 * backends write for problems in Python too, but a problem in C has no Model
 * for a Python module to replace.
 */
int kb_ask(struct kb_generation *g, const struct kb_suite *suite,
	   const struct kb_bundle *b, const struct kb_prompt_source *from,
	   struct kb_err *err);

#endif
