#include "pages/outcomes.h"

#include <inttypes.h>

#include "base/buf.h"
#include "pages/html.h"

static const struct {
	const char *name, *letter;
} classes[KB_CLASS_COUNT] = {
	[KB_CLASS_CORRECT] = { "correct", "\xe2\x9c\x93" },
	[KB_CLASS_WRONG] = { "wrong answer", "W" },
	[KB_CLASS_NOT_BUILT] = { "not built", "B" },
	[KB_CLASS_FAILED] = { "failed running", "F" },
	[KB_CLASS_REFERENCE] = { "no reference", "R" },
	[KB_CLASS_MISSING] = { "missing", "\xe2\x80\x93" },
};

enum kb_class kb_class_of(enum kb_status status)
{
	switch (status) {
	case KB_STATUS_CORRECT:
	case KB_STATUS_TIMED:
	case KB_STATUS_AUDITED:
		return KB_CLASS_CORRECT;
	case KB_STATUS_WRONG_SHAPE:
	case KB_STATUS_WRONG_DTYPE:
	case KB_STATUS_MISMATCH:
	case KB_STATUS_NOT_FINITE:
	case KB_STATUS_INPUTS_MODIFIED:
	case KB_STATUS_GUARD_DAMAGED:
		return KB_CLASS_WRONG;
	case KB_STATUS_BUILD_FAILED:
	case KB_STATUS_LOAD_FAILED:
		return KB_CLASS_NOT_BUILT;
	case KB_STATUS_RUN_FAILED:
	case KB_STATUS_CRASHED:
	case KB_STATUS_EXITED:
	case KB_STATUS_TIMED_OUT:
	case KB_STATUS_OUT_OF_MEMORY:
	case KB_STATUS_OUTPUT_LIMIT:
	case KB_STATUS_PROTOCOL_VIOLATION:
		return KB_CLASS_FAILED;
	case KB_STATUS_REFERENCE_FAILED:
		return KB_CLASS_REFERENCE;
	case KB_STATUS_MISSING:
	case KB_STATUS_COUNT:
		break;
	}
	return KB_CLASS_MISSING;
}

const char *kb_class_name(enum kb_class c)
{
	return classes[c].name;
}

const char *kb_class_letter(enum kb_class c)
{
	return classes[c].letter;
}

int64_t kb_class_total(const struct kb_outcome_row *r, enum kb_class c)
{
	int64_t total = 0;

	for (int i = 0; i < KB_STATUS_COUNT; i++)
		if (kb_class_of((enum kb_status)i) == c)
			total += r->status_counts[i];
	return total;
}

static int64_t row_total(const struct kb_outcome_row *r)
{
	int64_t total = 0;

	for (int i = 0; i < KB_STATUS_COUNT; i++)
		total += r->status_counts[i];
	return total;
}

#define ROW_HEIGHT 30
#define BAR_HEIGHT 22
#define LETTER_ROOM 16

static double draw_part(struct kb_buf *out, const struct kb_outcome_row *r,
			enum kb_class c, double x, double y, double each)
{
	const int64_t n = kb_class_total(r, c);
	const double width = each * (double)n;

	if (!n)
		return x;
	kb_html_addf(out, "<g><title>%s: %ld %s</title><rect class=\"o%d\" "
		     "x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>",
		     r->name, n, kb_class_name(c), (int)c, x, y, width,
		     BAR_HEIGHT);
	if (width >= 2 * LETTER_ROOM)
		kb_html_addf(out, "<text class=\"on m\" x=\"%.1f\" y=\"%.1f\">"
			     "%s %ld</text>", x + width / 2, y + 15,
			     kb_class_letter(c), n);
	else if (width >= LETTER_ROOM)
		kb_html_addf(out, "<text class=\"on m\" x=\"%.1f\" y=\"%.1f\">"
			     "%s</text>", x + width / 2, y + 15,
			     kb_class_letter(c));
	kb_buf_addstr(out, "</g>\n");
	return x + width;
}

static void draw_row(struct kb_buf *out, const struct kb_outcome_row *r,
		     double y, double each)
{
	double x = 72;

	kb_html_addf(out, "<text class=\"head\" x=\"4\" y=\"%.1f\">%s</text>\n",
		     y + 15, r->name);
	for (int c = 0; c < KB_CLASS_COUNT; c++)
		x = draw_part(out, r, (enum kb_class)c, x, y, each);
}

#define LEGEND_COLUMNS 3
#define LEGEND_LINE 22

int kb_outcomes_height(size_t count)
{
	return 8 + ROW_HEIGHT * (int)count + 8 +
	       LEGEND_LINE * KB_CLASS_COUNT / LEGEND_COLUMNS;
}

static void draw_legend(struct kb_buf *out, double y, double width)
{
	for (int c = 0; c < KB_CLASS_COUNT; c++) {
		const double x = 72 + (width - 72) / LEGEND_COLUMNS *
				 (c % LEGEND_COLUMNS);
		const double at = y + LEGEND_LINE * (c / LEGEND_COLUMNS);

		kb_html_addf(out, "<rect class=\"o%d\" x=\"%.1f\" y=\"%.1f\" "
			     "width=\"18\" height=\"14\"/><text class=\"on m\" "
			     "x=\"%.1f\" y=\"%.1f\">%s</text>"
			     "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", c, x,
			     at - 11, x + 9, at,
			     kb_class_letter((enum kb_class)c), x + 23, at,
			     kb_class_name((enum kb_class)c));
	}
}

void kb_outcomes_draw(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_outcome_row rows[], size_t count)
{
	int64_t most = 1;

	for (size_t i = 0; i < count; i++)
		if (row_total(&rows[i]) > most)
			most = row_total(&rows[i]);
	kb_chart_begin(out, chart);
	for (size_t i = 0; i < count; i++)
		draw_row(out, &rows[i], 8 + ROW_HEIGHT * (double)i,
			 (chart->width - 88.0) / (double)most);
	draw_legend(out, 8 + ROW_HEIGHT * (double)count + 18, chart->width);
	kb_chart_end(out);
}
