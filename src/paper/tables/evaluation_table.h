#ifndef KB_TABLES_EVALUATION_TABLE_H
#define KB_TABLES_EVALUATION_TABLE_H

#include "cli/look.h"

struct kb_buf;
struct kb_evaluation;

/*
 * Every candidate of an evaluation, one row each: problem, sample, status,
 * errors, the times of candidate and reference in this session and the speedup
 * by these, or why there are none; then how many there are of each status. The
 * speedup is the session's own and no score, which kb-score makes from a
 * baseline; one that may be above 1 or not, by the intervals of both times at
 * 95 %, is marked "~". If a result has a device time, there are columns for it
 * beside the call times, which a narrow terminal leaves out.
 */
void kb_evaluation_table_print(struct kb_buf *out,
			       const struct kb_evaluation *e,
			       struct kb_look look);

#endif
