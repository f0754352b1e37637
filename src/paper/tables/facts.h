#ifndef KB_TABLES_FACTS_H
#define KB_TABLES_FACTS_H

struct kb_buf;

/*
 * A line for people with a name and what it says, "device      cpu, Intel":
 * texts begin in one column. Bytes of records are cleaned by
 * kb_format_text() on their way in.
 */
#define KB_FACT_NAME_WIDTH 12

void kb_fact_print(struct kb_buf *out, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
