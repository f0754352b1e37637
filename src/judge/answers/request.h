#ifndef KB_ANSWERS_REQUEST_H
#define KB_ANSWERS_REQUEST_H

#include <stddef.h>

#include "manifest/generation.h"

struct kb_buf;
struct kb_err;
struct kb_json;

/*
 * A request, one a sample and turn, in the common batch format,
 *
 *	{"custom_id", "method", "url", "body"}
 *
 * on one line. The body has "model", "messages", "seed" if there is one, and
 * the members of the sampling settings as they are spelt. It is named by the
 * digest of its bytes, of which the custom_id has the beginning: an answer to
 * another request is not taken for one to this.
 */
#define KB_CUSTOM_ID_SIZE 64
#define KB_REQUEST_URL "/v1/chat/completions"

/* Append the body of `line`, whose prompt has these messages. */
void kb_request_body(struct kb_buf *out, const struct kb_asked *a,
		     const struct kb_generated *line,
		     const struct kb_json *messages);

/* Set the line's seed, and the digests of its prompt and its body. */
void kb_request_name(struct kb_generated *line, const struct kb_asked *a,
		     const struct kb_prompt *prompt);

/* "l1-p19-s0-t1-0123456789abcdef": level, problem, sample, turn, and the
 * request's digest. */
void kb_custom_id_format(char out[KB_CUSTOM_ID_SIZE],
			 const struct kb_generated *line);

/* Find the line that an answer with this id is for. Fails with KB_ERR_INPUT
 * if there is none; the message says why. Borrowed from `g`. */
int kb_custom_id_find(struct kb_generated **out,
		      const struct kb_generation *g, const char *id,
		      struct kb_err *err);

/* Append a line of a request file, with its LF. */
void kb_request_line(struct kb_buf *out, const struct kb_asked *a,
		     const struct kb_generated *line,
		     const struct kb_json *messages);

#endif
