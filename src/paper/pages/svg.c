#include "pages/svg.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/assets.h"
#include "pages/html.h"

static void add_style(struct kb_buf *out)
{
	const struct kb_asset style = kb_asset_chart_style();

	kb_buf_addstr(out, "<style>");
	kb_buf_add(out, style.data, style.len);
	kb_buf_addstr(out, "</style>\n");
}

#define LINE_HEIGHT 16

static int count_lines(const char *text)
{
	int count = 0;

	for (; text && *text; text++)
		count += *text == '\n';
	return count;
}

static void add_below(struct kb_buf *out, const struct kb_chart *c)
{
	int y = c->height;

	for (const char *p = c->below; p && *p; p = strchr(p, '\n') + 1) {
		kb_auto(mem) char *line = kb_xstrndup(p, strcspn(p, "\n"));

		y += LINE_HEIGHT;
		kb_html_addf(out, "<text class=\"head\" x=\"4\" y=\"%d\">%s"
			     "</text>\n", y - 4, line);
	}
}

/* Screen readers say title and description in place of the picture. As an
 * "img" it would hide the links within from them, so that with links it is a
 * "group". */
void kb_chart_begin(struct kb_buf *out, const struct kb_chart *c)
{
	const int height = c->height + LINE_HEIGHT * count_lines(c->below);

	kb_html_addf(out, "<svg class=\"chart\" id=\"%s\" role=\"%s\" "
		     "aria-labelledby=\"%s-t %s-d\" width=\"%d\" height=\"%d\" "
		     "viewBox=\"0 0 %d %d\"", c->id, c->has_links ?
		     "group" : "img", c->id, c->id, c->width, height,
		     c->width, height);
	/* Within HTML the namespace goes without saying. A file of its own is
	 * XML, which is SVG only by it. */
	kb_buf_addstr(out, c->is_alone ?
		      " xmlns=\"http://www.w3.org/2000/svg\">\n" : ">\n");
	kb_html_addf(out, "<title id=\"%s-t\">%s</title>\n"
		     "<desc id=\"%s-d\">%s</desc>\n", c->id, c->title, c->id,
		     c->description);
	if (c->is_alone)
		add_style(out);
	add_below(out, c);
}

void kb_chart_end(struct kb_buf *out)
{
	kb_buf_addstr(out, "</svg>\n");
}

double kb_scale_at(const struct kb_scale *s, double value)
{
	double share;

	if (value < s->low)
		value = s->low;
	if (value > s->high)
		value = s->high;
	share = s->is_log ? log2(value / s->low) / log2(s->high / s->low)
			  : (value - s->low) / (s->high - s->low);
	return s->from + share * (s->to - s->from);
}

/* By multiplication from 1, so that the ends are powers of the base exactly and
 * no logarithm's rounding moves a tick. */
void kb_scale_round(struct kb_scale *s, double low, double high, double base)
{
	s->is_log = true;
	s->low = s->high = 1;
	while (s->low > low)
		s->low /= base;
	while (s->low * base <= low)
		s->low *= base;
	s->high = s->low * base;
	while (s->high < high)
		s->high *= base;
}

void kb_tick_format(char out[KB_TICK_SIZE], double value, const char *unit)
{
	static const char *const large[] = { "", "k", "M", "G", "T", "P" };
	size_t i = 0;

	while (value >= 1000 && i + 1 < KB_ARRAY_LEN(large)) {
		value /= 1000;
		i++;
	}
	snprintf(out, KB_TICK_SIZE, "%.3g%s%s", value, large[i], unit);
}

/* The tick after `value`, and where the first is. */
static double next_tick(const struct kb_axis *a, double value)
{
	return a->scale->is_log ? value * a->step : value + a->step;
}

/* Sums of steps are not quite their multiples. */
static bool is_within(const struct kb_axis *a, double value)
{
	return value <= a->scale->high * (1 + 1e-9);
}

void kb_axis_draw_x(struct kb_buf *out, const struct kb_frame *f,
		    const struct kb_axis *a)
{
	char text[KB_TICK_SIZE];

	for (double v = a->scale->low; is_within(a, v); v = next_tick(a, v)) {
		const double x = kb_scale_at(a->scale, v);

		kb_tick_format(text, v, a->unit);
		kb_html_addf(out, "<path class=\"grid\" d=\"M%.1f %.1fV%.1f\"/>"
			     "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			     x, f->top, f->bottom, x, f->bottom + 16, text);
	}
	kb_html_addf(out, "<path class=\"axis\" d=\"M%.1f %.1fH%.1f\"/>"
		     "<text class=\"head m\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		     f->left, f->bottom, f->right, (f->left + f->right) / 2,
		     f->bottom + 34, a->head);
}

void kb_axis_draw_y(struct kb_buf *out, const struct kb_frame *f,
		    const struct kb_axis *a)
{
	char text[KB_TICK_SIZE];

	for (double v = a->scale->low; is_within(a, v); v = next_tick(a, v)) {
		const double y = kb_scale_at(a->scale, v);

		kb_tick_format(text, v, a->unit);
		kb_html_addf(out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>"
			     "<text class=\"e\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			     f->left, y, f->right, f->left - 6, y + 4, text);
	}
	kb_html_addf(out, "<text class=\"head\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		     4.0, f->top - 10, a->head);
}

/* A series is told by its shape as well as by its colour, for who sees no
 * colours and for print. */
void kb_mark_draw(struct kb_buf *out, size_t series, double x, double y,
		  double size)
{
	const int colour = (int)(series % KB_SERIES_COLOURS);
	const double r = size / 2;

	switch (series % 4) {
	case 0:
		kb_html_addf(out, "<circle class=\"p%d\" cx=\"%.1f\" "
			     "cy=\"%.1f\" r=\"%.1f\"/>", colour, x, y, r);
		break;
	case 1:
		kb_html_addf(out, "<rect class=\"p%d\" x=\"%.1f\" y=\"%.1f\" "
			     "width=\"%.1f\" height=\"%.1f\"/>", colour, x - r,
			     y - r, size, size);
		break;
	case 2:
		kb_html_addf(out, "<path class=\"p%d\" d=\"M%.1f %.1fL%.1f "
			     "%.1fH%.1fZ\"/>", colour, x, y - r, x + r, y + r,
			     x - r);
		break;
	default:
		kb_html_addf(out, "<path class=\"p%d\" d=\"M%.1f %.1fL%.1f "
			     "%.1fL%.1f %.1fL%.1f %.1fZ\"/>", colour, x,
			     y - r - 1, x + r + 1, y, x, y + r + 1, x - r - 1,
			     y);
	}
}
