#ifndef KB_RUNS_RUN_ALL_H
#define KB_RUNS_RUN_ALL_H

#include "cli/made.h"

struct kb_err;

/*
 * From a submission to a verified score: the programs of all stages, one after
 * the other, as they would be typed. Each says what it does, and what came of
 * them is said at the end.
 *
 * The submission is packed unless it is a bundle, and so is the suite: the name
 * of a folder that kb brings with it, or any other folder. It is evaluated, scored by
 * a baseline of the store that matches (runs/find_baseline.h), or else by one
 * that is made now, and verified with all that the score was made from.
 */
struct kb_run_options {
	const char *suite, *baseline;		/* baseline: NULL, find one */
	const char *device, *problems, *levels;	/* or NULL */
	const char *store;
	struct kb_made_options made;		/* of the score */
};

#define KB_RUN_OPTIONS_INIT { .suite = "kernelbench", .store = KB_STORE_DEFAULT }

/*
 * `more` are options for kb-baseline and kb-eval, both, and end with NULL.
 * Returns 0; the exit status of the stage that ended otherwise; or fails.
 */
int kb_run_all(const struct kb_run_options *o, const char *submission,
	       char *const more[], struct kb_err *err);

#endif
