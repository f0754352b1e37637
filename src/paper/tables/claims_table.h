#ifndef KB_TABLES_CLAIMS_TABLE_H
#define KB_TABLES_CLAIMS_TABLE_H

#include <stdint.h>

#include "cli/look.h"
#include "sheet/format.h"

struct kb_buf;
struct kb_report;
struct kb_report_level;

/* By what its fast_p are divided: KernelBench divides by the problems with a
 * baseline time, and v3 by all of them. */
int64_t kb_claims_fast_of(const struct kb_report *r,
			  const struct kb_report_level *l);

/* The geometric mean of the speedups, "-" of a level without one. */
void kb_claims_geomean_format(char out[KB_FORMAT_SIZE],
			      const struct kb_report_level *l);

/* Print the columns that a dataset left out, a line each, or nothing. */
void kb_claims_left_out_print(struct kb_buf *out, const struct kb_report *r);

/* Append a report as a table, headed by what it is worth: a row a level, rates
 * in percent as KernelBench has them, and what was left out. */
void kb_claims_table_print(struct kb_buf *out, const struct kb_report *r,
			   struct kb_look look);

#endif
