#ifndef KB_ANSWERS_ANSWER_H
#define KB_ANSWERS_ANSWER_H

#include <stddef.h>

#include "manifest/extraction.h"
#include "manifest/generated.h"

struct kb_buf;
struct kb_err;

/*
 * One answer, as a line of the common batch format has it:
 *
 *	{"custom_id", "response": {"status_code", "body"}, "error"}
 *
 * What servers do otherwise is read as well: a response that is the body
 * itself; an error in its place, in the body, as an object or as a string;
 * content that is null, a string or a list of parts; members beside these.
 *
 * Pure functions of bytes: verifiers call them again.
 */
struct kb_answer {
	char *custom_id;
	struct kb_reply reply;
	char *text;			/* what the model wrote, or NULL */
	char *code;			/* the candidate, or NULL */
	size_t code_bytes;
	bool has_several;		/* choices; the first counts */
};

#define KB_ANSWER_INIT { .reply = KB_REPLY_INIT }

void kb_answer_release(struct kb_answer *a);

/*
 * Parse `len` bytes; `name` is only used in messages. Fails with KB_ERR_INPUT
 * if they are not JSON, not an object or do not say whose answer they are.
 * All else is an outcome of the reply.
 */
int kb_answer_parse(struct kb_answer *out, const char *text, size_t len,
		    struct kb_extraction how, const char *name,
		    struct kb_err *err);

static inline void kb_cleanup_answer(struct kb_answer *a)
{
	kb_answer_release(a);
}

#endif
