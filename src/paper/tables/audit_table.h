#ifndef KB_TABLES_AUDIT_TABLE_H
#define KB_TABLES_AUDIT_TABLE_H

#include "cli/look.h"

struct kb_audit;
struct kb_buf;
struct kb_suite;

/*
 * Every problem of an audit, one row each: problem, name, whether it is
 * sound, and its findings, or why it was not audited; then how many there
 * are of each. Names come from `suite`, the audit's own.
 */
void kb_audit_table_print(struct kb_buf *out, const struct kb_audit *a,
			  const struct kb_suite *suite, struct kb_look look);

/* The numbers behind the findings, and what could not be found out: a line
 * for each. */
void kb_audit_table_print_evidence(struct kb_buf *out,
				   const struct kb_audit *a);

#endif
