#include "pages/run_tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/reference_result.h"
#include "manifest/result.h"
#include "manifest/suite.h"
#include "pages/cells.h"
#include "pages/figures.h"
#include "pages/html.h"
#include "pages/outcomes.h"
#include "pages/remarks.h"
#include "pages/source_text.h"
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
	/* An interval of one number says nothing more. */
	if (c->has_interval && row->has_interval && c->low != c->high)
		kb_html_addf(out, "<br><span class=\"soft\">%ld to %ld</span>",
			     c->low, c->high);
	kb_buf_addstr(out, "</td>");
}

static void add_mean(struct kb_buf *out, const struct kb_score *s,
		     const struct kb_sheet_cell *c)
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
	} else if (s->overall.has_certainty && c->value != KB_UNKNOWN) {
		kb_buf_addstr(out, "<br><span class=\"soft\">not known</span>");
	}
	kb_buf_addstr(out, "</td>");
}

/* "overall" is first, because a phone has room for one column. */
static size_t part_at(const struct kb_score *s, size_t column)
{
	return column == 0 ? s->level_count :
	       column <= s->level_count ? column - 1 : column;
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
	for (size_t i = 0; i < kb_sheet_part_count(s); i++) {
		const struct kb_sheet_cell c =
			kb_sheet_cell(s, part_at(s->score, i), row);

		if (is_mean)
			add_mean(out, s->score, &c);
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
		      "<caption><span>Counts and rates of all problems. Below "
		      "them is the 95 % interval, where it is wider than one "
		      "number.</span></caption>\n<thead><tr><td></td>");
	for (size_t i = 0; i < kb_sheet_part_count(&s); i++) {
		kb_auto(buf) struct kb_buf head = KB_BUF_INIT;

		kb_sheet_part_title(&head, &s, part_at(score, i));
		kb_html_addf(out, "<th scope=\"col\">%s</th>", head.data);
	}
	kb_buf_addstr(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < rows.count; i++)
		if (rows.items[i].kind != KB_ROW_AT_K)
			add_metric(out, &s, &rows.items[i]);
	kb_buf_addstr(out, "</tbody></table></div>\n");
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

/* The part of a log that a row of the table opens to. */
#define LOG_LINES 20
#define LOG_BYTES 4096

static const char *log_end(const char *log)
{
	const char *at = log + strlen(log);
	int lines = 0;

	while (at > log && log + strlen(log) - at < LOG_BYTES) {
		lines += at[-1] == '\n' && at[0];
		if (lines == LOG_LINES)
			break;
		at--;
	}
	return at;
}

static const struct kb_outcome *outcome_of(const struct kb_view_row *r)
{
	return r->result ? &r->result->outcome :
	       r->reference ? &r->reference->outcome : NULL;
}

static bool has_reason(const struct kb_view_row *r)
{
	const struct kb_outcome *o = outcome_of(r);

	return o && kb_class_of(o->status) != KB_CLASS_CORRECT &&
	       (o->detail || (o->log && *o->log));
}

static void add_reason(struct kb_buf *out, const struct kb_view_row *r)
{
	const struct kb_outcome *o = outcome_of(r);

	if (!has_reason(r)) {
		kb_cell_text(out, "");
		return;
	}
	kb_buf_addstr(out, "<td class=\"words\">");
	if (o->log && *o->log) {
		kb_html_addf(out, "<details><summary>%s</summary>",
			     o->detail ? o->detail : "log");
		kb_log_print(out, log_end(o->log), LOG_BYTES);
		kb_buf_addstr(out, "</details>");
	} else {
		kb_html_addf(out, "%s", o->detail);
	}
	kb_buf_addstr(out, "</td>");
}

/* The last column is left out where no row has a reason. */
static const struct kb_head row_heads[] = {
	{ "key", "problem", true, false },
	{ "status", "status", true, true },
	{ "speedup_micro", "speedup", false, false },
	{ "speedup", "at 95 %", false, false },
	{ "candidate_ns", "time, us", false, false },
	{ "baseline_ns", "baseline, us", false, false },
	{ "name", "name", true, false },
	{ "sample_id", "sample", false, false },
	{ "level", "level", false, true },
	{ "reason", "why", true, false },
};

static void add_row(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_view_row *r, bool has_problems,
		    bool has_reasons)
{
	kb_buf_addstr(out, r->is_judged ? "<tr data-judged>" : "<tr>");
	add_key(out, v, r, has_problems);
	kb_cell_status(out, r->status);
	add_speedup(out, r);
	kb_cell_number(out, KB_CELL_US, r->candidate_ns);
	kb_cell_number(out, KB_CELL_US, r->baseline_ns);
	kb_html_addf(out, "<td class=\"t cut\">%s</td>", name_of(r));
	kb_cell_number(out, KB_CELL_COUNT, r->sample_id);
	kb_cell_number(out, KB_CELL_COUNT, r->key.level);
	if (has_reasons)
		add_reason(out, r);
	kb_buf_addstr(out, "</tr>\n");
}

void kb_rows_table_print(struct kb_buf *out, const struct kb_view *v,
			 bool has_problems)
{
	static const char *const captions[] = {
		[KB_KIND_BASELINE] = "Every reference",
		[KB_KIND_EVALUATION] = "Every candidate; its baseline is the "
			"reference that was timed next to it",
		[KB_KIND_SCORE] = "Every candidate; a sample that the score "
			"does not judge has no baseline here",
	};
	bool has_reasons = false;

	for (size_t i = 0; i < v->row_count; i++)
		has_reasons |= has_reason(&v->rows[i]);
	kb_table_begin(out, "rows", captions[v->lineage.kind], row_heads,
		       KB_ARRAY_LEN(row_heads) - !has_reasons, true);
	for (size_t i = 0; i < v->row_count; i++)
		add_row(out, v, &v->rows[i], has_problems, has_reasons);
	kb_table_end(out);
}

static const struct kb_head more_heads[] = {
	{ "key", "problem", true, false },
	{ "sample_id", "sample", false, false },
	{ "candidate", "time at 95 %, us", false, false },
	{ "rms_error", "rms error", false, false },
	{ "fp64_error", "reference's error", false, false },
	{ "noise_micro", "noise", false, false },
	{ "drift_micro", "drift", false, false },
	{ "bound_ns", "bound, us", false, false },
	{ "bound_mhz", "bound at", false, false },
	{ "of_bound", "of the bound", false, false },
};

static void add_more(struct kb_buf *out, const struct kb_view_row *r)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, key);
	kb_cell_number(out, KB_CELL_COUNT, r->sample_id);
	kb_cell_interval(out, KB_CELL_US, r->candidate.low_ns,
			 r->candidate.high_ns);
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

void kb_more_rows_table_print(struct kb_buf *out, const struct kb_view *v)
{
	kb_table_begin(out, "rows-more", "The same rows", more_heads,
		       KB_ARRAY_LEN(more_heads), false);
	for (size_t i = 0; i < v->row_count; i++)
		add_more(out, &v->rows[i]);
	kb_table_end(out);
}

/* --- those to look at ------------------------------------------------- */

/* The list is cut, so rows of equal weight need an order, too: the same bundles
 * give the same page. */
struct listed {
	const struct kb_view_row *row;
	size_t remarks;			/* the greatest comes first */
	char *words;			/* owned */
};

static int compare_listed(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->remarks != y->remarks)
		return x->remarks < y->remarks ? 1 : -1;
	return kb_sample_compare(x->row->key, x->row->sample_id, y->row->key,
				 y->row->sample_id);
}

static void add_listed(struct kb_buf *out, const struct kb_view *v,
		       const struct listed *l, bool has_problems)
{
	kb_buf_addstr(out, "<tr>");
	add_key(out, v, l->row, has_problems);
	kb_html_addf(out, "<td class=\"words\">%s</td>", l->words);
	kb_cell_status(out, l->row->status);
	kb_cell_number(out, KB_CELL_US, l->row->candidate_ns);
	add_speedup(out, l->row);
	kb_html_addf(out, "<td class=\"name\">%s</td></tr>\n", name_of(l->row));
}

static void add_list(struct kb_buf *out, const struct kb_view *v,
		     struct listed items[], size_t count, bool has_problems)
{
	static const struct kb_head heads[] = {
		{ "key", "problem", true, false },
		{ "remarks", "why", true, false },
		{ "status", "status", true, false },
		{ "candidate_ns", "time, us", false, false },
		{ "speedup_micro", "speedup", false, false },
		{ "speedup", "at 95 %", false, false },
		{ "name", "name", true, false },
	};
	kb_auto(buf) struct kb_buf caption = KB_BUF_INIT;

	kb_buf_addstr(&caption, "Most remarks first");
	if (count > KB_LISTED_MAX)
		kb_buf_addf(&caption, ": %d of %zu candidates", KB_LISTED_MAX,
			    count);
	qsort(items, count, sizeof(*items), compare_listed);
	kb_table_begin(out, "remarks", caption.data, heads,
		       KB_ARRAY_LEN(heads), false);
	for (size_t i = 0; i < count && i < KB_LISTED_MAX; i++)
		add_listed(out, v, &items[i], has_problems);
	kb_table_end(out);
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

		if (remarks)
			items[count++] = (struct listed){
				&v->rows[i], remarks, kb_buf_detach(&words) };
	}
	if (count)
		add_list(out, v, items, count, has_problems);
	else
		kb_buf_addstr(out, "<p>Nothing stands out.</p>\n");
	for (size_t i = 0; i < count; i++)
		free(items[i].words);
}
