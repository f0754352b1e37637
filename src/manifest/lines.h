#ifndef KB_MANIFEST_LINES_H
#define KB_MANIFEST_LINES_H

#include <stddef.h>

struct kb_buf;
struct kb_bundle;
struct kb_err;
struct kb_json;

/*
 * Members that hold one canonical JSON value a line. Every line ends in
 * LF, the last as well; there are no empty lines.
 */

/* Append a line to `out`. Takes `line`. */
void kb_lines_add(struct kb_buf *out, struct kb_json *line);

/*
 * Call `take` for each line of `len` bytes, until one fails. `where` is
 * "line 3 of <name>". Fails with KB_ERR_INPUT, or as `take` does.
 */
int kb_lines_parse(const void *data, size_t len, const char *name,
		   int (*take)(void *into, const struct kb_json *line,
			       const char *where, struct kb_err *err),
		   void *into, struct kb_err *err);

/* The same for a bundle's member. */
int kb_lines_load(const struct kb_bundle *b, const char *name,
		  int (*take)(void *into, const struct kb_json *line,
			      const char *where, struct kb_err *err),
		  void *into, struct kb_err *err);

#endif
