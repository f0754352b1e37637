#include "pages/samples_chart.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/time_rule.h"
#include "pages/html.h"
#include "pages/svg.h"
#include "sheet/format.h"

#define WIDTH 560
#define ROW 40.0
#define LEFT 150.0
#define TICKS 5.0

struct row {
	const struct kb_named_timing *of;
	int64_t *samples_ns;		/* sorted; owned */
	size_t count;
};

static double us_of(int64_t ns)
{
	return (double)ns / 1e3;
}

/* A mark at three heights, so that equal samples do not cover each other. */
static void draw_row(struct kb_buf *out, const struct row *r, size_t series,
		     const struct kb_scale *x, double y)
{
	char text[KB_FORMAT_SIZE];

	kb_html_addf(out, "<text class=\"row\" x=\"4\" y=\"%.1f\">%s</text>\n",
		     y + 4, r->of->name);
	for (size_t i = 0; i < r->count; i++) {
		kb_format_us(text, r->samples_ns[i]);
		kb_html_addf(out, "<g><title>%s us</title>", text);
		kb_mark_draw(out, series,
			     kb_scale_at(x, us_of(r->samples_ns[i])),
			     y + 7 * ((double)(i % 3) - 1), 5);
		kb_buf_addstr(out, "</g>\n");
	}
	kb_format_us(text, r->of->timing->time_ns);
	kb_html_addf(out,
		     "<path class=\"axis\" d=\"M%.1f %.1fV%.1f\"><title>"
		     "median, %s us</title></path>\n",
		     kb_scale_at(x, us_of(r->of->timing->time_ns)), y - 15,
		     y + 15, text);
}

/* 1, 2 or 5 times a power of ten. */
static double round_step(double step)
{
	double power = 1;

	while (power * 10 <= step)
		power *= 10;
	while (power > step)
		power /= 10;
	return step <= 2 * power ? 2 * power : step <= 5 * power ? 5 * power :
	       10 * power;
}

/* From 0 to twice the longest time: a sample beyond is at the end. Samples that were
 * forged may all be below 0, and a time is not. */
static double fit_scale(struct kb_scale *x, const struct row rows[],
			size_t count)
{
	double most = 0, longest = 0, step;

	for (size_t i = 0; i < count; i++) {
		const double last =
			us_of(rows[i].samples_ns[rows[i].count - 1]);
		const double time = us_of(rows[i].of->timing->time_ns);

		most = last > most ? last : most;
		most = time > most ? time : most;
		longest = time > longest ? time : longest;
	}
	most = most > 2 * longest ? 2 * longest : most;
	step = round_step(most / TICKS);
	x->low = 0;
	for (x->high = step; x->high < most; x->high += step)
		;
	return step;
}

static void draw_rows(struct kb_buf *out, const char *id,
		      const struct row rows[], size_t count)
{
	const struct kb_chart chart = {
		.id = id, .title = "Samples", .width = WIDTH,
		.description = "The samples of each time, in microseconds, and "
			"their median; the numbers are in the lists below.",
		.height = (int)(ROW * (double)count) + 50,
	};
	const struct kb_frame f = { LEFT, 4, WIDTH - 24.0,
				    ROW * (double)count + 4 };
	struct kb_scale x = { .from = f.left, .to = f.right };
	const double step = fit_scale(&x, rows, count);

	kb_chart_begin(out, &chart);
	kb_axis_draw_x(out, &f, &(struct kb_axis){
		&x, "time of one call, us", step, "" });
	for (size_t i = 0; i < count; i++)
		draw_row(out, &rows[i], i, &x, f.top + ROW * ((double)i + 0.5));
	kb_chart_end(out);
}

void kb_samples_draw(struct kb_buf *out, const char *id,
		     const struct kb_named_timing times[], size_t count)
{
	struct row *rows = kb_xcalloc(count + 1, sizeof(*rows));
	size_t there = 0;

	for (size_t i = 0; i < count; i++) {
		struct row *r = &rows[there];

		if (!times[i].timing || times[i].timing->time_ns == KB_UNKNOWN)
			continue;
		r->of = &times[i];
		r->samples_ns = kb_time_samples_ns(times[i].timing,
						   times[i].paired, &r->count);
		there += r->samples_ns && r->count;
	}
	if (there)
		draw_rows(out, id, rows, there);
	for (size_t i = 0; i <= there && i < count; i++)
		free(rows[i].samples_ns);
	free(rows);
}
