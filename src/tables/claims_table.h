#ifndef KB_TABLES_CLAIMS_TABLE_H
#define KB_TABLES_CLAIMS_TABLE_H

struct kb_buf;
struct kb_report;

/* Append a report as a table, headed by what it is worth: a row a level, rates
 * in percent as KernelBench has them, and what was left out. */
void kb_claims_table_print(struct kb_buf *out, const struct kb_report *r);

#endif
