#ifndef KB_PAGES_RUN_TABLES_H
#define KB_PAGES_RUN_TABLES_H

#include <stdbool.h>

struct kb_buf;
struct kb_score;
struct kb_view;

/* Counts, rates and means of a score by level, with what is certain and what
 * is possible. */
void kb_metrics_table_print(struct kb_buf *out, const struct kb_score *s);

/* How many problems ended in each status, of those that occur. */
void kb_status_table_print(struct kb_buf *out, const struct kb_view *v);

/* What the bounds in tables are, as sentences. */
void kb_about_bounds_print(struct kb_buf *out);

/* A line for each row of the view; keys are links if problems have pages. */
void kb_rows_table_print(struct kb_buf *out, const struct kb_view *v,
			 bool has_problems);

/* The rows that there are remarks on, those with most first; and those that
 * are slowest beside the baseline. Nothing of an empty one. */
void kb_remarks_table_print(struct kb_buf *out, const struct kb_view *v,
			    bool has_problems);
void kb_slowest_table_print(struct kb_buf *out, const struct kb_view *v,
			    bool has_problems);

#define KB_LISTED_MAX 10	/* rows of either */

#endif
