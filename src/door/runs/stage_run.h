#ifndef KB_RUNS_STAGE_RUN_H
#define KB_RUNS_STAGE_RUN_H

#include "store/digest.h"

struct kb_err;

/*
 * Run one of the programs beside this one, `argv[0]` such as "kb-eval" and the
 * rest as it is typed, and take what it made: the id in the last line of what
 * it prints. The lines before are handed on to standard output, its messages
 * go where ours go. Without `id` it prints to our standard output itself.
 *
 * Returns 0; the program's exit status if that is another, after it has said
 * why itself; or fails with KB_ERR_SYS, KB_ERR_CORRUPT if its last line is no
 * id or a signal ended it.
 */
int kb_stage_run(const char *const argv[], struct kb_digest *id,
		 struct kb_err *err);

#endif
