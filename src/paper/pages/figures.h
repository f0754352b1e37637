#ifndef KB_PAGES_FIGURES_H
#define KB_PAGES_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "pages/roofline.h"
#include "pages/view.h"

struct kb_buf;
struct kb_err;

/* The charts of views, by the names that kb-report(1) has. */
enum kb_figure {
	KB_FIGURE_FAST_P,
	KB_FIGURE_SPEEDUPS,
	KB_FIGURE_OUTCOMES,
	KB_FIGURE_SPREAD,
	KB_FIGURE_ROOFLINE,
	KB_FIGURE_COUNT,		/* not a figure */
};

const char *kb_figure_name(enum kb_figure figure);

/* Fails with KB_ERR_USAGE; the message lists the names there are. */
int kb_figure_parse(enum kb_figure *out, const char *name,
		    struct kb_err *err);

/* It shows several views in one; else it is of the first. */
bool kb_figure_takes_many(enum kb_figure figure);

/* Where a figure stands. */
enum kb_place {
	KB_PLACE_FILE,			/* a file of its own */
	KB_PLACE_PAGE,			/* in a page */
	KB_PLACE_SITE,			/* in one with pages of problems
					   beside it, which are linked to */
};

/* Append it; false, and nothing, where there is nothing to be drawn. */
bool kb_figure_draw(struct kb_buf *out, enum kb_figure figure,
		    const struct kb_view views[], size_t count,
		    enum kb_place place);

/* The roof of its roofline: at the highest SM clock that was sampled while any of
 * its candidates was timed. */
struct kb_roof kb_view_roof(const struct kb_view *v);

/* The file of a problem's page beside that of a view: "3f2a...-1-19.html". */
#define KB_PROBLEM_FILE_SIZE 48
void kb_problem_page_file(char out[KB_PROBLEM_FILE_SIZE],
			  const struct kb_view *v, const struct kb_key *key);

#endif
