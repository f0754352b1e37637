#ifndef KB_PROMPTS_PROMPTER_H
#define KB_PROMPTS_PROMPTER_H

#include "manifest/backend.h"
#include "store/digest.h"

struct kb_buf;
struct kb_err;
struct kb_hardware;

/*
 * kb's own prompts: texts and examples of share/kb/prompts around a problem's
 * file. kb-generate(1) says in which order.
 */
enum kb_prompt_kind {
	KB_PROMPT_ZERO_SHOT,
	KB_PROMPT_ONE_SHOT,
	KB_PROMPT_FEW_SHOT,	/* one example where there are no more */
};

struct kb_prompt_choice {
	enum kb_backend backend;
	enum kb_prompt_kind kind;
	const char *precision;		/* what prompts call it; static */
	const struct kb_hardware *hardware;	/* NULL: not told */
};

/* Names as options have them; NULL stands for the default, one_shot and fp32.
 * Fail with KB_ERR_INPUT, with a list of the names. */
int kb_prompt_kind_parse(enum kb_prompt_kind *out, const char *name,
			 struct kb_err *err);
int kb_prompt_precision_parse(const char **out, const char *name,
			      struct kb_err *err);

/* All of a prompt but the problem. */
struct kb_prompter {
	char *before, *after;
	struct kb_digest digest;	/* of both */
};

#define KB_PROMPTER_INIT { .before = NULL }

/* Fails with KB_ERR_INPUT if there is no prompt for the backend, as
 * kb_file_read() if a file of the prompt cannot be read. */
int kb_prompter_init(struct kb_prompter *p,
		     const struct kb_prompt_choice *choice,
		     struct kb_err *err);
void kb_prompter_release(struct kb_prompter *p);

/* Append the prompt for the reference `source`, a text without NUL whose lines
 * end in LF, CR LF or CR. */
void kb_prompter_render(struct kb_buf *out, const struct kb_prompter *p,
			const char *source);

static inline void kb_cleanup_prompter(struct kb_prompter *p)
{
	kb_prompter_release(p);
}

#endif
