#ifndef KB_GENERATE_PROMPTER_H
#define KB_GENERATE_PROMPTER_H

#include <stdbool.h>
#include <stddef.h>

#include "generate/templates.h"

struct kb_buf;
struct kb_err;
struct kb_json;

/*
 * Prompts from templates: for each problem what generate/templates.h holds, as
 * chosen, with the problem in it.
 */

/* What a prompt's hardware blocks are filled with. */
struct kb_hardware {
	char *name;			/* "NVIDIA H200" */
	char *architecture;
	char *specs;			/* lines "- ...", joined by LF */
};

#define KB_HARDWARE_INIT { .name = NULL }

void kb_hardware_release(struct kb_hardware *h);

/* As KernelBench's file of GPUs has it under `name`. Fails with
 * KB_ERR_INPUT. */
int kb_hardware_of_templates(struct kb_hardware *h,
			     const struct kb_templates *t, const char *name,
			     struct kb_err *err);

/* As the environment of a baseline tells: of its GPU, or else its CPU. */
void kb_hardware_of_environment(struct kb_hardware *h,
				const struct kb_json *environment);

struct kb_prompt_choice {
	const char *backend;		/* "cuda" */
	const char *option;		/* "one_shot" */
	const char *precision;		/* "fp16"; NULL: the file's default */
	const char *custom;		/* a key of [custom_prompts], or NULL */
	const struct kb_hardware *hardware;	/* NULL: no blocks on it */
};

/* All of a prompt but the problem. */
struct kb_prompter {
	char *text;			/* with placeholders */
	char *backend, *backend_display, *problem_statement, *instruction;
	char *precision_display, *examples_intro, *examples_entries;
	char *definitions, *practices;	/* of GPUs, as lines, or NULL */
	const struct kb_hardware *hardware;	/* borrowed, or NULL */
};

#define KB_PROMPTER_INIT { .text = NULL }

void kb_prompter_release(struct kb_prompter *p);

/* Fails with KB_ERR_INPUT if the file lacks what was chosen, as kb_file_read()
 * if an example's file cannot be read. */
int kb_prompter_init(struct kb_prompter *p, const struct kb_templates *t,
		     const struct kb_prompt_choice *choice,
		     struct kb_err *err);

/* Append the prompt for the reference `source`, a text without NUL whose lines
 * end in LF, CR LF or CR. Fails with KB_ERR_INPUT. */
int kb_prompter_render(struct kb_buf *out, const struct kb_prompter *p,
		       const char *source, struct kb_err *err);

static inline void kb_cleanup_hardware(struct kb_hardware *h)
{
	kb_hardware_release(h);
}

static inline void kb_cleanup_prompter(struct kb_prompter *p)
{
	kb_prompter_release(p);
}

#endif
