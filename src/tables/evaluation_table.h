#ifndef KB_TABLES_EVALUATION_TABLE_H
#define KB_TABLES_EVALUATION_TABLE_H

struct kb_buf;
struct kb_evaluation;

/*
 * Every candidate of an evaluation, one row each: problem, sample, status,
 * the times of candidate and reference in this session, the speedup by these,
 * and why it failed; then how many there are of each status. The speedup is
 * the session's own and no score, which kb-score makes from a baseline. If a
 * result has a device time, there are columns for it beside the call times.
 */
void kb_evaluation_table_print(struct kb_buf *out,
			       const struct kb_evaluation *e);

#endif
