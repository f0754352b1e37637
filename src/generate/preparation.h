#ifndef KB_GENERATE_PREPARATION_H
#define KB_GENERATE_PREPARATION_H

struct kb_err;
struct kb_json;
struct kb_prompt_choice;
struct kb_prompter;
struct kb_templates;

/* A prompter while it is made; all borrowed. For prompter.c and examples.c. */
struct kb_preparation {
	struct kb_prompter *p;
	const struct kb_templates *t;
	const struct kb_prompt_choice *choice;
	const struct kb_json *backend, *option, *shared;
	struct kb_err *err;
};

/* Set examples_intro and examples_entries, if the option wants examples: one,
 * or as many as the backend has. Fails as kb_prompter_init(). */
int kb_preparation_set_examples(struct kb_preparation *x);

#endif
