#ifndef KB_PROMPTS_PROMPTS_H
#define KB_PROMPTS_PROMPTS_H

#include <stddef.h>

#include "manifest/key.h"
#include "manifest/prompt.h"
#include "store/digest.h"

struct kb_err;

/*
 * Whole prompts, by whoever made them: lines of JSON, one a problem, which
 * kb-generate(1) documents:
 *
 *	{"problem": "1/19", "messages": [{"role": "user", "content": "..."}]}
 */
#define KB_PROMPTS_BYTES_MAX ((size_t)256 << 20)

struct kb_problem_prompt {
	struct kb_key key;
	struct kb_prompt prompt;
};

struct kb_prompts {
	struct kb_digest digest;	/* of the bytes */
	struct kb_problem_prompt *of;	/* sorted by key */
	size_t count;
};

#define KB_PROMPTS_INIT { .count = 0 }

/* Lines end in LF or CR LF; blank ones are passed over. `name` is the file's,
 * for messages. Fails with KB_ERR_INPUT. */
int kb_prompts_parse(struct kb_prompts *out, const void *data, size_t len,
		     const char *name, struct kb_err *err);
void kb_prompts_release(struct kb_prompts *p);

/* Borrowed; NULL if there is none. */
const struct kb_prompt *kb_prompts_find(const struct kb_prompts *p,
					struct kb_key key);

static inline void kb_cleanup_prompts(struct kb_prompts *p)
{
	kb_prompts_release(p);
}

#endif
