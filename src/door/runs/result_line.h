#ifndef KB_RUNS_RESULT_LINE_H
#define KB_RUNS_RESULT_LINE_H

struct kb_buf;
struct kb_reference_result;
struct kb_result;

/* A candidate's result, for people: what happened, and how its time compares to
 * the baseline's for its problem; NULL: to that of its reference. Without a
 * line feed. */
void kb_result_line_print(struct kb_buf *out,
			  const struct kb_reference_result *baseline,
			  const struct kb_result *r);

#endif
