#ifndef KB_PAGES_PAGE_GENERATION_H
#define KB_PAGES_PAGE_GENERATION_H

struct kb_buf;
struct kb_view;

/* The page of a generation: what was asked of which model, what came of it,
 * what it took, and how attempts became better turn by turn. `home` is the file
 * of the leaderboard, or NULL. */
void kb_generation_page_print(struct kb_buf *out, const struct kb_view *v,
			      const char *home);

#endif
