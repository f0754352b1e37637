#include "pages/page_pair.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/conditions.h"
#include "manifest/suite.h"
#include "pages/cells.h"
#include "pages/dots.h"
#include "pages/html.h"
#include "pages/pair.h"
#include "pages/source_text.h"
#include "pages/verdict.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/notes.h"
#include "tables/table.h"

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

static void add_head(struct kb_buf *out, const struct kb_pair *p,
		     const char *title)
{
	kb_auto(buf) struct kb_buf verdict = KB_BUF_INIT;

	kb_pair_verdict_print(&verdict, p);
	kb_html_addf(out, "<h1>%s</h1>\n<p class=\"verdict\"><b>%s</b></p>\n"
		     "<dl class=\"facts\">\n", title, verdict.data);
	add_view(out, p->names[0], p->first);
	add_view(out, p->names[1], p->second);
	kb_buf_addstr(out, "</dl>\n");
}

static void add_answer(struct kb_buf *out, const struct kb_pair *p,
		       enum kb_pair_answer a)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_pair_answer_print(&text, p, a);
	kb_cell_text(out, text.data);
}

static void add_counts(struct kb_buf *out, const struct kb_pair *p)
{
	static const struct kb_head heads[] = {
		{ "answer", "result", true, false },
		{ "problems", "problems", false, false },
	};

	kb_table_begin(out, "answers", "Problems by result", heads,
		       KB_ARRAY_LEN(heads), false);
	for (int a = 0; a < KB_PAIR_ANSWER_COUNT; a++) {
		if (!p->counts[a])
			continue;
		kb_buf_addstr(out, "<tr>");
		add_answer(out, p, (enum kb_pair_answer)a);
		kb_cell_number(out, KB_CELL_COUNT, p->counts[a]);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

static void draw_ratios(struct kb_buf *out, const struct kb_pair *p)
{
	kb_auto(mem) struct kb_dot *dots = kb_xcalloc(p->count + 1,
						      sizeof(*dots));
	kb_auto(mem) char (*keys)[KB_KEY_SIZE] = kb_xcalloc(p->count + 1,
							    KB_KEY_SIZE);
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct kb_pair_row *r = &p->rows[i];

		if (r->ratio_micro == KB_UNKNOWN || r->ratio_micro <= 0)
			continue;
		kb_key_format(keys[count], r->key);
		dots[count] = (struct kb_dot){
			.name = keys[count], .level = r->key.level,
			.label = r->first->problem ? r->first->problem->name :
						     NULL,
			.micro = r->ratio_micro, .low_micro = r->low_micro,
			.high_micro = r->high_micro,
		};
		count++;
	}
	if (!count)
		return;
	kb_html_addf(out, "<section><h2>Times</h2>\n<div class=\"charts\">"
		     "<figure>\n");
	kb_speedups_draw(out, &(struct kb_chart){
		.id = "ratios", .title = "Ratios of times",
		.axis = "ratio of times (logarithmic)",
		.description = "The time of the first submission divided by "
			"the time of the second, for each problem with both.",
		.width = 560, .height = kb_speedups_height(count),
	}, dots, count);
	kb_html_addf(out, "<figcaption>The time of %s divided by the time of "
		     "%s: right of 1, %s is faster.</figcaption></figure></div>"
		     "</section>\n", p->names[0], p->names[1], p->names[1]);
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

static void add_row(struct kb_buf *out, const struct kb_pair *p,
		    const struct kb_pair_row *r)
{
	const bool has_ratio = r->ratio_micro != KB_UNKNOWN;
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, key);
	add_answer(out, p, r->answer);
	kb_cell_number(out, KB_CELL_RATIO, r->ratio_micro);
	kb_cell_interval(out, KB_CELL_RATIO,
			 has_ratio ? r->low_micro : KB_UNKNOWN,
			 has_ratio ? r->high_micro : KB_UNKNOWN);
	add_side(out, r->first);
	add_side(out, r->second);
	kb_buf_addstr(out, "</tr>\n");
}

static void add_rows(struct kb_buf *out, const struct kb_pair *p)
{
	kb_auto(mem) char *first_us = kb_xasprintf("%s, us", p->names[0]);
	kb_auto(mem) char *second_us = kb_xasprintf("%s, us", p->names[1]);
	const struct kb_head heads[] = {
		{ "key", "problem", true, false },
		{ "answer", "result", true, true },
		{ "ratio_micro", "ratio of times", false, false },
		{ "ratio", "at 95 %", false, false },
		{ "first_status", p->names[0], true, true },
		{ "first_ns", first_us, false, false },
		{ "second_status", p->names[1], true, true },
		{ "second_ns", second_us, false, false },
	};

	kb_table_begin(out, "problems", "Problem by problem", heads,
		       KB_ARRAY_LEN(heads), true);
	for (size_t i = 0; i < p->count; i++)
		add_row(out, p, &p->rows[i]);
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
	kb_html_addf(out, "<details><summary>%s, from %s to %s</summary>\n",
		     key, p->names[0], p->names[1]);
	kb_diff_print(out, &a, &b);
	kb_buf_addstr(out, "</details>\n");
	return 0;
}

int kb_pair_page_print(struct kb_buf *out, const struct kb_pair *p,
		       struct kb_err *err)
{
	kb_auto(mem) char *title = kb_xasprintf("%s and %s", p->names[0],
						p->names[1]);
	int ret = 0;

	kb_page_begin(out, &(struct kb_page){ .title = title });
	add_head(out, p, title);
	add_counts(out, p);
	draw_ratios(out, p);
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

static void print_view(struct kb_buf *out, const struct kb_view *v)
{
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_buf_addf(out, "%s  ", kb_short_id(&v->bundle.id).text);
	kb_format_text(out, title.data);
	kb_buf_addch(out, '\n');
	if (v->lineage.score)
		kb_warnings_print(out, v->lineage.score, "WARNING ", "\n");
}

/* Names are as records have them, which a terminal must not see. The caller
 * frees. */
static char *clean_text(const char *text)
{
	struct kb_buf out = KB_BUF_INIT;

	kb_format_text(&out, text);
	return kb_buf_detach(&out);
}

static char *answer_text(const struct kb_pair *p, enum kb_pair_answer a)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_pair_answer_print(&text, p, a);
	return clean_text(text.data);
}

static void print_side(struct kb_table *t, const struct kb_view_row *r)
{
	char time[KB_FORMAT_SIZE];

	kb_format_us(time, r ? r->candidate_ns : KB_UNKNOWN);
	kb_table_add(t, r ? kb_status_name(r->status) : "not selected");
	kb_table_add(t, time);
}

static void print_row(struct kb_table *t, const struct kb_pair *p,
		      const struct kb_pair_row *r)
{
	kb_auto(mem) char *answer = answer_text(p, r->answer);
	char key[KB_KEY_SIZE], ratio[KB_FORMAT_SIZE];

	kb_key_format(key, r->key);
	kb_format_ratio(ratio, r->ratio_micro);
	kb_table_add(t, key);
	print_side(t, r->first);
	print_side(t, r->second);
	kb_table_add(t, ratio);
	kb_table_add(t, answer);
}

/* Without markup, for terminals and logs: the same rows as the page has. */
void kb_pair_text_print(struct kb_buf *out, const struct kb_pair *p,
			struct kb_look look)
{
	kb_auto(mem) char *first = clean_text(p->names[0]);
	kb_auto(mem) char *second = clean_text(p->names[1]);
	const struct kb_column columns[] = {
		{ "problem", KB_ALIGN_LEFT }, { first, KB_ALIGN_LEFT },
		{ "us", KB_ALIGN_RIGHT }, { second, KB_ALIGN_LEFT },
		{ "us", KB_ALIGN_RIGHT }, { "ratio", KB_ALIGN_RIGHT },
		{ "at 95 %", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));
	kb_auto(buf) struct kb_buf verdict = KB_BUF_INIT;

	print_view(out, p->first);
	print_view(out, p->second);
	kb_buf_addch(out, '\n');
	for (size_t i = 0; i < p->count; i++)
		print_row(t, p, &p->rows[i]);
	kb_table_print(out, t, look);
	kb_buf_addch(out, '\n');
	for (int a = 0; a < KB_PAIR_ANSWER_COUNT; a++) {
		kb_auto(mem) char *text = answer_text(p, (enum kb_pair_answer)a);

		if (p->counts[a])
			kb_buf_addf(out, "%6" PRId64 "  %s\n", p->counts[a],
				    text);
	}
	kb_pair_verdict_print(&verdict, p);
	kb_format_text(out, verdict.data);
	kb_buf_addch(out, '\n');
}
