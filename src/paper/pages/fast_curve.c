#include "pages/fast_curve.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/html.h"

/* At p = 0 every correct candidate counts, however slow. */
static bool exceeds_p(int64_t micro, int p_milli)
{
	return p_milli ? micro > INT64_C(1000) * p_milli : true;
}

struct kb_fast kb_curve_at(const struct kb_curve *c, int p_milli)
{
	struct kb_fast f = { 0, 0, 0 };

	for (size_t i = 0; i < c->count; i++) {
		const struct kb_reach *r = &c->items[i];

		f.fast += exceeds_p(r->speedup_micro, p_milli);
		f.certain += exceeds_p(r->low_micro, p_milli);
		f.possible += exceeds_p(r->high_micro, p_milli);
	}
	return f;
}

/* --- steps ------------------------------------------------------------ */

struct plot {
	struct kb_frame frame;
	struct kb_scale x, y;
};

static struct plot plot_of(const struct kb_chart *c, double legend)
{
	struct plot p = { .frame = { 52, 28, c->width - 16.0,
				     c->height - 46.0 - legend } };

	p.x = (struct kb_scale){ 0, KB_CURVE_P_MAX, p.frame.left,
				 p.frame.right, false };
	p.y = (struct kb_scale){ 0, 100, p.frame.bottom, p.frame.top, false };
	return p;
}

static int compare_int64(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The three numbers of a reach. */
enum bound { SPEEDUP, LOW, HIGH };

/* Ascending; the caller frees. */
static int64_t *sort_bounds(const struct kb_curve *c, enum bound bound)
{
	int64_t *v = kb_xcalloc(c->count + 1, sizeof(*v));

	for (size_t i = 0; i < c->count; i++) {
		const struct kb_reach *r = &c->items[i];

		v[i] = bound == LOW ? r->low_micro :
		       bound == HIGH ? r->high_micro : r->speedup_micro;
	}
	qsort(v, c->count, sizeof(*v), compare_int64);
	return v;
}

static double share_at(const struct plot *p, const struct kb_curve *c,
		       size_t left)
{
	return kb_scale_at(&p->y, c->problems ?
			   100.0 * (double)left / (double)c->problems : 0);
}

static double at_micro(const struct plot *p, int64_t micro)
{
	return kb_scale_at(&p->x, (double)micro / 1e6);
}

/* From left to right; each candidate is a step down where it is passed. */
static void add_steps(struct kb_buf *out, const struct plot *p,
		      const struct kb_curve *c, enum bound bound)
{
	kb_auto(mem) int64_t *v = sort_bounds(c, bound);

	kb_html_addf(out, "M%.1f %.1f", p->x.from, share_at(p, c, c->count));
	for (size_t i = 0; i < c->count &&
	     v[i] < KB_CURVE_P_MAX * INT64_C(1000000); i++)
		kb_html_addf(out, "H%.1fV%.1f", at_micro(p, v[i]),
			     share_at(p, c, c->count - i - 1));
	kb_html_addf(out, "H%.1f", p->x.to);
}

/* The same from right to left. */
static void add_steps_back(struct kb_buf *out, const struct plot *p,
			   const struct kb_curve *c, enum bound bound)
{
	kb_auto(mem) int64_t *v = sort_bounds(c, bound);
	size_t i = c->count;

	while (i > 0 && v[i - 1] >= KB_CURVE_P_MAX * INT64_C(1000000))
		i--;
	kb_html_addf(out, "V%.1f", share_at(p, c, c->count - i));
	for (; i > 0; i--)
		kb_html_addf(out, "H%.1fV%.1f", at_micro(p, v[i - 1]),
			     share_at(p, c, c->count - i + 1));
	kb_html_addf(out, "H%.1fZ", p->x.from);
}

static void draw_band(struct kb_buf *out, const struct plot *p,
		      const struct kb_curve *c, size_t series)
{
	kb_html_addf(out, "<path class=\"band p%d\" d=\"",
		     (int)(series % KB_SERIES_COLOURS));
	add_steps(out, p, c, HIGH);
	add_steps_back(out, p, c, LOW);
	kb_buf_addstr(out, "\"/>\n");
}

/* More series than colours are told apart by dashes. */
static void draw_curve(struct kb_buf *out, const struct plot *p,
		       const struct kb_curve *c, size_t series)
{
	kb_html_addf(out, "<path class=\"curve k%d\"",
		     (int)(series % KB_SERIES_COLOURS));
	if (series >= KB_SERIES_COLOURS)
		kb_html_addf(out, " stroke-dasharray=\"%d 3\"",
			     2 + 3 * (int)(series / KB_SERIES_COLOURS));
	kb_buf_addstr(out, " d=\"");
	add_steps(out, p, c, SPEEDUP);
	kb_html_addf(out, "\"><title>%s</title></path>\n", c->name);
}

#define LEGEND_LINE 18

static void draw_legend(struct kb_buf *out, const struct plot *p,
			const struct kb_curve curves[], size_t count)
{
	double y = p->frame.bottom + 56;

	for (size_t i = 0; i < count; i++, y += LEGEND_LINE) {
		kb_html_addf(out, "<path class=\"curve k%d\"",
			     (int)(i % KB_SERIES_COLOURS));
		if (i >= KB_SERIES_COLOURS)
			kb_html_addf(out, " stroke-dasharray=\"%d 3\"",
				     2 + 3 * (int)(i / KB_SERIES_COLOURS));
		kb_html_addf(out, " d=\"M%.1f %.1fH%.1f\"/>"
			     "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n",
			     p->frame.left, y - 4, p->frame.left + 28,
			     p->frame.left + 36, y, curves[i].name);
	}
}

void kb_fast_curve_draw(struct kb_buf *out, const struct kb_chart *chart,
			const struct kb_curve curves[], size_t count)
{
	const double legend = count > 1 ? LEGEND_LINE * (double)count + 8 : 0;
	const struct plot p = plot_of(chart, legend);

	kb_chart_begin(out, chart);
	kb_axis_draw_x(out, &p.frame, &(struct kb_axis){
		&p.x, "p: faster than p times the baseline", 0.5, "" });
	kb_axis_draw_y(out, &p.frame, &(struct kb_axis){
		&p.y, "problems", 25, "%" });
	for (size_t i = 0; i < count && count <= KB_CURVE_BANDS; i++)
		draw_band(out, &p, &curves[i], i);
	kb_html_addf(out, "<path class=\"one\" d=\"M%.1f %.1fV%.1f\"/>\n",
		     kb_scale_at(&p.x, 1), p.frame.top, p.frame.bottom);
	for (size_t i = 0; i < count; i++)
		draw_curve(out, &p, &curves[i], i);
	if (count > 1)
		draw_legend(out, &p, curves, count);
	kb_chart_end(out);
}
