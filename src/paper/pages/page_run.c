#include "pages/page_run.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "pages/cells.h"
#include "pages/figures.h"
#include "pages/html.h"
#include "pages/profiles.h"
#include "pages/refinement.h"
#include "pages/run_head.h"
#include "pages/run_tables.h"
#include "pages/verdict.h"
#include "pages/view.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"
#include "tables/generation_table.h"

/* --- what it was ------------------------------------------------------ */

static void add_note(struct kb_buf *out, const char *name,
		     const struct kb_score *s, enum kb_note note)
{
	const struct kb_score_sheet sheet = { .score = s };
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_note_print(&text, &sheet, note);
	kb_fact(out, name, text.data);
}

static void add_definition(struct kb_buf *out, const struct kb_score *s)
{
	if (kb_json_find(s->definition, "preset"))
		add_note(out, "definition", s, KB_NOTE_PRESET);
	add_note(out, "baseline", s, KB_NOTE_MODE);
	add_note(out, "clock", s, KB_NOTE_CLOCKS);
	add_note(out, "problems", s, KB_NOTE_SELECTED);
	add_note(out, "tolerance", s, KB_NOTE_TOLERANCE);
	add_note(out, "sandbox", s, KB_NOTE_SANDBOX);
	add_note(out, "sound", s, KB_NOTE_SOUND);
	add_note(out, "drift", s, KB_NOTE_DRIFT);
	if (s->allowed.count)
		add_note(out, "mismatches", s, KB_NOTE_ALLOWED);
}

static void add_provenance(struct kb_buf *out, const struct kb_provenance *p)
{
	static const char none[] = "not stated";

	kb_fact(out, "model", p->model ? p->model : none);
	kb_fact(out, "organization", p->organization ? p->organization : none);
	if (p->date)
		kb_fact(out, "date", p->date);
	if (p->run_name)
		kb_fact(out, "run", p->run_name);
	if (p->notes)
		kb_fact(out, "notes", p->notes);
}

static void add_tokens(struct kb_buf *out, const char *name, int64_t tokens)
{
	kb_fact_begin(out, name);
	if (tokens == KB_UNKNOWN)
		kb_buf_addstr(out, "unknown");
	else
		kb_html_addf(out, "%ld", tokens);
	kb_fact_end(out);
}

/* The cost of the candidates, where answers of a model are behind them. */
static void add_spent(struct kb_buf *out, const struct kb_spent *s)
{
	char cost[KB_COST_SIZE];

	add_tokens(out, "tokens in", s->usage.input_tokens);
	add_tokens(out, "tokens out", s->usage.output_tokens);
	if (!s->currency)
		return;
	kb_cost_format(cost, s->cost_nano);
	kb_fact_begin(out, "cost");
	kb_html_addf(out, "%s %s for %ld requests", cost, s->currency,
		     s->requests);
	kb_fact_end(out);
}

static void add_facts(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;
	const struct kb_conditions *c = kb_view_conditions(v);

	kb_buf_addstr(out, "<dl class=\"facts\">\n");
	if (l->submission)
		add_provenance(out, &l->submission->provenance);
	else if (l->score)
		kb_fact(out, "model", kb_score_model_text(l->score));
	if (l->score && l->score->has_spent)
		add_spent(out, &l->score->spent);
	if (l->suite)
		kb_fact_suite(out, l->suite);
	if (c)
		kb_fact(out, "kb commit",
			kb_json_text_or(c->tool, "git_commit", "not recorded"));
	if (l->score)
		add_definition(out, l->score);
	else
		kb_fact(out, "times", l->kind == KB_KIND_BASELINE ?
			"of the references alone" :
			"beside the reference in the same session; a score "
			"divides a baseline's");
	kb_buf_addstr(out, "</dl>\n");
}

static void add_ids(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;

	kb_buf_addstr(out, "<dl class=\"facts\" id=\"ids\">\n");
	kb_fact_id(out, kb_kind_name(l->kind), &v->bundle.id);
	if (l->score) {
		kb_fact_id(out, "evaluation", &l->score->evaluation);
		kb_fact_id(out, "baseline", &l->score->baseline);
		if (l->score->has_spent)
			kb_fact_id(out, "generation",
				   &l->score->spent.generation);
	}
	if (l->evaluation) {
		kb_fact_id(out, "submission", &l->evaluation->submission);
		kb_fact_id(out, "suite", &l->evaluation->suite);
	} else if (l->kind == KB_KIND_BASELINE) {
		kb_fact_id(out, "suite", &l->baseline->suite);
	}
	kb_buf_addstr(out, "</dl>\n");
}

static void add_conditions(struct kb_buf *out, const struct kb_conditions *c)
{
	kb_facts_of_json(out, "Environment", c->environment);
	kb_facts_of_json(out, "Policy", c->policy);
	kb_facts_of_json(out, "Options", c->options);
	kb_facts_of_json(out, "Match key", c->match_key);
}

/* --- sections --------------------------------------------------------- */

static void add_figure(struct kb_buf *out, const struct kb_run_page *p,
		       enum kb_figure figure, const char *title,
		       const char *caption)
{
	kb_auto(buf) struct kb_buf svg = KB_BUF_INIT;

	if (!kb_figure_draw(&svg, figure, p->view, 1, p->has_problems ?
			    KB_PLACE_SITE : KB_PLACE_PAGE))
		return;
	kb_html_addf(out, "<figure><h3>%s</h3>\n", title);
	kb_buf_add(out, svg.data, svg.len);
	kb_html_addf(out, "<figcaption>%s</figcaption></figure>\n", caption);
}

static void add_roof(struct kb_buf *out, const struct kb_roof *r)
{
	kb_buf_addf(out, "The roof is the data sheet's bandwidth, %" PRId64
		    " GB/s, and the rate of the type that the device is "
		    "fastest at, %" PRId64 " TOP/s",
		    r->memory_mb_per_s / 1000, r->arithmetic_gop_per_s / 1000);
	if (r->sm_clock_mhz)
		kb_buf_addf(out, " at %" PRId64 " MHz, the highest SM clock "
			    "that was sampled while a candidate was timed",
			    r->sm_clock_mhz);
	else
		kb_buf_addstr(out, " by its data sheet, as no clock was "
			      "sampled");
	if (r->fp32_gop_per_s)
		kb_buf_addstr(out, "; the dashed line is what fp32 can reach "
			      "without tensor cores");
	kb_buf_addstr(out, ".");
}

static void add_roofline(struct kb_buf *out, const struct kb_run_page *p)
{
	const struct kb_view *v = p->view;
	const struct kb_roof roof = kb_view_roof(v);
	kb_auto(buf) struct kb_buf caption = KB_BUF_INIT;

	kb_buf_addstr(&caption, "Operations and least bytes of one call, as "
		      "the suite states them, by the time that it took. "
		      "Problems without operations are left out. ");
	if (roof.memory_mb_per_s)
		add_roof(&caption, &roof);
	else
		kb_buf_addstr(&caption, "No data sheet is known for this "
			      "device, so there is no roof.");
	add_figure(out, p, KB_FIGURE_ROOFLINE, "Roofline", caption.data);
}

static void add_charts(struct kb_buf *out, const struct kb_run_page *p)
{
	kb_buf_addstr(out, "<section><h2>Charts</h2>\n<div class=\"charts\">\n");
	add_figure(out, p, KB_FIGURE_SPEEDUPS, "Speedups",
		   "Every correct candidate with a time, and its 95 % interval. "
		   "A hollow mark on a dashed line has no known interval.");
	add_figure(out, p, KB_FIGURE_FAST_P, "Faster than p times",
		   "The share of all problems whose candidate is correct and "
		   "faster than p times the baseline. The band lies between "
		   "what is certain and what is possible at 95 %.");
	add_figure(out, p, KB_FIGURE_OUTCOMES, "Outcomes",
		   "The problems of each level by how their candidate ended.");
	add_figure(out, p, KB_FIGURE_SPREAD, "Noise and drift",
		   "Drift: a reference's time next to the candidate, divided by "
		   "its time in the baseline. Noise: its time in the odd trials, "
		   "divided by its time in the even trials. Both are 1 on a "
		   "quiet machine. Marks at an end of the axis may lie beyond "
		   "it.");
	add_roofline(out, p);
	kb_buf_addstr(out, "</div>\n</section>\n");
}

static void add_suspicious(struct kb_buf *out, const struct kb_run_page *p)
{
	kb_buf_addstr(out, "<section><h2>Look at these first</h2>\n"
		      "<p>Candidates with an unusual time, error or conduct. "
		      "None of this is against a rule: a time that is "
		      "impossible fails a check instead.</p>\n");
	kb_remarks_table_print(out, p->view, p->has_problems);
	kb_buf_addstr(out, "</section>\n");
}

static void add_rows(struct kb_buf *out, const struct kb_run_page *p)
{
	const struct kb_view *v = p->view;

	kb_buf_addstr(out, v->lineage.kind == KB_KIND_BASELINE ?
		      "<section><h2>References</h2>\n" :
		      "<section><h2>Candidates</h2>\n");
	kb_rows_table_print(out, v, p->has_problems);
	kb_buf_addstr(out, "<details><summary>Intervals of times, errors, "
		      "noise and bounds</summary>\n");
	kb_more_rows_table_print(out, v);
	if (v->ceiling.peak) {
		kb_buf_addstr(out, "<p class=\"soft\">");
		kb_about_bounds_print(out);
		kb_buf_addstr(out, "</p>\n");
	}
	kb_buf_addstr(out, "</details></section>\n");
}

static void add_how(struct kb_buf *out, const struct kb_view *v)
{
	kb_buf_addstr(out, "<section id=\"holds\"><h2>Does it hold?</h2>\n");
	kb_verdict_print(out, &v->checks);
	kb_buf_addstr(out, "</section>\n<section><h2>How it was measured</h2>"
		      "\n");
	add_facts(out, v);
	if (kb_view_conditions(v))
		add_conditions(out, kb_view_conditions(v));
	kb_buf_addstr(out, "<h3>Bundles</h3>\n<p>Each bundle is named by the "
		      "SHA-256 of its content, which kb-verify and sha256sum "
		      "check.</p>\n");
	add_ids(out, v);
	kb_buf_addstr(out, "</section>\n");
}

void kb_run_page_print(struct kb_buf *out, const struct kb_run_page *p)
{
	const struct kb_view *v = p->view;
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_page_begin(out, &(struct kb_page){
		.title = title.data, .home = p->home,
		.home_title = "Leaderboard" });
	kb_run_head_print(out, v);
	add_rows(out, p);
	if (v->lineage.score) {
		kb_buf_addstr(out, "<section><h2>Numbers</h2>\n");
		kb_metrics_table_print(out, v->lineage.score);
		kb_buf_addstr(out, "</section>\n");
	}
	add_charts(out, p);
	if (v->lineage.generation)
		kb_refinement_section_print(out, v->lineage.generation);
	kb_profiles_print(out, v);
	if (v->lineage.kind != KB_KIND_BASELINE)
		add_suspicious(out, p);
	add_how(out, v);
	kb_page_end(out);
}
