#ifndef KB_EXPORT_EXPORT_H
#define KB_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_made_files;

/*
 * From named bundles to other people's files. Everything is made in memory
 * first, so that a bundle that is refused leaves no file behind.
 */
struct kb_export {
	const char *format;		/* "csv"; all are borrowed */
	const char *const *bundles;	/* as kb_store_open() takes them */
	size_t bundle_count;		/* 1 or more */
	const char *store;		/* where they and their parents are */
	bool with_paths;		/* the files will be written */
	/* Each is NULL if nothing was said. */
	const char *clock;		/* "call" or "device" */
	const char *statistic;		/* "median" or "mean" */
	const char *baseline;		/* export that bundle, too */
	const char *hardware;		/* names KernelBench's folder */
	const char *run_name;		/* names KernelBench's run */
};

/*
 * Make the files. `out` needs no release on failure.
 *
 * Fails with KB_ERR_USAGE for an unknown format, clock or statistic, for what
 * the format has no use for and for several bundles where it wants one; as
 * kb_store_open(), also for parents; with KB_ERR_INPUT for a bundle of another
 * kind, for a baseline that kb-score would refuse, for scores that do not
 * belong into one table, and as the format's own printer says.
 */
int kb_export_make(struct kb_made_files *out, const struct kb_export *e,
		   struct kb_err *err);

/* The names of formats, from 0; NULL behind the last. And of which kind of
 * bundle format `i`, one of these, is made. */
const char *kb_export_format_name(size_t i);
const char *kb_export_format_source(size_t i);

#endif
