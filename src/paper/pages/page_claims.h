#ifndef KB_PAGES_PAGE_CLAIMS_H
#define KB_PAGES_PAGE_CLAIMS_H

#include <stdbool.h>

struct kb_board;
struct kb_buf;
struct kb_view;

/*
 * Reports are results that kb did not measure. Pages print that next to every
 * number, and rank no report.
 */

/* The page of one; `home` is the file of the leaderboard, or NULL. */
void kb_claims_page_print(struct kb_buf *out, const struct kb_view *v,
			  const char *home);

/* The reports on a leaderboard, in a section of their own; nothing if there are
 * none. Each is a link to its page if there is one. */
void kb_board_claims_print(struct kb_buf *out, const struct kb_board *b,
			   bool has_views);

#endif
