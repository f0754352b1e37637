#include "pages/run_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/suite.h"
#include "pages/cells.h"
#include "pages/figures.h"
#include "pages/html.h"
#include "pages/outcomes.h"
#include "pages/remarks.h"
#include "pages/view.h"
#include "sheet/format.h"
#include "sheet/score_sheet.h"

/* --- metrics ---------------------------------------------------------- */

/* `data-v` is what the script sorts by and what tests read back: the number as
 * the record has it, and not as it is rounded for people. */
static void add_share(struct kb_buf *out, const struct kb_sheet_row *row,
		      const struct kb_sheet_cell *c)
{
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, c->part, c->whole);
	kb_html_addf(out, "<td data-v=\"%ld\"><b>%ld</b> %s", c->value,
		     c->value, pct);
	if (c->has_interval && row->has_interval)
		kb_html_addf(out, "<br><span class=\"soft\">%ld to %ld</span>",
			     c->low, c->high);
	kb_buf_addstr(out, "</td>");
}

static void add_mean(struct kb_buf *out, const struct kb_sheet_cell *c)
{
	char text[KB_FORMAT_SIZE], low[KB_FORMAT_SIZE], high[KB_FORMAT_SIZE];

	kb_format_ratio(text, c->value);
	if (c->value == KB_UNKNOWN)
		kb_buf_addstr(out, "<td data-v=\"\">");
	else
		kb_html_addf(out, "<td data-v=\"%ld\">", c->value);
	kb_html_addf(out, "<b>%s</b>", text);
	if (c->has_interval) {
		kb_format_ratio(low, c->low);
		kb_format_ratio(high, c->high);
		kb_html_addf(out, "<br><span class=\"soft\">%s to %s</span>",
			     low, high);
	}
	kb_buf_addstr(out, "</td>");
}

/* `data-of` names the record's member, by which tests find the row whatever its
 * words become. */
static void add_metric(struct kb_buf *out, const struct kb_score_sheet *s,
		       const struct kb_sheet_row *row)
{
	const bool is_mean = row->kind == KB_ROW_MEAN;

	kb_html_addf(out, "<tr data-of=\"%s\"><th scope=\"row\" class=\"t\">"
		     "%s</th>", is_mean ? "geomean_speedup_micro" : row->name,
		     is_mean ? "geometric mean speedup" : row->title);
	for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
		const struct kb_sheet_cell c = kb_sheet_cell(s, part, row);

		if (is_mean)
			add_mean(out, &c);
		else if (row->kind == KB_ROW_SHARE)
			add_share(out, row, &c);
		else
			kb_cell_number(out, KB_CELL_COUNT, c.value);
	}
	kb_buf_addstr(out, "</tr>\n");
}

void kb_metrics_table_print(struct kb_buf *out, const struct kb_score *score)
{
	const struct kb_score_sheet s = { .score = score };
	const struct kb_sheet_rows rows =
		kb_sheet_rows(&s, KB_ROWS_BESIDE_STATUSES);

	kb_buf_addstr(out, "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Metrics\"><table id=\"metrics\">"
		      "<caption>Counts and rates of all problems; below them, "
		      "from what is certain to what is possible at 95 %."
		      "</caption>\n<thead><tr><td></td>");
	for (size_t part = 0; part < kb_sheet_part_count(&s); part++) {
		kb_auto(buf) struct kb_buf head = KB_BUF_INIT;

		kb_sheet_part_title(&head, &s, part);
		kb_html_addf(out, "<th scope=\"col\">%s</th>", head.data);
	}
	kb_buf_addstr(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < rows.count; i++)
		if (rows.items[i].kind != KB_ROW_AT_K)
			add_metric(out, &s, &rows.items[i]);
	kb_buf_addstr(out, "</tbody></table></div>\n");
}

/* --- statuses --------------------------------------------------------- */

void kb_status_table_print(struct kb_buf *out, const struct kb_view *v)
{
	static const struct kb_head heads[] = {
		{ "status", "status", true, false },
		{ "class", "class", true, false },
		{ "status_counts", "problems", false, false },
	};
	const int64_t *counts = kb_view_overall(v)->status_counts;

	kb_table_begin(out, "statuses", "Problems by how they ended", heads,
		       KB_ARRAY_LEN(heads), false);
	for (int i = 0; i < KB_STATUS_COUNT; i++) {
		if (!counts[i])
			continue;
		kb_buf_addstr(out, "<tr>");
		kb_cell_status(out, (enum kb_status)i);
		kb_cell_text(out, kb_class_name(
			kb_class_of((enum kb_status)i)));
		kb_cell_number(out, KB_CELL_COUNT, counts[i]);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

/* --- bounds ----------------------------------------------------------- */

void kb_about_bounds_print(struct kb_buf *out)
{
	kb_buf_addstr(out, "The bound is what the device needs at least for "
		      "the problem as its suite states it: for its bytes at "
		      "the data sheet's bandwidth, or for its operations, "
		      "whichever takes longer. Operations are of the type "
		      "that the device is fastest at, which fp32 cannot "
		      "reach, at the highest SM clock that was sampled while "
		      "the time was taken; where none was, at the data "
		      "sheet's.");
}

/* --- rows ------------------------------------------------------------- */

static void add_key(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_view_row *r, bool has_problems)
{
	char key[KB_KEY_SIZE], file[KB_PROBLEM_FILE_SIZE];

	kb_key_format(key, r->key);
	kb_problem_page_file(file, v, &r->key);
	if (has_problems)
		kb_html_addf(out, "<td class=\"t\"><a href=\"%s\">%s</a></td>",
			     file, key);
	else
		kb_cell_text(out, key);
}

static const char *name_of(const struct kb_view_row *r)
{
	return r->problem ? r->problem->name : NULL;
}

static void add_speedup(struct kb_buf *out, const struct kb_view_row *r)
{
	kb_cell_number(out, KB_CELL_RATIO, r->has_speedup ?
		       r->speedup.speedup_micro : KB_UNKNOWN);
	if (r->has_speedup)
		kb_cell_interval(out, KB_CELL_RATIO, r->speedup.low_micro,
				 r->speedup.high_micro);
	else
		kb_cell_interval(out, KB_CELL_RATIO, KB_UNKNOWN, KB_UNKNOWN);
}

static const struct kb_head row_heads[] = {
	{ "key", "problem", true, false },
	{ "level", "level", false, true },
	{ "name", "name", true, false },
	{ "sample_id", "sample", false, false },
	{ "status", "status", true, true },
	{ "candidate_ns", "time, us", false, false },
	{ "candidate", "interval, us", false, false },
	{ "baseline_ns", "baseline, us", false, false },
	{ "speedup_micro", "speedup", false, false },
	{ "speedup", "interval", false, false },
	{ "rms_error", "rms error", false, false },
	{ "fp64_error", "reference's error", false, false },
	{ "noise_micro", "noise", false, false },
	{ "drift_micro", "drift", false, false },
	{ "bound_ns", "bound, us", false, false },
	{ "bound_mhz", "bound at", false, false },
	{ "of_bound", "of the bound", false, false },
};

static void add_row(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_view_row *r, bool has_problems)
{
	kb_buf_addstr(out, r->is_judged ? "<tr data-judged>" : "<tr>");
	add_key(out, v, r, has_problems);
	kb_cell_number(out, KB_CELL_COUNT, r->key.level);
	kb_cell_text(out, name_of(r));
	kb_cell_number(out, KB_CELL_COUNT, r->sample_id);
	kb_cell_status(out, r->status);
	kb_cell_number(out, KB_CELL_US, r->candidate_ns);
	kb_cell_interval(out, KB_CELL_US, r->candidate.low_ns,
			 r->candidate.high_ns);
	kb_cell_number(out, KB_CELL_US, r->baseline_ns);
	add_speedup(out, r);
	kb_cell_error(out, kb_row_error(r));
	kb_cell_error(out, kb_row_reference_error(r));
	kb_cell_number(out, KB_CELL_RATIO, r->noise_micro);
	kb_cell_number(out, KB_CELL_RATIO, r->drift_micro);
	kb_cell_number(out, KB_CELL_US, r->bound.bound_ns);
	kb_cell_bound_clock(out, &r->bound);
	kb_cell_number(out, KB_CELL_SHARE,
		       kb_share_of_bound_micro(r->bound.bound_ns,
					       r->candidate_ns));
	kb_buf_addstr(out, "</tr>\n");
}

void kb_rows_table_print(struct kb_buf *out, const struct kb_view *v,
			 bool has_problems)
{
	static const char *const captions[] = {
		[KB_KIND_BASELINE] = "Every reference",
		[KB_KIND_EVALUATION] = "Every candidate, and the reference "
			"beside it as its baseline",
		[KB_KIND_SCORE] = "Every candidate; samples that the score "
			"does not judge have no baseline here",
	};

	kb_table_begin(out, "rows", captions[v->lineage.kind], row_heads,
		       KB_ARRAY_LEN(row_heads), true);
	for (size_t i = 0; i < v->row_count; i++)
		add_row(out, v, &v->rows[i], has_problems);
	kb_table_end(out);
}

/* --- those to look at ------------------------------------------------- */

/* Lists are cut, and so have to be sorted by more than their weight: the same
 * bundles give the same page. */
struct listed {
	const struct kb_view_row *row;
	int64_t weight;			/* the greatest comes first */
	char *words;			/* owned, or NULL */
};

static int compare_listed(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return kb_sample_compare(x->row->key, x->row->sample_id, y->row->key,
				 y->row->sample_id);
}

static void add_listed(struct kb_buf *out, const struct kb_view *v,
		       const struct listed *l, bool has_problems)
{
	kb_buf_addstr(out, "<tr>");
	add_key(out, v, l->row, has_problems);
	kb_html_addf(out, "<td class=\"name\">%s</td>", name_of(l->row));
	if (l->words)
		kb_html_addf(out, "<td class=\"words\">%s</td>", l->words);
	kb_cell_status(out, l->row->status);
	kb_cell_number(out, KB_CELL_US, l->row->candidate_ns);
	add_speedup(out, l->row);
	kb_buf_addstr(out, "</tr>\n");
}

static void add_list(struct kb_buf *out, const struct kb_view *v,
		     struct listed items[], size_t count, bool has_problems)
{
	static const struct kb_head heads[] = {
		{ "key", "problem", true, false },
		{ "name", "name", true, false },
		{ "remarks", "why", true, false },
		{ "status", "status", true, false },
		{ "candidate_ns", "time, us", false, false },
		{ "speedup_micro", "speedup", false, false },
		{ "speedup", "interval", false, false },
	};
	const bool has_words = items[0].words != NULL;
	struct kb_head shown[KB_ARRAY_LEN(heads)];
	size_t head_count = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(heads); i++)
		if (has_words || strcmp(heads[i].of, "remarks"))
			shown[head_count++] = heads[i];
	qsort(items, count, sizeof(*items), compare_listed);
	kb_table_begin(out, has_words ? "remarks" : "slowest", has_words ?
		       "What to look at before believing a time" :
		       "Slowest beside the baseline", shown, head_count, false);
	for (size_t i = 0; i < count && i < KB_LISTED_MAX; i++)
		add_listed(out, v, &items[i], has_problems);
	kb_table_end(out);
	/* That a list is cut is said, and the table above has all. */
	if (count > KB_LISTED_MAX)
		kb_html_addf(out, "<p class=\"soft\">%d of %zu.</p>\n",
			     KB_LISTED_MAX, count);
}

void kb_remarks_table_print(struct kb_buf *out, const struct kb_view *v,
			    bool has_problems)
{
	kb_auto(mem) struct listed *items =
		kb_xcalloc(v->row_count + 1, sizeof(*items));
	size_t count = 0;

	for (size_t i = 0; i < v->row_count; i++) {
		struct kb_buf words = KB_BUF_INIT;
		const size_t remarks = kb_remarks_print(&words, &v->rows[i]);

		if (!remarks)
			continue;
		items[count++] = (struct listed){
			&v->rows[i], (int64_t)remarks, kb_buf_detach(&words) };
	}
	if (count)
		add_list(out, v, items, count, has_problems);
	else
		kb_buf_addstr(out, "<p>Nothing stands out.</p>\n");
	for (size_t i = 0; i < count; i++)
		free(items[i].words);
}

void kb_slowest_table_print(struct kb_buf *out, const struct kb_view *v,
			    bool has_problems)
{
	kb_auto(mem) struct listed *items =
		kb_xcalloc(v->row_count + 1, sizeof(*items));
	size_t count = 0;

	for (size_t i = 0; i < v->row_count; i++)
		if (v->rows[i].is_judged && v->rows[i].has_speedup &&
		    v->rows[i].speedup.speedup_micro < 1000000)
			items[count++] = (struct listed){
				&v->rows[i],
				-v->rows[i].speedup.speedup_micro, NULL };
	if (count)
		add_list(out, v, items, count, has_problems);
	else
		kb_buf_addstr(out, "<p>None is slower than the baseline.</p>\n");
}
