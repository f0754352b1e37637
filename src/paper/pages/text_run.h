#ifndef KB_PAGES_TEXT_RUN_H
#define KB_PAGES_TEXT_RUN_H

#include "cli/look.h"

struct kb_board;
struct kb_buf;
struct kb_view;

/* A view as plain characters, for a terminal: what it was and what holds, the
 * table of its score, fast_p over p, and speedups with their intervals on a
 * logarithmic axis. At most 80 columns but for names and the score's table. */
void kb_view_text_print(struct kb_buf *out, const struct kb_view *v,
			struct kb_look look);

/* A leaderboard as a table for each ranking. */
void kb_board_text_print(struct kb_buf *out, const struct kb_board *b,
			 struct kb_look look);

#endif
