#ifndef KB_TABLES_REMEASURE_TABLE_H
#define KB_TABLES_REMEASURE_TABLE_H

#include "cli/look.h"

struct kb_buf;
struct kb_remeasured;
struct kb_remeasurement;

/* All append to `out`. */

/* One candidate, as a line without its end: "1/19 sample 0: slower, 1.210x
 * as long as claimed (1.180x to 1.243x)". */
void kb_remeasured_print(struct kb_buf *out, const struct kb_remeasured *r);

/*
 * A row a candidate: the answer, both times, how much longer candidate and
 * reference took than in the record, and `change`, the one divided by the
 * other, from `low` to `high`. Before it the fields in which the stacks
 * differ, if they do; after it what else differs, and how many of the GPUs
 * are the same, where that is known. Nothing if nothing was compared.
 */
void kb_remeasure_table_print(struct kb_buf *out,
			      const struct kb_remeasurement *m,
			      struct kb_look look);

/* The answer in one line, without its end, that begins with "ok", "no" or
 * "not checked". */
void kb_remeasure_summary_print(struct kb_buf *out,
				const struct kb_remeasurement *m);

#endif
