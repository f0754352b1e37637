#ifndef KB_MANIFEST_PROBLEM_LINES_H
#define KB_MANIFEST_PROBLEM_LINES_H

#include <stddef.h>

#include "manifest/key.h"

struct kb_bundle;
struct kb_err;
struct kb_json;

/*
 * The results of a record that has one line for each of its problems, in the
 * order of its list: of a baseline or of an audit.
 */
struct kb_problem_lines {
	const struct kb_key *problems;	/* the record's; borrowed */
	size_t problem_count;

	/* Take the line, which has to be for `key`; `where` is for messages. */
	int (*take)(void *into, struct kb_key key, const struct kb_json *line,
		    const char *where, struct kb_err *err);
	void *into;
};

/*
 * Read them, one after the other, and see that `b` has no members but the
 * record and these. Fails with KB_ERR_INPUT if there are more or fewer than
 * problems, as `take` does, and as kb_lines_load().
 */
int kb_problem_lines_load(const struct kb_problem_lines *p,
			  const struct kb_bundle *b, struct kb_err *err);

#endif
