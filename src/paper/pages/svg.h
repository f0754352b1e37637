#ifndef KB_PAGES_SVG_H
#define KB_PAGES_SVG_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;

/*
 * The primitives of this room's charts: SVG, from values to points of 1/96
 * inch. One input gives one sequence of bytes. For screen readers a chart is a
 * picture with a title and a description. A table has the same numbers.
 */
struct kb_chart {
	const char *id;		/* of the element, unique in a page */
	const char *title;
	const char *description;
	const char *axis;	/* the head of the axis, or NULL: the usual */
	int width, height;
	bool is_alone;		/* a file of its own: it has its style in it */
	const char *below;	/* lines of text below it, each ended by a line
				   feed; or NULL */
	bool has_links;		/* to be followed: it is a group, no picture */
};

void kb_chart_begin(struct kb_buf *out, const struct kb_chart *c);
void kb_chart_end(struct kb_buf *out);

/* Where values are: `low` at `from` and `high` at `to`. A value outside is
 * drawn at the nearest end. The low end of a logarithmic scale is above 0. */
struct kb_scale {
	double low, high;
	double from, to;
	bool is_log;
};

double kb_scale_at(const struct kb_scale *s, double value);

/* From the power of `base` below the smallest to that above the largest of
 * `low` and `high`, both above 0; at least one power wide. */
void kb_scale_round(struct kb_scale *s, double low, double high, double base);

/* The rest of the frame that an axis lies in. */
struct kb_frame {
	double left, top, right, bottom;
};

/*
 * Axes with their lines across the frame. Ticks are every `step` of a linear
 * scale, and each power of `step` of a logarithmic one. `unit` stands behind
 * each number, "x" or "%".
 */
struct kb_axis {
	const struct kb_scale *scale;
	const char *head;
	double step;
	const char *unit;
};

void kb_axis_draw_x(struct kb_buf *out, const struct kb_frame *f,
		    const struct kb_axis *a);
void kb_axis_draw_y(struct kb_buf *out, const struct kb_frame *f,
		    const struct kb_axis *a);

/* Series are told apart by shape as well as colour: a circle, a square, a
 * triangle, a diamond, and again. */
#define KB_SERIES_COLOURS 6
void kb_mark_draw(struct kb_buf *out, size_t series, double x, double y,
		  double size);

/* "0.125", "1", "16k": a number for an axis. */
#define KB_TICK_SIZE 32
void kb_tick_format(char out[KB_TICK_SIZE], double value, const char *unit);

#endif
