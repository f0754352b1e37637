#ifndef KB_SERVING_REQUEST_H
#define KB_SERVING_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"
#include "source/runtime.h"

struct kb_err;
struct kb_json;
struct kb_suite;

/*
 * A request to kb-serve, one JSON object:
 *
 *	{"id", "problem", "code" | "files" | "answer",
 *	 "policy", "deadline_s", "priority"}
 *
 * `id` is a string or an integer, which the answer has again. `problem` is a key,
 * "1/19", a name, "19_ReLU", or the number of a problem that no other level of
 * the suite has. The candidate is `code`, in the problem's language; or `files`,
 * an object with one member, whose name says by its extension which language it
 * is; or `answer`, what a model wrote, of which the last complete block of code
 * is taken (answers/block.h). The last three may be absent.
 */
struct kb_serve_request {
	struct kb_json *id;		/* owned; NULL: it could not be read */
	struct kb_key key;
	enum kb_runtime runtime;
	char *code;			/* owned */
	size_t code_bytes;
	bool is_quick;			/* "policy": "screen"; else "full" */
	int priority;			/* "low", "normal", "high": -1, 0, 1 */
	int64_t deadline_ns;		/* from when it came; 0: none */
};

#define KB_SERVE_REQUEST_INIT { .id = NULL }
#define KB_REQUEST_ID_BYTES_MAX 200
#define KB_REQUEST_LINE_BYTES_MAX ((size_t)1 << 20)	/* and so of code */
#define KB_REQUEST_DEADLINE_S_MAX (30 * 86400)

/*
 * Fails with KB_ERR_INPUT, and a message for whoever asked; `r` then has the id if
 * there was one. Release it in any case.
 */
int kb_serve_request_parse(struct kb_serve_request *r, const struct kb_suite *suite,
		     const void *line, size_t len, struct kb_err *err);
void kb_serve_request_release(struct kb_serve_request *r);

static inline void kb_cleanup_serve_request(struct kb_serve_request *r)
{
	kb_serve_request_release(r);
}

#endif
