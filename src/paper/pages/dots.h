#ifndef KB_PAGES_DOTS_H
#define KB_PAGES_DOTS_H

#include <stdint.h>

#include "pages/svg.h"

/* One candidate in a chart. Ratios are in millionths and above 0. */
struct kb_dot {
	const char *name;		/* "1/19", borrowed; the tooltip */
	const char *label;		/* "19_ReLU", borrowed, or NULL */
	const char *link;		/* or NULL */
	int level;
	int64_t micro;
	int64_t low_micro, high_micro;	/* 0 and INT64_MAX: not known */
};

/* Draw a row for each speedup on a logarithmic axis, the largest first, with its
 * interval and, if there are few, its name. A mark whose interval is not known on
 * both sides is hollow. Levels differ in colour and shape. */
void kb_speedups_draw(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_dot dots[], size_t count);

/* The height of the chart of so many. */
int kb_speedups_height(size_t count);

/* Ratios that should be 1, one strip for each: what spread there is. */
struct kb_strip {
	const char *name;
	const struct kb_dot *dots;	/* without intervals */
	size_t count;
	int64_t median_micro;		/* or KB_UNKNOWN */
};

void kb_strips_draw(struct kb_buf *out, const struct kb_chart *chart,
		    const struct kb_strip strips[], size_t count);

/* The series of a level, from 1 on. */
size_t kb_level_series(int level);

/* "level 1" beside its mark and so on, of the levels that dots have. */
struct kb_levels_seen {
	bool has[100];
};

void kb_levels_legend_draw(struct kb_buf *out, const struct kb_levels_seen *l,
			   double x, double y);

#endif
