#ifndef KB_PAGES_PAGE_GENERATION_H
#define KB_PAGES_PAGE_GENERATION_H

struct kb_buf;
struct kb_view;

/* The page of a generation: the model and its requests, the answers, the costs,
 * and the progress turn by turn. `home` is the file of the leaderboard, or
 * NULL. */
void kb_generation_page_print(struct kb_buf *out, const struct kb_view *v,
			      const char *home);

#endif
