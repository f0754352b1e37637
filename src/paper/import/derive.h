#ifndef KB_IMPORT_DERIVE_H
#define KB_IMPORT_DERIVE_H

#include <stdbool.h>

struct kb_backward;
struct kb_digest;
struct kb_err;

/* A suite at other sizes than its own, or of gradients, or both; all borrowed. */
struct kb_derive {
	const char *suite;		/* as kb_suite_open_or_pack() takes it */
	const char *sizes_file;		/* UTF-8; NULL: its own sizes */
	bool is_backward;		/* of gradients */
	const char *left_out_file;	/* UTF-8; NULL: none is named */
	const char *name;		/* of what is made; NULL: the file's of
					   sizes without its extension, else
					   the suite's, and of gradients with
					   "-backward" behind it */
	const char *store;
};

/*
 * Make the suite that kb-manifest(5) calls derived, of the problems that the
 * file of sizes names, or else of all, less those that are left out: of
 * gradients, what the second file names, and what is not in Python. `id`
 * receives its id, and `left_out`, which the caller releases in any case, the
 * latter.
 *
 * Fails with KB_ERR_INPUT if a file is none of its kind or names a problem that
 * the suite lacks; if one of sizes names a problem that is not in Python or that
 * has these sizes already, or a constant that kb_sizes_apply() refuses; if the
 * suite is derived itself, or nothing would be left; as
 * kb_suite_open_or_pack(); and with KB_ERR_SYS.
 */
int kb_suite_derive(const struct kb_derive *d, struct kb_digest *id,
		    struct kb_backward *left_out, struct kb_err *err);

#endif
