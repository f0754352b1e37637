#ifndef KB_MANIFEST_BACKWARD_H
#define KB_MANIFEST_BACKWARD_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/key.h"

struct kb_buf;
struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * A suite of gradients: each problem's file is another suite's, behind which
 * stands a text of ours that makes its Model compute a backward pass. The text
 * is the same for all files of a suite. Its record names the text, so that a
 * suite of an earlier text verifies. New suites have the last.
 *
 * Problems that have no gradients are left out, each with a reason.
 */
enum kb_backward_rule {
	KB_BACKWARD_GRADIENTS_1,	/* gradients_1.py */
	KB_BACKWARD_GRADIENTS_2,	/* constructor arguments by position and
					   by name at once */
	KB_BACKWARD_RULE_COUNT,		/* not a rule */
};

extern const char *const kb_backward_rules[KB_BACKWARD_RULE_COUNT];

struct kb_left_out {
	struct kb_key key;
	char *reason;			/* a line for people; owned */
};

struct kb_backward {
	bool is_set;			/* the suite is one of gradients */
	enum kb_backward_rule rule;
	struct kb_left_out *left_out;	/* sorted by key, each once; owned */
	size_t count, capacity;
};

#define KB_BACKWARD_INIT { .rule = KB_BACKWARD_RULE_COUNT - 1 }
#define KB_REASON_BYTES_MAX 256
#define KB_LEFT_OUT_FILE_BYTES_MAX ((size_t)4 << 20)

void kb_backward_release(struct kb_backward *b);

/*
 * A file of problems to leave out: {"1/51": "why", ...}, in any order, also
 * none. A reason is 1 to KB_REASON_BYTES_MAX bytes without control characters.
 * `name` is used in messages. Fails with KB_ERR_INPUT.
 */
int kb_backward_parse(struct kb_backward *b, const void *data, size_t len,
		      const char *name, struct kb_err *err);

/* Leave out one problem more, that is not left out yet. */
void kb_backward_leave_out(struct kb_backward *b, struct kb_key key,
			   const char *reason);

/* NULL: it is not left out. Borrowed. */
const struct kb_left_out *kb_backward_find(const struct kb_backward *b,
					   struct kb_key key);

/* Put the rule's text behind a problem's file. */
void kb_backward_append(const struct kb_backward *b, struct kb_buf *file);

/* The member of a record. */
struct kb_json *kb_backward_to_json(const struct kb_backward *b);
void kb_backward_read(struct kb_backward *b, struct kb_fields *f,
		      const char *key);

static inline void kb_cleanup_backward(struct kb_backward *b)
{
	kb_backward_release(b);
}

#endif
