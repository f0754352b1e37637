#ifndef KB_RANDOM_DRAW_H
#define KB_RANDOM_DRAW_H

#include "base/dtype.h"

struct kb_err;

/*
 * From what a tensor's elements are drawn. The numbers of the kinds are
 * those of the native runtime's kb_native_draw.
 */
enum kb_draw_kind {
	KB_DRAW_ZEROS = 0,	/* low and high do not matter */
	KB_DRAW_UNIFORM,	/* floats: [low, high) */
	KB_DRAW_NORMAL,		/* floats: mean low, standard deviation high */
	KB_DRAW_INTEGERS,	/* integers, bool: low <= x < high */
	KB_DRAW_KIND_COUNT,	/* not a kind */
};

struct kb_draw {
	enum kb_draw_kind kind;
	double low, high;
};

/*
 * Can elements of this type be drawn like that? Fails with KB_ERR_INPUT:
 * the kind does not fit the type (floats of 8 bits can only be zeros: others
 * are rounded from wider ones by whoever wants them), a bound is not finite,
 * not an integer where one is needed or beyond what the type holds (a normal
 * number may lie 9 standard deviations out), or nothing is between the
 * bounds.
 */
int kb_draw_check(const struct kb_draw *draw, enum kb_dtype dtype,
		  struct kb_err *err);

/*
 * The least and the greatest value of a float type, not of 8 bits, in
 * [low, high), both exact as doubles. There is none if `min` > `max`. The
 * bounds are finite.
 */
struct kb_draw_range {
	double min, max;
};

struct kb_draw_range kb_draw_range(double low, double high,
				   enum kb_dtype dtype);

#endif
