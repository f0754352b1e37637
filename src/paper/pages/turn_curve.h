#ifndef KB_PAGES_TURN_CURVE_H
#define KB_PAGES_TURN_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pages/svg.h"

/* The share of samples that had come so far by then. */
struct kb_turn_point {
	double at;			/* a turn, or tokens above 0 */
	int64_t correct, fast_1;
};

struct kb_turn_curve {
	const char *head;		/* of the axis */
	bool is_log;
	const struct kb_turn_point *points;	/* borrowed; `at` increases */
	size_t count;			/* 1 or more */
	int64_t samples;
};

/* Steps that rise, one curve of those that are correct and one of those that
 * are faster than what they are compared with. */
void kb_turn_curve_draw(struct kb_buf *out, const struct kb_chart *chart,
			const struct kb_turn_curve *c);

#endif
