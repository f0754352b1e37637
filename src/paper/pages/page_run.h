#ifndef KB_PAGES_PAGE_RUN_H
#define KB_PAGES_PAGE_RUN_H

#include <stdbool.h>

struct kb_buf;
struct kb_view;

/* The page of one score, evaluation or baseline. */
struct kb_run_page {
	const struct kb_view *view;	/* borrowed */
	const char *home;		/* file of the leaderboard, or NULL */
	bool has_problems;		/* pages of problems lie beside it */
};

void kb_run_page_print(struct kb_buf *out, const struct kb_run_page *p);

#endif
