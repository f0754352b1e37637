#ifndef KB_MANIFEST_LINES_H
#define KB_MANIFEST_LINES_H

#include <stddef.h>

#include "base/buf.h"

struct kb_bundle;
struct kb_err;
struct kb_json;
struct kb_json_pool;

/*
 * Members that hold one canonical JSON value a line. Every line ends in
 * LF, the last as well; there are no empty lines.
 */

#define KB_LINE_BYTES_MAX ((size_t)64 << 20)	/* without its LF */

/* Append a line to `out`. Takes `line`. */
void kb_lines_add(struct kb_buf *out, struct kb_json *line);

/*
 * Call `take` for each line of `len` bytes, until one fails. `where` is
 * "line 3 of <name>"; like the line it is borrowed until `take` returns.
 * Fails with KB_ERR_INPUT, or as `take` does.
 */
int kb_lines_parse(const void *data, size_t len, const char *name,
		   int (*take)(void *into, const struct kb_json *line,
			       const char *where, struct kb_err *err),
		   void *into, struct kb_err *err);

/* The same for a bundle's member, of which one line is in memory at a time.
 * What was taken is to be dropped if this fails in the end. */
int kb_lines_load(const struct kb_bundle *b, const char *name,
		  int (*take)(void *into, const struct kb_json *line,
			      const char *where, struct kb_err *err),
		  void *into, struct kb_err *err);

/*
 * The same for bytes that come in pieces, wherever these end: fed one after
 * the other, and then ended. After a failure it can only be released.
 */
struct kb_lines {
	const char *name;		/* borrowed */
	int (*take)(void *into, const struct kb_json *line, const char *where,
		    struct kb_err *err);
	void *into;
	size_t count;			/* lines that have ended */
	struct kb_buf begun;		/* what there is of the next */
	struct kb_json_pool *pool;	/* the line that is taken is in it */
};

void kb_lines_init(struct kb_lines *l, const char *name,
		   int (*take)(void *into, const struct kb_json *line,
			       const char *where, struct kb_err *err),
		   void *into);
int kb_lines_feed(struct kb_lines *l, const char *piece, size_t len,
		  struct kb_err *err);
int kb_lines_end(const struct kb_lines *l, struct kb_err *err);
void kb_lines_release(struct kb_lines *l);

static inline void kb_cleanup_lines(struct kb_lines *l)
{
	kb_lines_release(l);
}

#endif
