#include "pages/page_board.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "pages/board.h"
#include "pages/board_cells.h"
#include "pages/cells.h"
#include "pages/costs.h"
#include "pages/figures.h"
#include "pages/heatmap.h"
#include "pages/html.h"
#include "pages/page_claims.h"
#include "pages/view.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/note_texts.h"
#include "sheet/notes.h"

/* --- a row ------------------------------------------------------------ */

static void add_rank(struct kb_buf *out, const struct kb_rank *r)
{
	if (r->first == r->last)
		kb_html_addf(out, "<td data-v=\"%zu\"><b>%zu</b></td>",
			     r->first, r->first);
	else
		kb_html_addf(out, "<td data-v=\"%zu\"><b>%zu</b> to %zu</td>",
			     r->first, r->first, r->last);
}

static void add_who(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_provenance *p = v->lineage.submission ?
		&v->lineage.submission->provenance : NULL;

	kb_cell_text(out, p && p->model ? p->model : v->lineage.score ?
		     v->lineage.score->model : NULL);
	kb_cell_text(out, p ? p->organization : NULL);
}

static void add_count(struct kb_buf *out, int64_t count, int64_t of)
{
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, count, of);
	kb_html_addf(out, "<td data-v=\"%ld\">%ld <span class=\"soft\">%s"
		     "</span></td>", count, count, pct);
}

static void add_numbers(struct kb_buf *out, const struct kb_metrics *m)
{
	int64_t certain, possible;

	add_count(out, m->correct, m->problems);
	add_count(out, m->fast[3], m->problems);
	kb_board_fast_1(m, &certain, &possible);
	kb_cell_interval(out, KB_CELL_COUNT, certain, possible);
	add_count(out, m->fast[5], m->problems);
	kb_cell_number(out, KB_CELL_RATIO, m->geomean_speedup_micro);
	if (m->has_certainty)
		kb_cell_interval(out, KB_CELL_RATIO,
				 m->certainty.geomean_low_micro,
				 m->certainty.geomean_high_micro);
	else
		kb_cell_interval(out, KB_CELL_RATIO, KB_UNKNOWN, KB_UNKNOWN);
	kb_cell_number(out, KB_CELL_COUNT, m->problems);
}

static const struct kb_head heads[] = {
	{ "rank", "rank", false, false },
	{ "title", "submission", true, false },
	{ "verdict", "kb-verify", true, true },
	{ "correct", "correct", false, false },
	{ "fast_1", "fast_1", false, false },
	{ "fast_1_interval", "fast_1, at 95 %", false, false },
	{ "fast_2", "fast_2", false, false },
	{ "geomean_speedup_micro", "geomean", false, false },
	{ "geomean_interval", "geomean, at 95 %", false, false },
	{ "problems", "problems", false, false },
	{ "model", "model", true, true },
	{ "organization", "organization", true, true },
	{ "id", "score", true, false },
	{ "warnings", "warnings", true, false },
};

static void add_warnings(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_warnings_join(&text, s);
	kb_html_addf(out, "<td class=\"words\">%s</td>", text.data);
}

static void add_row(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_metrics *m, const struct kb_rank *rank,
		    bool has_views)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&v->bundle.id, hex);
	kb_html_addf(out, "<tr data-id=\"%s\">", hex);
	add_rank(out, rank);
	kb_board_title_cell(out, v, has_views);
	kb_board_verdict_cell(out, v);
	add_numbers(out, m);
	add_who(out, v);
	kb_board_id_cell(out, v);
	add_warnings(out, v->lineage.score);
	kb_buf_addstr(out, "</tr>\n");
}

/* --- a ranking -------------------------------------------------------- */

struct page {
	struct kb_buf *out;
	const struct kb_board *board;
	bool has_views;
};

#define CAPTION_SIZE 64

/* No two regions of a page are called the same. */
static void print_caption(char out[CAPTION_SIZE], const struct page *p,
			  size_t which, int level)
{
	char ranking[32] = "", levels[32] = "all levels, by fast_1";

	if (p->board->ranking_count > 1)
		snprintf(ranking, sizeof(ranking), "Ranking %zu: ", which + 1);
	if (level == KB_BOARD_SOUND)
		snprintf(levels, sizeof(levels), "sound problems");
	else if (level)
		snprintf(levels, sizeof(levels), "level %d", level);
	snprintf(out, CAPTION_SIZE, "%s%s", ranking, levels);
	out[0] = (char)toupper((unsigned char)out[0]);
}

/* Of one level, or of all for 0. Those that lack the level are left out. */
static void add_table(const struct page *p, size_t which, int level)
{
	const struct kb_ranking *r = &p->board->rankings[which];
	kb_auto(mem) const struct kb_metrics **m =
		kb_xcalloc(r->count + 1, sizeof(*m));
	kb_auto(mem) struct kb_rank *ranks =
		kb_xcalloc(r->count + 1, sizeof(*ranks));
	char id[48], caption[CAPTION_SIZE];

	snprintf(id, sizeof(id), level == KB_BOARD_SOUND ?
		 "ranking-%zu-sound" : "ranking-%zu-%d", which + 1, level);
	print_caption(caption, p, which, level);
	for (size_t i = 0; i < r->count; i++) {
		m[i] = kb_board_metrics(&p->board->views[r->views[i]], level);
		if (!m[i])
			return;
	}
	kb_board_rank(ranks, m, r->count);
	kb_table_begin(p->out, id, caption, heads, KB_ARRAY_LEN(heads),
		       !level);
	for (size_t i = 0; i < r->count; i++)
		add_row(p->out, &p->board->views[r->views[i]], m[i], &ranks[i],
			p->has_views);
	kb_table_end(p->out);
}

static void add_levels(const struct page *p, size_t which)
{
	const struct kb_view *first =
		&p->board->views[p->board->rankings[which].views[0]];
	const struct kb_score *s = first->lineage.score;

	for (size_t i = 0; s->level_count > 1 && i < s->level_count; i++) {
		kb_html_addf(p->out, "<details><summary>Level %d</summary>\n",
			     s->levels[i].level);
		add_table(p, which, s->levels[i].level);
		kb_buf_addstr(p->out, "</details>\n");
	}
	if (!kb_board_has(p->board, &p->board->rankings[which], KB_BOARD_SOUND))
		return;
	kb_buf_addstr(p->out, "<details><summary>Sound problems</summary>\n");
	add_table(p, which, KB_BOARD_SOUND);
	kb_buf_addstr(p->out, "</details>\n");
}

#define CURVES_MAX 10

static void add_curves(const struct page *p, size_t which)
{
	const struct kb_ranking *r = &p->board->rankings[which];
	const size_t count = r->count < CURVES_MAX ? r->count : CURVES_MAX;
	kb_auto(mem) struct kb_view *views = kb_xcalloc(count, sizeof(*views));
	kb_auto(buf) struct kb_buf svg = KB_BUF_INIT;

	/* Shallow, and never released. */
	for (size_t i = 0; i < count; i++)
		views[i] = p->board->views[r->views[i]];
	if (!kb_figure_draw(&svg, KB_FIGURE_FAST_P, views, count,
			    KB_PLACE_PAGE))
		return;
	kb_html_addf(p->out, "<figure><div class=\"wide\" tabindex=\"0\" "
		     "role=\"region\" aria-label=\"fast_p of ranking %zu, "
		     "chart\">\n", which + 1);
	kb_buf_add(p->out, svg.data, svg.len);
	kb_html_addf(p->out, "</div><figcaption>fast_p over p of %s%zu.%s"
		     "</figcaption></figure>\n", r->count > count ?
		     "the first " : "", count, count > 3 ? "" :
		     " Bands lie between what is certain and what is possible "
		     "at 95 %.");
}

static void add_conditions(const struct page *p, const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	const struct kb_score *s = v->lineage.score;
	kb_auto(buf) struct kb_buf stack = KB_BUF_INIT, problems = KB_BUF_INIT;

	kb_html_addf(p->out, "<h2>%s</h2>\n<dl class=\"facts\">\n",
		     c ? kb_hardware_name(c->environment) : "Unknown hardware");
	if (v->lineage.suite)
		kb_fact_suite(p->out, v->lineage.suite);
	if (c) {
		kb_stack_print(&stack, c->environment);
		kb_fact(p->out, "stack", stack.data);
	}
	kb_selected_print(&problems, s);
	kb_fact(p->out, "problems", problems.data);
	for (size_t i = 0; i < s->allowed.count; i++)
		kb_fact(p->out, "mismatch allowed", s->allowed.items[i].field);
	kb_buf_addstr(p->out, "</dl>\n");
	kb_facts_of_json(p->out, "Definition", s->definition);
	kb_facts_of_json(p->out, "Match key", s->match_key);
}

static void add_ranking(const struct page *p, size_t which)
{
	const struct kb_ranking *r = &p->board->rankings[which];

	kb_buf_addstr(p->out, "<section>\n");
	add_conditions(p, &p->board->views[r->views[0]]);
	add_table(p, which, 0);
	add_levels(p, which);
	add_curves(p, which);
	kb_costs_print(p->out, p->board, which);
	kb_heatmap_print(p->out, p->board, which);
	kb_buf_addstr(p->out, "</section>\n");
}

/* Reports have a section of their own. */
static size_t count_unranked(const struct kb_board *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->unranked_count; i++)
		count += b->views[b->unranked[i]].lineage.kind !=
			 KB_KIND_REPORT;
	return count;
}

static void add_unranked(const struct page *p)
{
	static const struct kb_head unranked_heads[] = {
		{ "title", "bundle", true, false },
		{ "kind", "kind", true, false },
		{ "verdict", "kb-verify", true, false },
		{ "id", "id", true, false },
	};

	if (!count_unranked(p->board))
		return;
	kb_buf_addstr(p->out, "<section><h2>Not ranked</h2>\n");
	kb_table_begin(p->out, "unranked", "What does not hold, and what is "
		       "no score", unranked_heads,
		       KB_ARRAY_LEN(unranked_heads), false);
	for (size_t i = 0; i < p->board->unranked_count; i++) {
		const struct kb_view *v =
			&p->board->views[p->board->unranked[i]];

		if (v->lineage.kind == KB_KIND_REPORT)
			continue;
		kb_buf_addstr(p->out, "<tr>");
		kb_board_title_cell(p->out, v, p->has_views);
		kb_cell_text(p->out, kb_kind_name(v->lineage.kind));
		kb_board_verdict_cell(p->out, v);
		kb_board_id_cell(p->out, v);
		kb_buf_addstr(p->out, "</tr>\n");
	}
	kb_table_end(p->out);
	kb_buf_addstr(p->out, "</section>\n");
}

void kb_board_page_print(struct kb_buf *out, const struct kb_board *b,
			 bool has_views)
{
	const struct page p = { out, b, has_views };

	kb_page_begin(out, &(struct kb_page){ .title = "Leaderboard" });
	kb_html_addf(out, "<h1>Leaderboard</h1>\n<p class=\"lead\">%zu "
		     "bundles, %zu ranking%s. Ranks are by fast_1; what is "
		     "undecided at 95 %% shares a rank. Scores of other "
		     "hardware, another stack, other problems or another "
		     "definition are never in one ranking.</p>\n",
		     b->view_count, b->ranking_count,
		     b->ranking_count == 1 ? "" : "s");
	if (has_views)
		kb_buf_addstr(out, "<p>The same as data: "
			      "<a href=\"leaderboard.json\">JSON</a>, "
			      "<a href=\"leaderboard.csv\">CSV</a>.</p>\n");
	for (size_t i = 0; i < b->ranking_count; i++)
		add_ranking(&p, i);
	kb_board_claims_print(out, b, has_views);
	add_unranked(&p);
	kb_page_end(out);
}
