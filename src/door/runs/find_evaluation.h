#ifndef KB_RUNS_FIND_EVALUATION_H
#define KB_RUNS_FIND_EVALUATION_H

#include "store/digest.h"

struct kb_err;

/*
 * An evaluation of this submission on this suite that lies in `store`: the
 * first by id. Returns 1, or 0 if there is none. Fails with KB_ERR_SYS.
 */
int kb_find_evaluation(struct kb_digest *out, const char *store,
		       const struct kb_digest *suite,
		       const struct kb_digest *submission, struct kb_err *err);

#endif
