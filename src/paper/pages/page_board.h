#ifndef KB_PAGES_PAGE_BOARD_H
#define KB_PAGES_PAGE_BOARD_H

#include <stdbool.h>

struct kb_board;
struct kb_buf;
struct kb_view;

/* The leaderboard's page. Rows link to pages of their views, which are called
 * by kb_view_page_file() of board_cells.h, if there are any. */
void kb_board_page_print(struct kb_buf *out, const struct kb_board *b,
			 bool has_views);

#endif
