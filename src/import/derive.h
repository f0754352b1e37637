#ifndef KB_IMPORT_DERIVE_H
#define KB_IMPORT_DERIVE_H

struct kb_digest;
struct kb_err;

/* A suite at other sizes than its own; all borrowed. */
struct kb_derive {
	const char *suite;		/* as kb_suite_open_or_pack() takes it */
	const char *sizes_file;		/* UTF-8 */
	const char *name;		/* of what is made; NULL: the file's,
					   without its extension */
	const char *store;
};

/*
 * Make the suite that kb-manifest(5) calls derived by sizes, of the problems
 * that the file names. `id` receives its id.
 *
 * Fails with KB_ERR_INPUT if the file is none of sizes, names a problem that
 * the suite lacks, that is not in Python or that has these sizes already, or a
 * constant that kb_sizes_apply() refuses; if the suite is derived itself; as
 * kb_suite_open_or_pack(); and with KB_ERR_SYS.
 */
int kb_suite_derive(const struct kb_derive *d, struct kb_digest *id,
		    struct kb_err *err);

#endif
