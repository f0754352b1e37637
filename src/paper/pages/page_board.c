#include "pages/page_board.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
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
	const struct kb_provenance *p = kb_view_provenance(v);

	kb_cell_text(out, p && p->model ? p->model : v->lineage.score ?
		     v->lineage.score->model : NULL);
	kb_cell_text(out, p ? p->organization : NULL);
}

static void add_numbers(struct kb_buf *out, const struct kb_metrics *m)
{
	int64_t certain, possible;

	kb_board_fast_1(m, &certain, &possible);
	kb_cell_interval(out, KB_CELL_COUNT, certain, possible);
	kb_cell_count(out, m->correct, m->problems);
	kb_cell_count(out, m->fast[5], m->problems);
	kb_cell_number(out, KB_CELL_RATIO, m->geomean_speedup_micro);
	if (m->has_certainty)
		kb_cell_interval(out, KB_CELL_RATIO,
				 m->certainty.geomean_low_micro,
				 m->certainty.geomean_high_micro);
	else
		kb_cell_interval(out, KB_CELL_RATIO, KB_UNKNOWN, KB_UNKNOWN);
	kb_cell_number(out, KB_CELL_COUNT, m->problems);
}

/* A phone has room for the first three. */
static const struct kb_head heads[] = {
	{ "rank", "rank", false, false },
	{ "title", "submission", true, false },
	{ "fast_1", "fast_1", false, false },
	{ "ranking", "ranking", false, true },
	{ "hardware", "hardware", true, true },
	{ "fast_1_interval", "fast_1, at 95 %", false, false },
	{ "correct", "correct", false, false },
	{ "fast_2", "fast_2", false, false },
	{ "geomean_speedup_micro", "geomean", false, false },
	{ "geomean_interval", "geomean, at 95 %", false, false },
	{ "problems", "problems", false, false },
	{ "verdict", "kb-verify", true, true },
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

/* `which` counts from 0; below 0 the row is of a table of one ranking. */
static void add_row(struct kb_buf *out, const struct kb_view *v,
		    const struct kb_metrics *m, const struct kb_rank *rank,
		    int which, bool has_views)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&v->bundle.id, hex);
	kb_html_addf(out, "<tr data-id=\"%s\">", hex);
	add_rank(out, rank);
	kb_board_title_cell(out, v, has_views);
	kb_cell_count(out, m->fast[KB_FAST_1], m->problems);
	if (which >= 0) {
		kb_cell_number(out, KB_CELL_COUNT, which + 1);
		kb_cell_text(out, c ? kb_hardware_name(c->environment) :
				      "unknown");
	}
	add_numbers(out, m);
	kb_board_verdict_cell(out, v);
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

/* The rows of a ranking: of one level, or of all for 0. False, and nothing, if
 * one of its scores lacks the level. */
static bool print_rows(struct kb_buf *out, const struct page *p, size_t which,
		       int level, bool is_in_all)
{
	const struct kb_ranking *r = &p->board->rankings[which];
	kb_auto(mem) const struct kb_metrics **m =
		kb_xcalloc(r->count + 1, sizeof(*m));
	kb_auto(mem) struct kb_rank *ranks =
		kb_xcalloc(r->count + 1, sizeof(*ranks));

	for (size_t i = 0; i < r->count; i++) {
		m[i] = kb_board_metrics(&p->board->views[r->views[i]], level);
		if (!m[i])
			return false;
	}
	kb_board_rank(ranks, m, r->count);
	for (size_t i = 0; i < r->count; i++)
		add_row(out, &p->board->views[r->views[i]], m[i], &ranks[i],
			is_in_all ? (int)which : -1, p->has_views);
	return true;
}

/* All rankings in one table, which is what a reader came for. */
static void add_all(const struct page *p)
{
	if (!p->board->ranking_count)
		return;
	kb_table_begin(p->out, "ranking", p->board->ranking_count == 1 ?
		       "All levels, by fast_1" :
		       "All levels, by fast_1; a rank is one within a ranking",
		       heads, KB_ARRAY_LEN(heads), true);
	for (size_t i = 0; i < p->board->ranking_count; i++)
		print_rows(p->out, p, i, 0, true);
	kb_table_end(p->out);
}

/* No two tables of a page have one caption. */
static void add_level(const struct page *p, size_t which, int level)
{
	kb_auto(buf) struct kb_buf rows = KB_BUF_INIT;
	struct kb_head shown[KB_ARRAY_LEN(heads)];
	char id[48], name[32], caption[64];
	size_t count = 0;

	if (!print_rows(&rows, p, which, level, false))
		return;
	if (level == KB_BOARD_SOUND) {
		snprintf(id, sizeof(id), "ranking-%zu-sound", which + 1);
		snprintf(name, sizeof(name), "sound problems");
	} else {
		snprintf(id, sizeof(id), "ranking-%zu-%d", which + 1, level);
		snprintf(name, sizeof(name), "level %d", level);
	}
	snprintf(caption, sizeof(caption), "Ranking %zu: %s", which + 1, name);
	kb_html_addf(p->out, "<details><summary>Ranking of %s</summary>\n",
		     name);
	for (size_t i = 0; i < KB_ARRAY_LEN(heads); i++)
		if (strcmp(heads[i].of, "ranking") &&
		    strcmp(heads[i].of, "hardware"))
			shown[count++] = heads[i];
	kb_table_begin(p->out, id, caption, shown, count, false);
	kb_buf_add(p->out, rows.data, rows.len);
	kb_table_end(p->out);
	kb_buf_addstr(p->out, "</details>\n");
}

static void add_levels(const struct page *p, size_t which)
{
	const struct kb_view *first =
		&p->board->views[p->board->rankings[which].views[0]];
	const struct kb_score *s = first->lineage.score;

	for (size_t i = 0; s->level_count > 1 && i < s->level_count; i++)
		add_level(p, which, s->levels[i].level);
	if (kb_board_has(p->board, &p->board->rankings[which], KB_BOARD_SOUND))
		add_level(p, which, KB_BOARD_SOUND);
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
	kb_buf_addstr(p->out, "<figure>\n");
	kb_buf_add(p->out, svg.data, svg.len);
	kb_html_addf(p->out, "<figcaption>The share of problems that %s%zu "
		     "submission%s solve more than p times as fast as the "
		     "baseline.%s</figcaption></figure>\n", r->count > count ?
		     "the first " : "", count, count == 1 ? "" : "s",
		     count > 3 ? "" : " Bands lie between the certain and the "
		     "possible share at 95 %.");
}

static void add_conditions(const struct page *p, size_t which,
			   const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	const struct kb_score *s = v->lineage.score;
	kb_auto(buf) struct kb_buf stack = KB_BUF_INIT, problems = KB_BUF_INIT;

	kb_html_addf(p->out, "<h2>Ranking %zu: %s</h2>\n<dl class=\"facts\">\n",
		     which + 1, c ? kb_hardware_name(c->environment) : "unknown hardware");
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
}

static void add_ranking(const struct page *p, size_t which)
{
	const struct kb_ranking *r = &p->board->rankings[which];
	const struct kb_view *first = &p->board->views[r->views[0]];

	kb_buf_addstr(p->out, "<section>\n");
	add_conditions(p, which, first);
	kb_buf_addstr(p->out, "<div class=\"charts\">\n");
	add_curves(p, which);
	kb_costs_print(p->out, p->board, which);
	kb_buf_addstr(p->out, "</div>\n");
	add_levels(p, which);
	kb_heatmap_print(p->out, p->board, which);
	kb_facts_of_json(p->out, "Definition", first->lineage.score->definition);
	kb_facts_of_json(p->out, "Match key", first->lineage.score->match_key);
	kb_buf_addstr(p->out, "</section>\n");
}

/* Reports have a section of their own. */
static size_t count_unranked(const struct kb_board *b)
{
	size_t count = 0;

	for (size_t i = 0; i < b->unranked_count; i++)
		count += b->views[b->unranked[i].view].lineage.kind !=
			 KB_KIND_REPORT;
	return count;
}

static void add_unranked(const struct page *p)
{
	static const struct kb_head unranked_heads[] = {
		{ "title", "bundle", true, false },
		{ "kind", "kind", true, false },
		{ "verdict", "kb-verify", true, false },
		{ "twin", "same runs as", true, false },
		{ "id", "id", true, false },
	};

	if (!count_unranked(p->board))
		return;
	kb_buf_addstr(p->out, "<section><h2>Not ranked</h2>\n");
	kb_table_begin(p->out, "unranked", "What does not hold, what is no "
		       "score, and runs that stand twice", unranked_heads,
		       KB_ARRAY_LEN(unranked_heads), false);
	for (size_t i = 0; i < p->board->unranked_count; i++) {
		const struct kb_unranked *u = &p->board->unranked[i];
		const struct kb_view *v = &p->board->views[u->view];

		if (v->lineage.kind == KB_KIND_REPORT)
			continue;
		kb_buf_addstr(p->out, "<tr>");
		kb_board_title_cell(p->out, v, p->has_views);
		kb_cell_text(p->out, kb_kind_name(v->lineage.kind));
		kb_board_verdict_cell(p->out, v);
		kb_cell_text(p->out, u->twin ? kb_short_id(u->twin).text : "");
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
		     "bundles, %zu ranking%s. Ranks are by fast_1. Scores share "
		     "a rank if their 95 %% intervals do not decide. A ranking "
		     "has one kind of hardware, one stack, one set of problems "
		     "and one definition.</p>\n",
		     b->view_count, b->ranking_count,
		     b->ranking_count == 1 ? "" : "s");
	if (has_views)
		kb_buf_addstr(out, "<p>The same as data: "
			      "<a href=\"leaderboard.json\">JSON</a>, "
			      "<a href=\"leaderboard.csv\">CSV</a>.</p>\n");
	add_all(&p);
	for (size_t i = 0; i < b->ranking_count; i++)
		add_ranking(&p, i);
	kb_board_claims_print(out, b, has_views);
	add_unranked(&p);
	kb_page_end(out);
}
