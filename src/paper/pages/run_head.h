#ifndef KB_PAGES_RUN_HEAD_H
#define KB_PAGES_RUN_HEAD_H

struct kb_buf;
struct kb_view;

/* The top of the page of a score, an evaluation or a baseline: its title, its
 * warnings, the verdict in a sentence, the three numbers, and when, where, for
 * how long and by which command it was measured. */
void kb_run_head_print(struct kb_buf *out, const struct kb_view *v);

#endif
