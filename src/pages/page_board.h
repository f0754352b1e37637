#ifndef KB_PAGES_PAGE_BOARD_H
#define KB_PAGES_PAGE_BOARD_H

#include <stdbool.h>

struct kb_board;
struct kb_buf;
struct kb_view;

/* The leaderboard's page. Rows link to pages of their views, which are called
 * by kb_view_page_file(), if there are any. */
void kb_board_page_print(struct kb_buf *out, const struct kb_board *b,
			 bool has_views);

/* "3f2a1b....html" */
#define KB_VIEW_FILE_SIZE 24
void kb_view_page_file(char out[KB_VIEW_FILE_SIZE], const struct kb_view *v);

#endif
