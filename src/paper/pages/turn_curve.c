#include "pages/turn_curve.h"

#include "base/buf.h"
#include "pages/html.h"

struct plot {
	struct kb_frame frame;
	struct kb_scale x, y;
};

#define LEGEND 44

static struct plot plot_of(const struct kb_chart *chart,
			   const struct kb_turn_curve *c)
{
	const double first = c->points[0].at, last = c->points[c->count - 1].at;
	struct plot p = { .frame = { 52, 28, chart->width - 16.0,
				     chart->height - 46.0 - LEGEND } };

	p.x = (struct kb_scale){ 0, last > first ? last : first + 1,
				 p.frame.left, p.frame.right, c->is_log };
	if (c->is_log)
		kb_scale_round(&p.x, first, last, 10);
	p.y = (struct kb_scale){ 0, 100, p.frame.bottom, p.frame.top, false };
	return p;
}

static double share_at(const struct plot *p, const struct kb_turn_curve *c,
		       int64_t count)
{
	return kb_scale_at(&p->y, c->samples ?
			   100.0 * (double)count / (double)c->samples : 0);
}

static void draw_steps(struct kb_buf *out, const struct plot *p,
		       const struct kb_turn_curve *c, bool is_fast)
{
	kb_html_addf(out, "<path class=\"curve k%d\" d=\"M%.1f %.1f",
		     is_fast, p->x.from, p->y.from);
	for (size_t i = 0; i < c->count; i++) {
		const struct kb_turn_point *at = &c->points[i];

		kb_html_addf(out, "H%.1fV%.1f", kb_scale_at(&p->x, at->at),
			     share_at(p, c, is_fast ? at->fast_1
						    : at->correct));
	}
	kb_html_addf(out, "H%.1f\"><title>%s</title></path>\n", p->x.to,
		     is_fast ? "faster" : "correct");
}

static void draw_legend(struct kb_buf *out, const struct plot *p)
{
	double y = p->frame.bottom + 56;

	for (int i = 0; i < 2; i++, y += LEGEND / 2 - 4)
		kb_html_addf(out, "<path class=\"curve k%d\" d=\"M%.1f %.1fh28\"/>"
			     "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", i,
			     p->frame.left, y - 4, p->frame.left + 36, y,
			     i ? "faster than what it is compared with" :
			     "correct");
}

void kb_turn_curve_draw(struct kb_buf *out, const struct kb_chart *chart,
			const struct kb_turn_curve *c)
{
	const struct plot p = plot_of(chart, c);

	kb_chart_begin(out, chart);
	kb_axis_draw_x(out, &p.frame, &(struct kb_axis){
		&p.x, c->head, c->is_log ? 10 : p.x.high > 20 ? 10 : 1, "" });
	kb_axis_draw_y(out, &p.frame, &(struct kb_axis){
		&p.y, "samples", 25, "%" });
	draw_steps(out, &p, c, false);
	draw_steps(out, &p, c, true);
	draw_legend(out, &p);
	kb_chart_end(out);
}
