#include "pages/page_pair.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/conditions.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/pair.h"
#include "pages/source_text.h"
#include "pages/verdict.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/notes.h"
#include "tables/table.h"

#define TITLE "Two submissions"

/* --- what they are ----------------------------------------------------- */

static void add_view(struct kb_buf *out, const char *which,
		     const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT, verdict = KB_BUF_INIT;
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_view_title_print(&title, v);
	kb_verdict_brief_print(&verdict, &v->checks);
	kb_fact_begin(out, which);
	kb_html_addf(out, "%s, %s, %s <span class=\"id\">%s</span>, kb-verify: "
		     "%s", title.data, c ? kb_hardware_name(c->environment) :
		     "unknown hardware", kb_kind_name(v->lineage.kind),
		     kb_short_id(&v->bundle.id).text, verdict.data);
	kb_fact_end(out);
	if (v->lineage.score)
		kb_warnings_of(&w, v->lineage.score);
	for (size_t i = 0; i < w.count; i++)
		kb_fact(out, "WARNING", w.texts[i]);
}

static void add_head(struct kb_buf *out, const struct kb_pair *p)
{
	char mean[KB_FORMAT_SIZE];

	kb_html_addf(out, "<h1>%s</h1>\n<dl class=\"facts\">\n", TITLE);
	add_view(out, "first", p->first);
	add_view(out, "second", p->second);
	if (p->why_not)
		kb_fact(out, "times are not compared", p->why_not);
	kb_format_ratio(mean, p->geomean_micro);
	kb_fact(out, "the first's times by the second's, geometric mean", mean);
	kb_buf_addstr(out, "</dl>\n");
}

static void add_counts(struct kb_buf *out, const struct kb_pair *p)
{
	static const struct kb_head heads[] = {
		{ "answer", "how it went", true, false },
		{ "problems", "problems", false, false },
	};

	kb_table_begin(out, "answers", "Problems by how they went", heads,
		       KB_ARRAY_LEN(heads), false);
	for (int a = 0; a < KB_PAIR_ANSWER_COUNT; a++) {
		kb_buf_addstr(out, "<tr>");
		kb_cell_text(out, kb_pair_answer_text(a));
		kb_cell_number(out, KB_CELL_COUNT, p->counts[a]);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

/* --- each problem ------------------------------------------------------ */

/* A row is of a problem that either has, so that one side may not be there. */
static void add_side(struct kb_buf *out, const struct kb_view_row *r)
{
	if (r)
		kb_cell_status(out, r->status);
	else
		kb_cell_text(out, "not selected");
	kb_cell_number(out, KB_CELL_US, r ? r->candidate_ns : KB_UNKNOWN);
}

static void add_row(struct kb_buf *out, const struct kb_pair_row *r)
{
	const bool has_ratio = r->ratio_micro != KB_UNKNOWN;
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, key);
	add_side(out, r->first);
	add_side(out, r->second);
	kb_cell_number(out, KB_CELL_RATIO, r->ratio_micro);
	kb_cell_interval(out, KB_CELL_RATIO,
			 has_ratio ? r->low_micro : KB_UNKNOWN,
			 has_ratio ? r->high_micro : KB_UNKNOWN);
	kb_cell_text(out, kb_pair_answer_text(r->answer));
	kb_buf_addstr(out, "</tr>\n");
}

static void add_rows(struct kb_buf *out, const struct kb_pair *p)
{
	static const struct kb_head heads[] = {
		{ "key", "problem", true, false },
		{ "first_status", "first", true, true },
		{ "first_ns", "first, us", false, false },
		{ "second_status", "second", true, true },
		{ "second_ns", "second, us", false, false },
		{ "ratio_micro", "first / second", false, false },
		{ "ratio", "at 95 %", false, false },
		{ "answer", "how it went", true, true },
	};

	kb_table_begin(out, "problems", "Problem by problem", heads,
		       KB_ARRAY_LEN(heads), true);
	for (size_t i = 0; i < p->count; i++)
		add_row(out, &p->rows[i]);
	kb_table_end(out);
}

/* --- sources ----------------------------------------------------------- */

static int add_difference(struct kb_buf *out, const struct kb_pair *p,
			  const struct kb_pair_row *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;
	char key[KB_KEY_SIZE];
	int ret = kb_view_read_candidate(&a, p->first, r->key,
					 r->first->sample_id, err);

	if (ret > 0)
		ret = kb_view_read_candidate(&b, p->second, r->key,
					     r->second->sample_id, err);
	if (ret <= 0)
		return ret;
	kb_key_format(key, r->key);
	kb_html_addf(out, "<details><summary>%s, from the first to the second"
		     "</summary>\n", key);
	kb_diff_print(out, &a, &b);
	kb_buf_addstr(out, "</details>\n");
	return 0;
}

int kb_pair_page_print(struct kb_buf *out, const struct kb_pair *p,
		       struct kb_err *err)
{
	int ret = 0;

	kb_page_begin(out, &(struct kb_page){ .title = TITLE });
	add_head(out, p);
	add_counts(out, p);
	kb_buf_addstr(out, "<section><h2>Problems</h2>\n");
	add_rows(out, p);
	kb_buf_addstr(out, "</section>\n<section><h2>Sources</h2>\n");
	for (size_t i = 0; i < p->count && ret >= 0; i++)
		if (p->rows[i].first && p->rows[i].second)
			ret = add_difference(out, p, &p->rows[i], err);
	kb_buf_addstr(out, "</section>\n");
	kb_page_end(out);
	return ret < 0 ? ret : 0;
}

/* --- on a terminal ----------------------------------------------------- */

static void print_view(struct kb_buf *out, const char *which,
		       const struct kb_view *v)
{
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_buf_addf(out, "%-7s %s ", which,
		    kb_short_id(&v->bundle.id).text);
	kb_format_text(out, title.data);
	kb_buf_addch(out, '\n');
	if (v->lineage.score)
		kb_warnings_print(out, v->lineage.score, "        WARNING ",
				  "\n");
}

static void print_side(struct kb_table *t, const struct kb_view_row *r)
{
	char time[KB_FORMAT_SIZE];

	kb_format_us(time, r ? r->candidate_ns : KB_UNKNOWN);
	kb_table_add(t, r ? kb_status_name(r->status) : "not selected");
	kb_table_add(t, time);
}

static void print_row(struct kb_table *t, const struct kb_pair_row *r)
{
	char key[KB_KEY_SIZE], ratio[KB_FORMAT_SIZE];

	kb_key_format(key, r->key);
	kb_format_ratio(ratio, r->ratio_micro);
	kb_table_add(t, key);
	print_side(t, r->first);
	print_side(t, r->second);
	kb_table_add(t, ratio);
	kb_table_add(t, kb_pair_answer_text(r->answer));
}

/* Without markup, for terminals and logs: the same rows as the page has. */
void kb_pair_text_print(struct kb_buf *out, const struct kb_pair *p,
			struct kb_look look)
{
	static const struct kb_column columns[] = {
		{ "problem", KB_ALIGN_LEFT }, { "first", KB_ALIGN_LEFT },
		{ "us", KB_ALIGN_RIGHT }, { "second", KB_ALIGN_LEFT },
		{ "us", KB_ALIGN_RIGHT }, { "first/second", KB_ALIGN_RIGHT },
		{ "at 95 %", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));
	char mean[KB_FORMAT_SIZE];

	print_view(out, "first", p->first);
	print_view(out, "second", p->second);
	if (p->why_not)
		kb_buf_addf(out, "times are not compared: %s\n", p->why_not);
	kb_buf_addch(out, '\n');
	for (size_t i = 0; i < p->count; i++)
		print_row(t, &p->rows[i]);
	kb_table_print(out, t, look);
	kb_buf_addch(out, '\n');
	for (int a = 0; a < KB_PAIR_ANSWER_COUNT; a++)
		if (p->counts[a])
			kb_buf_addf(out, "%-27s %" PRId64 "\n",
				    kb_pair_answer_text(a), p->counts[a]);
	kb_format_ratio(mean, p->geomean_micro);
	kb_buf_addf(out, "%-27s %s\n", "geomean of first/second", mean);
}
