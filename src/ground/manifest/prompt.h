#ifndef KB_MANIFEST_PROMPT_H
#define KB_MANIFEST_PROMPT_H

#include "store/digest.h"

struct kb_err;
struct kb_json;

/* The messages of a request, named by the digest of their canonical JSON. */
struct kb_prompt {
	struct kb_digest digest;
	struct kb_json *messages;	/* [{"content", "role"}] */
};

/* The digest that a prompt is named by. */
void kb_prompt_digest(struct kb_digest *out, const struct kb_json *messages);

/* A copy of `messages`, an array of at least one {"content", "role"}, with its
 * digest. Fails with KB_ERR_INPUT. */
int kb_prompt_of_messages(struct kb_prompt *p, const struct kb_json *messages,
			  const char *where, struct kb_err *err);

/* One line of a generation's data/prompts.jsonl: {"messages", "sha256"}. */
struct kb_json *kb_prompt_to_json(const struct kb_prompt *p);
int kb_prompt_from_json(struct kb_prompt *p, const struct kb_json *line,
			const char *where, struct kb_err *err);
void kb_prompt_release(struct kb_prompt *p);

static inline void kb_cleanup_prompt(struct kb_prompt *p)
{
	kb_prompt_release(p);
}

#endif
