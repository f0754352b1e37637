#ifndef KB_IMPORT_LEADERBOARD_H
#define KB_IMPORT_LEADERBOARD_H

#include <stddef.h>

struct kb_err;
struct kb_provenance;
struct kb_sources;

/*
 * A submission to KernelBench's leaderboard:
 *
 *	{"metadata": {"display_name": ..., "organization": ...,
 *		      "run_name": ..., "notes": ...},
 *	 "kernels": {"level_<L>_problem_<P>_sample_<S>": "<source>", ...}}
 *
 * display_name must be there; other members of "metadata" may be missing
 * and members that we do not know are passed over. Every kernel is
 * torch code.
 */

/*
 * From bytes. Adds to `sources`, unsorted; `provenance` needs no release
 * on failure. `name` is only used in messages.
 *
 * Fails with KB_ERR_INPUT.
 */
int kb_leaderboard_parse(struct kb_provenance *provenance,
			 struct kb_sources *sources, const void *data,
			 size_t len, const char *name, struct kb_err *err);

#endif
