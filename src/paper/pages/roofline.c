#include "pages/roofline.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "pages/dots.h"
#include "pages/html.h"

struct plot {
	struct kb_frame frame;
	struct kb_scale x, y;
};

/* Operations a byte; and 10^9 of them a second, as one a nanosecond is. */
static double intensity_of(const struct kb_roof_dot *d)
{
	return (double)d->flops / (double)d->bytes;
}

static double achieved_by(const struct kb_roof_dot *d)
{
	return (double)d->flops / (double)d->time_ns;
}

static void widen_range(double *low, double *high, double value)
{
	if (value < *low)
		*low = value;
	if (value > *high)
		*high = value;
}

static bool has_roof(const struct kb_roof *r)
{
	return r->memory_mb_per_s > 0 && r->arithmetic_gop_per_s > 0;
}

/* Where the slope ends: operations a byte. */
static double ridge_of(const struct kb_roof *r, int64_t gop_per_s)
{
	/* 10^9 operations by 10^6 bytes are thousands of operations a byte. */
	return 1e3 * (double)gop_per_s / (double)r->memory_mb_per_s;
}

static double roof_at(const struct kb_roof *r, double ops_per_byte)
{
	const double slope = ops_per_byte * (double)r->memory_mb_per_s / 1e3;
	const double top = (double)r->arithmetic_gop_per_s;

	return slope < top ? slope : top;
}

static struct plot plot_of(const struct kb_chart *c, const struct kb_roof *r,
			   const struct kb_roof_dot dots[], size_t count)
{
	struct plot p = { .frame = { 60, 28, c->width - 16.0,
				     c->height - 72.0 } };
	double x_low = 1, x_high = 1, y_low = 1e12, y_high = 1e-12;

	for (size_t i = 0; i < count; i++) {
		widen_range(&x_low, &x_high, intensity_of(&dots[i]));
		widen_range(&y_low, &y_high, achieved_by(&dots[i]));
	}
	if (has_roof(r)) {
		/* Beyond the ridge, so that some of what is flat is seen. */
		widen_range(&x_low, &x_high,
			    2 * ridge_of(r, r->arithmetic_gop_per_s));
		widen_range(&y_low, &y_high, (double)r->arithmetic_gop_per_s);
		widen_range(&y_low, &y_high, roof_at(r, x_low));
	}
	p.x.from = p.frame.left;
	p.x.to = p.frame.right;
	p.y.from = p.frame.bottom;
	p.y.to = p.frame.top;
	kb_scale_round(&p.x, x_low, x_high, 10);
	kb_scale_round(&p.y, y_low, y_high, 10);
	return p;
}

static void draw_roof(struct kb_buf *out, const struct plot *p,
		      const struct kb_roof *r)
{
	const double start = p->y.low * 1e3 / (double)r->memory_mb_per_s;
	const double from = start > p->x.low ? start : p->x.low;

	kb_html_addf(out, "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\">"
		     "<title>%ld MB/s, %ld GOP/s</title></path>\n",
		     kb_scale_at(&p->x, from),
		     kb_scale_at(&p->y, roof_at(r, from)),
		     kb_scale_at(&p->x, ridge_of(r, r->arithmetic_gop_per_s)),
		     kb_scale_at(&p->y, (double)r->arithmetic_gop_per_s),
		     p->x.to, r->memory_mb_per_s, r->arithmetic_gop_per_s);
}

/* Above the line, at its end: below it are the dots. */
static void label_roof(struct kb_buf *out, const struct plot *p,
		       int64_t gop_per_s, const char *of, int64_t sm_clock_mhz)
{
	char text[96];
	int len = snprintf(text, sizeof(text), "%s, %.4g TOP/s", of,
			   (double)gop_per_s / 1e3);

	if (sm_clock_mhz > 0)
		snprintf(text + len, sizeof(text) - (size_t)len,
			 " at %" PRId64 " MHz", sm_clock_mhz);
	else
		snprintf(text + len, sizeof(text) - (size_t)len,
			 " by data sheet");
	kb_html_addf(out, "<text class=\"e rate\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		     p->frame.right - 4,
		     kb_scale_at(&p->y, (double)gop_per_s) - 9, text);
}

static void draw_fp32(struct kb_buf *out, const struct plot *p,
		      const struct kb_roof *r)
{
	kb_html_addf(out, "<path class=\"fp32 one\" d=\"M%.1f %.1fH%.1f\">"
		     "<title>fp32 without tensor cores, %ld GOP/s</title>"
		     "</path>\n",
		     kb_scale_at(&p->x, ridge_of(r, r->fp32_gop_per_s)),
		     kb_scale_at(&p->y, (double)r->fp32_gop_per_s), p->x.to,
		     r->fp32_gop_per_s);
	label_roof(out, p, r->fp32_gop_per_s, "fp32 without tensor cores",
		   r->sm_clock_mhz);
}

static void draw_dot(struct kb_buf *out, const struct kb_chart *chart,
		     const struct plot *p, const struct kb_roof_dot *d)
{
	const bool is_link = d->link && !chart->is_alone;
	char at[KB_TICK_SIZE];

	kb_tick_format(at, intensity_of(d), "");
	if (is_link)
		kb_html_addf(out, "<a href=\"%s\" aria-label=\"%s\">", d->link,
			     d->name);
	else
		kb_buf_addstr(out, "<g>");
	kb_html_addf(out, "<title>%s: %.1f GFLOP/s at %s FLOP/B</title>",
		     d->name, achieved_by(d), at);
	kb_mark_draw(out, kb_level_series(d->level),
		     kb_scale_at(&p->x, intensity_of(d)),
		     kb_scale_at(&p->y, achieved_by(d)), 8);
	kb_buf_addstr(out, is_link ? "</a>\n" : "</g>\n");
}

void kb_roofline_draw(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_roof *roof,
		      const struct kb_roof_dot dots[], size_t count)
{
	const struct plot p = plot_of(chart, roof, dots, count);
	struct kb_levels_seen levels = { .has = { false } };

	kb_chart_begin(out, chart);
	kb_axis_draw_x(out, &p.frame, &(struct kb_axis){
		&p.x, "arithmetic intensity, FLOP/B", 10, "" });
	kb_axis_draw_y(out, &p.frame, &(struct kb_axis){
		&p.y, "GFLOP/s", 10, "" });
	if (has_roof(roof)) {
		draw_roof(out, &p, roof);
		label_roof(out, &p, roof->arithmetic_gop_per_s, "the fastest type",
			   roof->sm_clock_mhz);
	}
	if (has_roof(roof) && roof->fp32_gop_per_s > 0)
		draw_fp32(out, &p, roof);
	for (size_t i = 0; i < count; i++) {
		levels.has[dots[i].level] = true;
		draw_dot(out, chart, &p, &dots[i]);
	}
	kb_levels_legend_draw(out, &levels, p.frame.left + 4,
			      p.frame.bottom + 60);
	kb_chart_end(out);
}
