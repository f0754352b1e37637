#ifndef KB_MANIFEST_SIZES_H
#define KB_MANIFEST_SIZES_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"

struct kb_buf;
struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * The changes of a suite that is derived from another by sizes: constants of
 * problems, see source/python_constant.h. It has the problems that are changed
 * and no others.
 */
struct kb_size {
	struct kb_key key;
	char *constant;			/* its name; owned */
	int64_t before;			/* KB_UNKNOWN: not looked at yet */
	int64_t after;			/* 1 or more */
};

struct kb_sizes {
	struct kb_size *items;		/* sorted by key and then by name,
					   each once; owned */
	size_t count, capacity;
};

#define KB_SIZES_INIT { .items = NULL }
#define KB_SIZES_FILE_BYTES_MAX ((size_t)4 << 20)
#define KB_SIZES_OF_PROBLEM_MAX 64

void kb_sizes_release(struct kb_sizes *s);

/*
 * A file of sizes: {"1/1": {"n": 67}, ...}, a problem's key to its constants'
 * new values, in any order. `name` is used in messages. Fails with
 * KB_ERR_INPUT.
 */
int kb_sizes_parse(struct kb_sizes *s, const void *data, size_t len,
		   const char *name, struct kb_err *err);

/* The sizes of one problem, one or more, or NULL. Borrowed. */
struct kb_size *kb_sizes_find(const struct kb_sizes *s, struct kb_key key,
			      size_t *count);

/*
 * Set these constants of a problem's file. Where `before` is not known it is
 * found here; where it is, the file must have it. Fails with KB_ERR_INPUT if
 * a constant is not one, or has another value; then `file` is whatever it is.
 */
int kb_sizes_apply(struct kb_buf *file, struct kb_size sizes[], size_t count,
		   struct kb_err *err);

/* Drop sizes that are the same before and after. A problem may have none
 * then. */
void kb_sizes_drop_unchanged(struct kb_sizes *s);

/* Drop the sizes of one problem, if there are any. */
void kb_sizes_drop(struct kb_sizes *s, struct kb_key key);

/* The array of a record; of changes alone. */
struct kb_json *kb_sizes_to_json(const struct kb_sizes *s);

/* The member `key`; one or more. */
void kb_sizes_read(struct kb_sizes *s, struct kb_fields *f, const char *key);

static inline void kb_cleanup_sizes(struct kb_sizes *s)
{
	kb_sizes_release(s);
}

#endif
