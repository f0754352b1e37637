#include "pages/page_generation.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/generation.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/refinement.h"
#include "pages/verdict.h"
#include "pages/view.h"
#include "tables/generation_table.h"

static void add_number(struct kb_buf *out, const char *name, int64_t number)
{
	kb_fact_begin(out, name);
	if (number == KB_UNKNOWN)
		kb_buf_addstr(out, "unknown");
	else
		kb_html_addf(out, "%ld", number);
	kb_fact_end(out);
}

static void add_asked(struct kb_buf *out, const struct kb_asked *a)
{
	kb_buf_addstr(out, "<dl class=\"facts\" id=\"asked\">\n");
	kb_fact(out, "model", a->model);
	kb_fact(out, "backend", kb_backend_name(a->backend));
	add_number(out, "problems", (int64_t)a->problem_count);
	add_number(out, "samples of each", a->samples);
	if (a->has_refinement)
		add_number(out, "turns at most", a->refinement.turns);
	kb_fact(out, "sampling", a->sampling);
	if (a->seed != KB_UNKNOWN)
		add_number(out, "seed", a->seed);
	kb_fact(out, "hardware in prompts", a->hardware ? a->hardware : "none");
	kb_buf_addstr(out, "</dl>\n");
}

static void add_answers(struct kb_buf *out, const struct kb_generation *g)
{
	static const struct kb_head heads[] = {
		{ "outcome", "outcome", true, false },
		{ "count", "count", false, false },
	};

	kb_table_begin(out, "answers", "Requests by what came of them", heads, 2,
		       false);
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++) {
		kb_html_addf(out, "<tr data-of=\"%s\">", kb_reply_outcomes[i]);
		kb_cell_text(out, kb_reply_outcome_text((enum kb_reply_outcome)i));
		kb_cell_number(out, KB_CELL_COUNT, g->totals.outcomes[i]);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

static void add_spent(struct kb_buf *out, const struct kb_generation *g)
{
	const struct kb_usage *u = &g->totals.usage;
	char cost[KB_COST_SIZE];

	kb_buf_addstr(out, "<dl class=\"facts\" id=\"spent\">\n");
	add_number(out, "tokens in", u->input_tokens);
	add_number(out, "of them cached", u->cached_tokens);
	add_number(out, "tokens out", u->output_tokens);
	add_number(out, "of them reasoning", u->reasoning_tokens);
	add_number(out, "answers that do not say", g->totals.without_usage);
	if (g->asked.prices.currency) {
		kb_cost_format(cost, g->totals.cost_nano);
		kb_fact_begin(out, "cost");
		kb_html_addf(out, "%s %s", cost, g->asked.prices.currency);
		kb_fact_end(out);
	}
	kb_buf_addstr(out, "</dl>\n");
}

static void add_ids(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_generation *g = v->lineage.generation;

	kb_buf_addstr(out, "<section><h2>Provenance</h2>\n<p>The bundle has "
		      "every prompt, and every answer as it came; kb-verify "
		      "takes the candidates from them again.</p>\n"
		      "<dl class=\"facts\" id=\"ids\">\n");
	kb_fact_id(out, "generation", &v->bundle.id);
	kb_fact_id(out, "suite", &g->asked.suite);
	if (g->asked.has_baseline)
		kb_fact_id(out, "baseline", &g->asked.baseline);
	for (size_t i = 0; i < g->evaluation_count; i++)
		kb_fact_id(out, "evaluation", &g->evaluations[i]);
	kb_buf_addstr(out, "</dl>\n</section>\n");
}

void kb_generation_page_print(struct kb_buf *out, const struct kb_view *v,
			      const char *home)
{
	const struct kb_generation *g = v->lineage.generation;
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_page_begin(out, &(struct kb_page){
		.title = title.data, .home = home,
		.home_title = "Leaderboard" });
	kb_html_addf(out, "<h1>%s</h1>\n<p class=\"lead\">generation <span "
		     "class=\"id\">%s</span>: what a model was asked, and "
		     "answered</p>\n",
		     title.data, kb_short_id(&v->bundle.id).text);
	add_asked(out, &g->asked);
	kb_buf_addstr(out, "<section><h2>Does it hold?</h2>\n");
	kb_verdict_print(out, &v->checks);
	kb_buf_addstr(out, "</section>\n<section><h2>Answers</h2>\n");
	add_answers(out, g);
	add_spent(out, g);
	kb_buf_addstr(out, "</section>\n");
	kb_refinement_section_print(out, g);
	add_ids(out, v);
	kb_page_end(out);
}
