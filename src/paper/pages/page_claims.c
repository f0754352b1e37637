#include "pages/page_claims.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/report.h"
#include "pages/board.h"
#include "pages/board_cells.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/verdict.h"
#include "pages/view.h"
#include "sheet/format.h"
#include "tables/claims_table.h"

/* Records have these with nine digits, tables with three. */
static void add_geomean(struct kb_buf *out, const struct kb_report_level *l)
{
	char text[KB_FORMAT_SIZE];

	kb_claims_geomean_format(text, l);
	if (l->geomean_speedup_nano > 0)
		kb_html_addf(out, "<td data-v=\"%ld\">%s</td>",
			     l->geomean_speedup_nano, text);
	else
		kb_html_addf(out, "<td data-v=\"\">%s</td>", text);
}

static void add_level(struct kb_buf *out, const struct kb_report *r,
		      const struct kb_report_level *l)
{
	const int64_t fast_of = kb_claims_fast_of(r, l);

	kb_cell_number(out, KB_CELL_COUNT, l->level);
	kb_cell_number(out, KB_CELL_COUNT, l->problems);
	kb_cell_number(out, KB_CELL_COUNT, l->results);
	kb_cell_count(out, l->compiled, l->problems);
	kb_cell_count(out, l->correct, l->problems);
	kb_cell_number(out, KB_CELL_COUNT, l->with_baseline);
	for (int p = 0; p < KB_FAST_COUNT; p++)
		kb_cell_count(out, l->fast[p], fast_of);
	add_geomean(out, l);
}

enum { LEVEL_HEADS = 6 + KB_FAST_COUNT + 1 };

static void set_heads(struct kb_head heads[LEVEL_HEADS],
		      char names[KB_FAST_COUNT][2 * KB_FORMAT_SIZE])
{
	static const struct kb_head fixed[] = {
		{ "level", "level", false, false },
		{ "problems", "problems", false, false },
		{ "results", "results", false, false },
		{ "compiled", "compiled", false, false },
		{ "correct", "correct", false, false },
		{ "with_baseline", "with baseline", false, false },
	};

	memcpy(heads, fixed, sizeof(fixed));
	for (int p = 0; p < KB_FAST_COUNT; p++) {
		char milli[KB_FORMAT_SIZE];

		kb_format_milli(milli, kb_fast_p_milli[p]);
		snprintf(names[p], sizeof(names[p]), "fast_%s", milli);
		heads[KB_ARRAY_LEN(fixed) + (size_t)p] = (struct kb_head){
			names[p], names[p], false, false };
	}
	heads[LEVEL_HEADS - 1] = (struct kb_head){
		"geomean_speedup_nano", "geomean", false, false };
}

/* --- a page --------------------------------------------------------------- */

static void add_levels(struct kb_buf *out, const struct kb_report *r)
{
	struct kb_head heads[LEVEL_HEADS];
	char names[KB_FAST_COUNT][2 * KB_FORMAT_SIZE];

	set_heads(heads, names);
	kb_table_begin(out, "claims", "Counts and rates that follow from what "
		       "was reported", heads, LEVEL_HEADS, false);
	for (size_t i = 0; i < r->level_count; i++) {
		kb_buf_addstr(out, "<tr>");
		add_level(out, r, &r->levels[i]);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

static void add_left_out(struct kb_buf *out, const struct kb_report *r)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char *rest, *line;

	kb_claims_left_out_print(&text, r);
	for (line = text.len ? strtok_r(text.data, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		kb_html_addf(out, "<p class=\"soft\">%s</p>\n", line);
}

static void add_file(struct kb_buf *out, const char *name,
		     const struct kb_report_file *f)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&f->digest, hex);
	kb_fact_begin(out, name);
	kb_html_addf(out, "%ld bytes, SHA-256 <span class=\"id\">%s</span>",
		     (long)f->size_bytes, hex);
	kb_fact_end(out);
}

static void add_provenance(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_report *r = v->lineage.report;

	kb_buf_addstr(out, "<section><h2>Provenance</h2>\n<p>The bundle has "
		      "the files as they came; kb-verify makes these numbers "
		      "from them again.</p>\n<dl class=\"facts\" id=\"ids\">"
		      "\n");
	kb_fact_id(out, "report", &v->bundle.id);
	add_file(out, "results", &r->results);
	if (r->has_baseline)
		add_file(out, "baseline", &r->baseline);
	kb_buf_addstr(out, "</dl>\n</section>\n");
}

static const char what_it_is[] =
	"Somebody reported these results. Nothing of them was measured by kb: "
	"there are no samples, and no conditions under which they were taken, so "
	"that they are ranked beside nobody.";

void kb_claims_page_print(struct kb_buf *out, const struct kb_view *v,
			  const char *home)
{
	const struct kb_report *r = v->lineage.report;
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_page_begin(out, &(struct kb_page){
		.title = title.data, .home = home,
		.home_title = "Leaderboard" });
	kb_html_addf(out, "<h1>%s</h1>\n<p class=\"lead\">report <span "
		     "class=\"id\">%s</span>, self-reported</p>\n<p>%s</p>\n"
		     "<dl class=\"facts\">\n", title.data,
		     kb_short_id(&v->bundle.id).text, what_it_is);
	kb_fact(out, "format", kb_report_format_name(r->format));
	if (r->run)
		kb_fact(out, "run", r->run);
	kb_buf_addstr(out, "</dl>\n<section><h2>Does it hold?</h2>\n");
	kb_verdict_print(out, &v->checks);
	kb_buf_addstr(out, "</section>\n<section><h2>Numbers</h2>\n");
	add_levels(out, r);
	add_left_out(out, r);
	kb_buf_addstr(out, "</section>\n");
	add_provenance(out, v);
	kb_page_end(out);
}

/* --- of a leaderboard ------------------------------------------------------ */

static void add_level_briefly(struct kb_buf *out, const struct kb_report *r,
			      const struct kb_report_level *l)
{
	kb_cell_number(out, KB_CELL_COUNT, l->level);
	kb_cell_number(out, KB_CELL_COUNT, l->problems);
	kb_cell_count(out, l->correct, l->problems);
	kb_cell_count(out, l->fast[KB_FAST_1], kb_claims_fast_of(r, l));
	add_geomean(out, l);
}

static void add_rows(struct kb_buf *out, const struct kb_view *v,
		     bool has_views)
{
	const struct kb_report *r = v->lineage.report;

	for (size_t i = 0; i < r->level_count; i++) {
		kb_buf_addstr(out, "<tr>");
		kb_board_title_cell(out, v, has_views);
		kb_board_verdict_cell(out, v);
		kb_cell_text(out, kb_report_format_name(r->format));
		add_level_briefly(out, r, &r->levels[i]);
		kb_board_id_cell(out, v);
		kb_buf_addstr(out, "</tr>\n");
	}
}

static size_t count_reports(const struct kb_board *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->unranked_count; i++)
		count += b->views[b->unranked[i].view].lineage.kind ==
			 KB_KIND_REPORT;
	return count;
}

void kb_board_claims_print(struct kb_buf *out, const struct kb_board *b,
			   bool has_views)
{
	static const struct kb_head heads[] = {
		{ "title", "report", true, false },
		{ "verdict", "kb-verify", true, false },
		{ "format", "format", true, false },
		{ "level", "level", false, false },
		{ "problems", "problems", false, false },
		{ "correct", "correct", false, false },
		{ "fast_1", "fast_1", false, false },
		{ "geomean_speedup_nano", "geomean", false, false },
		{ "id", "id", true, false },
	};

	if (!count_reports(b))
		return;
	kb_html_addf(out, "<section><h2>Reported by others</h2>\n<p>%s</p>\n",
		     what_it_is);
	kb_table_begin(out, "reports", "By level, as it follows from what was "
		       "reported", heads, KB_ARRAY_LEN(heads), false);
	for (size_t i = 0; i < b->unranked_count; i++)
		if (b->views[b->unranked[i].view].lineage.kind ==
		    KB_KIND_REPORT)
			add_rows(out, &b->views[b->unranked[i].view], has_views);
	kb_table_end(out);
	kb_buf_addstr(out, "</section>\n");
}
