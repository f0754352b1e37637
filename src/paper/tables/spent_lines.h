#ifndef KB_TABLES_SPENT_LINES_H
#define KB_TABLES_SPENT_LINES_H

struct kb_buf;
struct kb_metrics;
struct kb_spent;

/* Print the line of tokens and requests of a submission's answers and, if there
 * were prices, the line of costs: in all, and for each problem, correct kernel
 * and point of fast_1 of `m`. Names are padded to `width`. */
void kb_spent_lines_print(struct kb_buf *out, int width,
			  const struct kb_spent *s,
			  const struct kb_metrics *m);

#endif
