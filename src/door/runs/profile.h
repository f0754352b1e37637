#ifndef KB_RUNS_PROFILE_H
#define KB_RUNS_PROFILE_H

#include "session/options.h"

struct kb_err;
struct kb_option;

/*
 * kb-eval --profile: run the correct candidates of the evaluation `name` again,
 * verified and untimed, read meanwhile what the GPU counts, print a table of it
 * and write the profile beside the evaluation.
 *
 * `asked` is what the table `options` of kb-eval was parsed into: what a profile
 * takes from the evaluation's record may not be asked for. Fails with
 * KB_ERR_USAGE then, with KB_ERR_INPUT if the evaluation has no such candidate or
 * is not of a GPU, as kb_gpm_open() and kb_recorded_open_session(), and as
 * candidates' benches do.
 */
int kb_profile_run(const char *name, const struct kb_session_options *asked,
		   const struct kb_option options[], struct kb_err *err);

#endif
