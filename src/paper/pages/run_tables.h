#ifndef KB_PAGES_RUN_TABLES_H
#define KB_PAGES_RUN_TABLES_H

#include <stdbool.h>

struct kb_buf;
struct kb_score;
struct kb_view;

/* Counts, rates and means of a score by level, with what is certain and what
 * is possible. */
void kb_metrics_table_print(struct kb_buf *out, const struct kb_score *s);

/* Print what a bound is, in sentences. */
void kb_about_bounds_print(struct kb_buf *out);

/* A line for each row of the view: how it ended and, where it failed, why; its
 * time and speedup. Keys are links if problems have pages. */
void kb_rows_table_print(struct kb_buf *out, const struct kb_view *v,
			 bool has_problems);

/* Intervals of times, errors, noise and bounds of the same rows. */
void kb_more_rows_table_print(struct kb_buf *out, const struct kb_view *v);

/* The rows that there are remarks on, the rows with most of them first; or a
 * sentence, if there are none. */
void kb_remarks_table_print(struct kb_buf *out, const struct kb_view *v,
			    bool has_problems);

#define KB_LISTED_MAX 10	/* rows of it */

#endif
