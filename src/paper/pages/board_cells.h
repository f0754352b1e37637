#ifndef KB_PAGES_BOARD_CELLS_H
#define KB_PAGES_BOARD_CELLS_H

#include <stdbool.h>

struct kb_buf;
struct kb_view;

/* The file of a view's page beside a leaderboard: "3f2a1b....html". */
#define KB_VIEW_FILE_SIZE 24
void kb_view_page_file(char out[KB_VIEW_FILE_SIZE], const struct kb_view *v);

/* Cells of a view in a leaderboard's tables: its name, which is a link if it
 * has a page, the brief verdict of kb-verify, and its id. */
void kb_board_title_cell(struct kb_buf *out, const struct kb_view *v,
			 bool has_views);
void kb_board_verdict_cell(struct kb_buf *out, const struct kb_view *v);
void kb_board_id_cell(struct kb_buf *out, const struct kb_view *v);

#endif
