#ifndef KB_RUNS_FIND_BASELINE_H
#define KB_RUNS_FIND_BASELINE_H

#include "store/digest.h"

struct kb_err;
struct kb_evaluation;

/*
 * A baseline in `store` by which this evaluation may be divided: of its suite,
 * eager, with all of its problems, and under conditions that agree
 * (device/division.h). Of several one whose GPU's board is not known to be
 * another is better; and of these the one whose id is lowest, so that it is
 * always the same. What is no baseline, or cannot be read, is passed over.
 *
 * Returns 1, or 0 if there is none; fails with KB_ERR_SYS.
 */
int kb_find_baseline(struct kb_digest *out, const char *store,
		     const struct kb_evaluation *e, struct kb_err *err);

#endif
