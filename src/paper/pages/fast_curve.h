#ifndef KB_PAGES_FAST_CURVE_H
#define KB_PAGES_FAST_CURVE_H

#include <stdint.h>

#include "pages/svg.h"

/* A speedup and where it may lie, all in millionths. Nothing is known of one
 * whose `low` is 0 and whose `high` is INT64_MAX. */
struct kb_reach {
	int64_t speedup_micro;
	int64_t low_micro, high_micro;
};

/* The correct candidates of a score that have both times. */
struct kb_curve {
	const char *name;
	const struct kb_reach *items;	/* borrowed; in any order */
	size_t count;
	int64_t problems;		/* of which the share is */
};

/* How many of them are faster than p: by the times as they are, certainly,
 * and possibly. For p = 0 a time is enough. */
struct kb_fast {
	int64_t fast, certain, possible;
};

struct kb_fast kb_curve_at(const struct kb_curve *c, int p_milli);

/*
 * fast_p over p, from 0 to KB_CURVE_P_MAX: a step for each candidate. Up to
 * KB_CURVE_BANDS curves have the band between their certain and possible share.
 */
#define KB_CURVE_P_MAX 3
#define KB_CURVE_BANDS 3
void kb_fast_curve_draw(struct kb_buf *out, const struct kb_chart *chart,
			const struct kb_curve curves[], size_t count);

#endif
