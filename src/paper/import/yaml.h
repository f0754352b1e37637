#ifndef KB_IMPORT_YAML_H
#define KB_IMPORT_YAML_H

#include <stddef.h>

struct kb_err;

/* YAML, as other people's tools write settings: by libyaml. */

enum kb_yaml_kind {
	KB_YAML_TEXT,			/* a scalar: text, number or flag */
	KB_YAML_NULL,			/* nothing, "~" or "null", not quoted */
	KB_YAML_OTHER,			/* a list, a mapping, an alias, an object
					   of Python, text with a NUL */
};

/* A member of the document's mapping. Borrowed for the call. */
struct kb_yaml_member {
	const char *key;		/* UTF-8 */
	enum kb_yaml_kind kind;
	const char *text;		/* UTF-8, of KB_YAML_TEXT; else NULL */
	size_t line;			/* of the key, from 1 */
};

/*
 * Call `take` with each member of the mapping that the `len` bytes are, in
 * their order, until it fails. Members whose key is no text are passed over. An
 * empty document has none.
 *
 * `name` is the file's, for messages. Fails with KB_ERR_INPUT if the bytes are
 * not one YAML document, or one that is no mapping or is nested too deeply, and
 * as `take`.
 */
int kb_yaml_each(const void *data, size_t len, const char *name,
		 int (*take)(void *context, const struct kb_yaml_member *m,
			     struct kb_err *err),
		 void *context, struct kb_err *err);

#endif
