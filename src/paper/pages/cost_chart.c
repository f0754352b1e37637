#include "pages/cost_chart.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/html.h"

/* Whether `a` is at least as good in both, and better in one. */
static bool is_ahead(const struct kb_cost_point *a,
		     const struct kb_cost_point *b)
{
	const int64_t left = a->fast_1 * b->problems;
	const int64_t right = b->fast_1 * a->problems;

	return left >= right && a->output_tokens <= b->output_tokens &&
	       (left > right || a->output_tokens < b->output_tokens);
}

bool kb_cost_is_best(const struct kb_cost_point points[], size_t count,
		     size_t i)
{
	for (size_t j = 0; j < count; j++)
		if (is_ahead(&points[j], &points[i]))
			return false;
	return true;
}

/* --- the chart --------------------------------------------------------- */

struct plot {
	struct kb_frame frame;
	struct kb_scale x, y;
};

static double share_of(const struct kb_cost_point *p)
{
	return p->problems ? 100.0 * (double)p->fast_1 / (double)p->problems
			   : 0;
}

static struct plot plot_of(const struct kb_chart *c,
			   const struct kb_cost_point points[], size_t count)
{
	struct plot p = { .frame = { 52, 28, c->width - 16.0,
				     c->height - 46.0 } };
	int64_t low = points[0].output_tokens, high = low;

	for (size_t i = 1; i < count; i++) {
		const int64_t tokens = points[i].output_tokens;

		low = tokens < low ? tokens : low;
		high = tokens > high ? tokens : high;
	}
	p.x = (struct kb_scale){ .from = p.frame.left, .to = p.frame.right,
				 .is_log = true };
	kb_scale_round(&p.x, (double)low, (double)high, 10);
	p.y = (struct kb_scale){ 0, 100, p.frame.bottom, p.frame.top, false };
	return p;
}

static int compare_costs(const void *a, const void *b)
{
	const struct kb_cost_point *x = a, *y = b;

	return (x->output_tokens > y->output_tokens) -
	       (x->output_tokens < y->output_tokens);
}

static void draw_frontier(struct kb_buf *out, const struct plot *p,
			  const struct kb_cost_point points[], size_t count)
{
	kb_auto(mem) struct kb_cost_point *best =
		kb_xcalloc(count, sizeof(*best));
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (kb_cost_is_best(points, count, i))
			best[n++] = points[i];
	qsort(best, n, sizeof(*best), compare_costs);
	kb_html_addf(out, "<path class=\"curve k0\" d=\"M%.1f %.1f",
		     kb_scale_at(&p->x, (double)best[0].output_tokens),
		     kb_scale_at(&p->y, share_of(&best[0])));
	for (size_t i = 1; i < n; i++)
		kb_html_addf(out, "H%.1fV%.1f",
			     kb_scale_at(&p->x, (double)best[i].output_tokens),
			     kb_scale_at(&p->y, share_of(&best[i])));
	kb_html_addf(out, "H%.1f\"/>\n", p->x.to);
}

static void draw_point(struct kb_buf *out, const struct plot *p,
		       const struct kb_cost_point *point, size_t series)
{
	const double x = kb_scale_at(&p->x, (double)point->output_tokens);
	const double y = kb_scale_at(&p->y, share_of(point));

	kb_html_addf(out, "<g><title>%s: %ld of %ld, %ld tokens</title>\n",
		     point->name, point->fast_1, point->problems,
		     point->output_tokens);
	kb_mark_draw(out, series, x, y, 9);
	kb_buf_addstr(out, "</g>\n");
}

void kb_cost_chart_draw(struct kb_buf *out, const struct kb_chart *chart,
			const struct kb_cost_point points[], size_t count)
{
	const struct plot p = plot_of(chart, points, count);

	kb_chart_begin(out, chart);
	kb_axis_draw_x(out, &p.frame, &(struct kb_axis){
		&p.x, "tokens of output (logarithmic)", 10, "" });
	kb_axis_draw_y(out, &p.frame, &(struct kb_axis){
		&p.y, "fast_1", 25, "%" });
	draw_frontier(out, &p, points, count);
	for (size_t i = 0; i < count; i++)
		draw_point(out, &p, &points[i], i);
	kb_chart_end(out);
}
