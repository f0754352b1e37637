#ifndef KB_EXCHANGE_EXPORT_H
#define KB_EXCHANGE_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct kb_err;

/*
 * From named bundles to other people's files. Everything is made in memory
 * first, so that a bundle that is refused leaves no file behind.
 */
struct kb_export {
	const char *format;		/* "csv"; all are borrowed */
	const char *bundle;		/* as kb_store_open() takes it */
	const char *store;		/* where it and its parents are */
	bool with_paths;		/* the files will be written */
	/* Each is NULL if nothing was said. */
	const char *clock;		/* "call" or "device" */
	const char *statistic;		/* "median" or "mean" */
	const char *baseline;		/* export that bundle, too */
	const char *hardware;		/* names KernelBench's folder */
	const char *run_name;		/* names KernelBench's run */
};

/* `path` is relative to the folder that the user gives, or NULL where he
 * names the file. */
struct kb_export_file {
	char *path;
	struct kb_buf text;
};

struct kb_export_files {
	struct kb_export_file *items;
	size_t count;
	size_t capacity;
};

#define KB_EXPORT_FILES_INIT { .items = NULL }

void kb_export_files_release(struct kb_export_files *f);

/*
 * Make the files. `out` needs no release on failure.
 *
 * Fails with KB_ERR_USAGE for an unknown format, clock or statistic and for
 * what the format has no use for; as kb_store_open(), also for parents; with
 * KB_ERR_INPUT for a bundle of another kind, for a baseline that kb-score
 * would refuse, and as the format's own printer says.
 */
int kb_export_make(struct kb_export_files *out, const struct kb_export *e,
		   struct kb_err *err);

/*
 * Write them, each whole or not at all: to the file `output`, or, where files
 * have paths of their own, below the folder `output`, made if need be; their
 * names are then put together in `path`.
 */
int kb_export_write(struct kb_export_files *files, const char *output,
		    struct kb_err *err);

static inline void kb_cleanup_export_files(struct kb_export_files *f)
{
	kb_export_files_release(f);
}

#endif
