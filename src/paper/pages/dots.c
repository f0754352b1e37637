#include "pages/dots.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/key.h"
#include "manifest/record.h"
#include "pages/html.h"
#include "sheet/format.h"

size_t kb_level_series(int level)
{
	return (size_t)(level - 1);
}

void kb_levels_legend_draw(struct kb_buf *out, const struct kb_levels_seen *l,
			   double x, double y)
{
	for (int level = 1; level <= KB_LEVEL_MAX; level++) {
		if (!l->has[level])
			continue;
		kb_mark_draw(out, kb_level_series(level), x, y - 4, 9);
		kb_html_addf(out, "<text x=\"%.1f\" y=\"%.1f\">level %d</text>\n",
			     x + 10, y, level);
		x += 76;
	}
}

static void see_levels(struct kb_levels_seen *l, const struct kb_dot dots[],
		       size_t count)
{
	for (size_t i = 0; i < count; i++)
		l->has[dots[i].level] = true;
}

static double ratio_of(int64_t micro)
{
	return (double)micro / 1e6;
}

static bool is_bounded(const struct kb_dot *d)
{
	return d->low_micro > 0 && d->high_micro < INT64_MAX;
}

static void add_title(struct kb_buf *out, const struct kb_dot *d,
		      bool has_interval)
{
	char at[KB_FORMAT_SIZE], ends[KB_FORMAT_BOUNDS_SIZE];

	kb_format_ratio(at, d->micro);
	kb_html_addf(out, "<title>%s: %s", d->name, at);
	if (has_interval) {
		kb_format_bounds(ends, d->low_micro > 0 ? d->low_micro :
				 KB_UNKNOWN, d->high_micro < INT64_MAX ?
				 d->high_micro : KB_UNKNOWN);
		kb_html_addf(out, " (%s)", ends);
	}
	kb_buf_addstr(out, "</title>");
}

/* An end that is not known is the end of the axis, and the line is dashed. */
static void draw_whisker(struct kb_buf *out, const struct kb_dot *d,
			 const struct kb_scale *x, double y)
{
	kb_html_addf(out, "<path class=\"whisker k%d\" d=\"M%.1f %.1fH%.1f\"/>",
		     (int)(kb_level_series(d->level) % KB_SERIES_COLOURS),
		     kb_scale_at(x, ratio_of(d->low_micro)), y,
		     d->high_micro < INT64_MAX ?
		     kb_scale_at(x, ratio_of(d->high_micro)) : x->to);
}

/* In a figure of its own there is nothing to link to. */
static void draw_dot(struct kb_buf *out, const struct kb_chart *chart,
		     const struct kb_dot *d, const struct kb_scale *x, double y,
		     double size)
{
	const bool is_link = d->link && !chart->is_alone;
	const char *class = is_bounded(d) ? "" : " class=\"unknown\"";

	if (is_link)
		kb_html_addf(out, "<a href=\"%s\" aria-label=\"%s\"", d->link,
			     d->name);
	else
		kb_buf_addstr(out, "<g");
	kb_buf_addstr(out, class);
	kb_buf_addstr(out, ">");
	add_title(out, d, true);
	draw_whisker(out, d, x, y);
	kb_mark_draw(out, kb_level_series(d->level),
		     kb_scale_at(x, ratio_of(d->micro)), y, size);
	kb_buf_addstr(out, is_link ? "</a>\n" : "</g>\n");
}

#define RATIO_MAX 1e6		/* an axis has an end */

/* The fastest comes first. */
static int compare_dots(const void *a, const void *b)
{
	const struct kb_dot *x = a, *y = b;

	return (x->micro < y->micro) - (x->micro > y->micro);
}

/* All of the dots and 1; of intervals what is within a factor of 4 of them. */
static void fit_scale(struct kb_scale *s, const struct kb_dot dots[],
		      size_t count)
{
	double low = 0.99, high = 1.01;

	for (size_t i = 0; i < count; i++) {
		const double v = ratio_of(dots[i].micro);
		double end;

		low = v < low ? v : low;
		high = v > high ? v : high;
		if (!is_bounded(&dots[i]))
			continue;
		end = ratio_of(dots[i].low_micro);
		end = end < v / 4 ? v / 4 : end;
		low = end < low ? end : low;
		end = ratio_of(dots[i].high_micro);
		end = end > 4 * v ? 4 * v : end;
		high = end > high ? end : high;
	}
	kb_scale_round(s, low < 1 / RATIO_MAX ? 1 / RATIO_MAX : low,
		       high > RATIO_MAX ? RATIO_MAX : high, 2);
}

/* --- speedups --------------------------------------------------------- */

/* Up to so many rows have names. More are as close as the chart's height wants. */
#define NAMED_MAX 60
#define NAMED_HEIGHT 16.0
#define MARKS_HEIGHT 640.0
#define MARK_HEIGHT_MIN 2.0
#define NAME_LETTERS 24
#define NAME_ROOM 168.0
#define ABOVE 12.0
#define BELOW 64.0

static double row_height(size_t count)
{
	const double height = MARKS_HEIGHT / (double)(count + !count);

	return count <= NAMED_MAX ? NAMED_HEIGHT :
	       height < MARK_HEIGHT_MIN ? MARK_HEIGHT_MIN : height;
}

int kb_speedups_height(size_t count)
{
	return (int)(ABOVE + row_height(count) * (double)count + BELOW);
}

/* "1/19 ReLU" of "1/19" and "19_ReLU", cut where the next letter has no room. */
static void draw_name(struct kb_buf *out, const struct kb_dot *d, double y)
{
	const char *name = d->label ? d->label : "";
	char text[NAME_LETTERS + 1];

	int len;

	name += strspn(name, "0123456789_");
	len = snprintf(text, sizeof(text), "%s %s", d->name, name);
	for (size_t i = 0; text[i]; i++)
		text[i] = text[i] == '_' ? ' ' : text[i];
	kb_html_addf(out, "<text class=\"row\" x=\"4\" y=\"%.1f\">%s%s</text>\n",
		     y + 4, text, len > NAME_LETTERS ? "\u2026" : "");
}

static void draw_rows(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_dot dots[], size_t count,
		      const struct kb_scale *x)
{
	const double height = row_height(count);

	for (size_t i = 0; i < count; i++) {
		const double y = ABOVE + height * ((double)i + 0.5);

		if (count <= NAMED_MAX)
			draw_name(out, &dots[i], y);
		draw_dot(out, chart, &dots[i], x, y, height < 8 ? 5 : 8);
	}
}

void kb_speedups_draw(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_dot dots[], size_t count)
{
	const struct kb_frame f = {
		count <= NAMED_MAX ? NAME_ROOM : 28, ABOVE,
		chart->width - 20.0, chart->height - BELOW };
	struct kb_scale x = { .from = f.left, .to = f.right };
	struct kb_levels_seen levels = { .has = { false } };
	kb_auto(mem) struct kb_dot *by_size =
		kb_xcalloc(count + 1, sizeof(*by_size));

	for (size_t i = 0; i < count; i++)
		by_size[i] = dots[i];
	qsort(by_size, count, sizeof(*by_size), compare_dots);
	see_levels(&levels, dots, count);
	fit_scale(&x, dots, count);

	kb_chart_begin(out, chart);
	kb_axis_draw_x(out, &f, &(struct kb_axis){
		&x, chart->axis ? chart->axis : "speedup (logarithmic)",
		x.high / x.low > 128 ? 4 : 2, "x" });
	kb_html_addf(out, "<path class=\"one\" d=\"M%.1f %.1fV%.1f\"/>\n",
		     kb_scale_at(&x, 1), f.top, f.bottom);
	draw_rows(out, chart, by_size, count, &x);
	kb_levels_legend_draw(out, &levels, f.left + 4, f.bottom + 54);
	kb_chart_end(out);
}

/* --- strips ----------------------------------------------------------- */

#define STRIP_HEIGHT 46

static void draw_strip(struct kb_buf *out, const struct kb_strip *s, double y,
		       const struct kb_scale *x)
{
	kb_html_addf(out, "<text class=\"head\" x=\"4\" y=\"%.1f\">%s</text>\n",
		     y + 4, s->name);
	for (size_t i = 0; i < s->count; i++) {
		const struct kb_dot *d = &s->dots[i];

		kb_buf_addstr(out, "<g>");
		add_title(out, d, false);
		/* At three heights, so that dots of about the same ratio do not
		 * cover each other. */
		kb_mark_draw(out, kb_level_series(d->level),
			     kb_scale_at(x, ratio_of(d->micro)),
			     y + 6 * ((double)(i % 3) - 1), 6);
		kb_buf_addstr(out, "</g>\n");
	}
	if (s->median_micro != KB_UNKNOWN)
		kb_html_addf(out, "<path class=\"axis\" d=\"M%.1f %.1fV%.1f\">"
			     "<title>median</title></path>\n",
			     kb_scale_at(x, ratio_of(s->median_micro)), y - 16,
			     y + 16);
}

/* Symmetric about 1: a half is as far as the double. */
static void fit_strips(struct kb_scale *x, const struct kb_strip strips[],
		       size_t count)
{
	double farthest = 1.06;

	for (size_t i = 0; i < count; i++) {
		for (size_t j = 0; j < strips[i].count; j++) {
			const double v = ratio_of(strips[i].dots[j].micro);
			const double away = v < 1 ? 1 / v : v;

			farthest = away > farthest ? away : farthest;
		}
	}
	farthest = farthest > 4 ? 4 : farthest;
	x->is_log = true;
	x->low = 1 / farthest;
	x->high = farthest;
}

static void draw_ratio(struct kb_buf *out, const struct kb_frame *f,
		       double where, double value)
{
	char text[KB_TICK_SIZE];

	kb_tick_format(text, value, "x");
	kb_html_addf(out, "<path class=\"%s\" d=\"M%.1f %.1fV%.1f\"/>"
		     "<text class=\"m\" x=\"%.1f\" y=\"%.1f\">%s</text>\n",
		     value == 1 ? "one" : "grid", where, f->top, f->bottom,
		     where, f->bottom + 16, text);
}

#define RATIO_GAP 38

/* 1, and other round ratios that have room beside it and each other. */
static void draw_ratios(struct kb_buf *out, const struct kb_frame *f,
			const struct kb_scale *x)
{
	static const double at[] = { 0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05,
				     1.1, 1.25, 1.5, 2, 4 };
	const double one = kb_scale_at(x, 1);
	double last = -RATIO_GAP;

	for (size_t i = 0; i < KB_ARRAY_LEN(at); i++) {
		const double where = kb_scale_at(x, at[i]);

		if (at[i] < x->low || at[i] > x->high)
			continue;
		if (at[i] != 1 && (where - last < RATIO_GAP ||
				   (at[i] < 1 && one - where < RATIO_GAP)))
			continue;
		draw_ratio(out, f, where, at[i]);
		last = where;
	}
}

void kb_strips_draw(struct kb_buf *out, const struct kb_chart *chart,
		    const struct kb_strip strips[], size_t count)
{
	const struct kb_frame f = { 72, 8, chart->width - 24.0,
				    8 + STRIP_HEIGHT * (double)count };
	struct kb_scale x = { .from = f.left, .to = f.right };

	fit_strips(&x, strips, count);
	kb_chart_begin(out, chart);
	draw_ratios(out, &f, &x);
	for (size_t i = 0; i < count; i++)
		draw_strip(out, &strips[i], f.top + STRIP_HEIGHT *
			   ((double)i + 0.5), &x);
	kb_chart_end(out);
}
