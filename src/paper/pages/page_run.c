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
#include "pages/run_tables.h"
#include "pages/verdict.h"
#include "pages/view.h"
#include "score/metrics.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
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

/* Above all numbers, which say less than they seem to. */
static void add_warnings(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_warnings_of(&w, s);
	for (size_t i = 0; i < w.count; i++)
		kb_html_addf(out, "<p class=\"warning\" role=\"note\">"
			     "<b>WARNING</b> %s</p>\n", w.texts[i]);
}

static void add_machine(struct kb_buf *out, const struct kb_conditions *c)
{
	kb_auto(buf) struct kb_buf stack = KB_BUF_INIT;

	kb_fact(out, "hardware", kb_hardware_name(c->environment));
	kb_stack_print(&stack, c->environment);
	kb_fact(out, "stack", stack.data);
	kb_fact(out, "kb commit",
		kb_json_text_or(c->tool, "git_commit", "not recorded"));
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

/* What the candidates cost, where answers of a model are behind them. */
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
		kb_fact(out, "suite", l->suite->name);
	if (c)
		add_machine(out, c);
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

/* --- at a glance ------------------------------------------------------ */

static void add_card(struct kb_buf *out, const char *name, const char *text,
		     const char *below)
{
	kb_html_addf(out, "<li><b>%s</b>%s<br><span>%s</span></li>\n", text,
		     name, below ? below : "");
}

static void add_count_card(struct kb_buf *out, const struct kb_metrics *m,
			   const char *name, int64_t count)
{
	kb_auto(buf) struct kb_buf below = KB_BUF_INIT;
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, count, m->problems);
	kb_buf_addf(&below, "%" PRId64 " of %" PRId64, count, m->problems);
	add_card(out, name, pct, below.data);
}

static void add_cards(struct kb_buf *out, const struct kb_metrics *m)
{
	kb_auto(buf) struct kb_buf fast = KB_BUF_INIT, mean = KB_BUF_INIT;
	char text[KB_FORMAT_SIZE], low[KB_FORMAT_SIZE], high[KB_FORMAT_SIZE];

	kb_buf_addstr(out, "<ul class=\"cards\">\n");
	add_count_card(out, m, "correct", m->correct);
	kb_format_pct(text, m->fast[KB_FAST_1], m->problems);
	if (m->has_certainty)
		kb_buf_addf(&fast, "%" PRId64 " to %" PRId64 " of %" PRId64
			    " at 95 %%", m->certainty.certain[KB_FAST_1],
			    m->certainty.certain[KB_FAST_1] +
			    m->certainty.undecided[KB_FAST_1], m->problems);
	add_card(out, "faster than the baseline", text, fast.data);
	kb_format_ratio(text, m->geomean_speedup_micro);
	if (m->has_certainty &&
	    m->certainty.geomean_high_micro != KB_UNKNOWN) {
		kb_format_ratio(low, m->certainty.geomean_low_micro);
		kb_format_ratio(high, m->certainty.geomean_high_micro);
		kb_buf_addf(&mean, "%s to %s at 95 %%", low, high);
	}
	add_card(out, "geometric mean speedup", text, mean.data);
	kb_buf_addstr(out, "</ul>\n");
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
	kb_html_addf(out, "<section><h2>%s</h2>\n<figure><div class=\"wide\" "
		     "tabindex=\"0\" role=\"region\" aria-label=\"%s, chart\">"
		     "\n", title, title);
	kb_buf_add(out, svg.data, svg.len);
	kb_html_addf(out, "</div><figcaption>%s</figcaption></figure></section>\n",
		     caption);
}

static void add_performance(struct kb_buf *out, const struct kb_run_page *p)
{
	add_figure(out, p, KB_FIGURE_FAST_P, "Faster than p times",
		   "Of all problems, those whose candidate is correct and "
		   "faster than p times the baseline. The band lies between "
		   "what is certain and what is possible at 95 %; the numbers "
		   "are in the table above.");
	add_figure(out, p, KB_FIGURE_SPEEDUPS, "Speedups",
		   "Every correct candidate with a time, from the slowest to "
		   "the fastest, with its interval at 95 %; the numbers are in "
		   "the table of candidates.");
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

static void add_outcomes(struct kb_buf *out, const struct kb_run_page *p)
{
	add_figure(out, p, KB_FIGURE_OUTCOMES, "Outcomes",
		   "Problems by class; each class has a letter.");
	kb_status_table_print(out, p->view);
}

static void add_listed(struct kb_buf *out, const struct kb_run_page *p)
{
	kb_buf_addstr(out, "<section><h2>Slowest</h2>\n");
	kb_slowest_table_print(out, p->view, p->has_problems);
	kb_buf_addstr(out, "</section>\n<section><h2>Most suspicious</h2>\n"
		      "<p>Advice, not a charge: what cannot be so, the "
		      "verdict above says.</p>\n");
	kb_remarks_table_print(out, p->view, p->has_problems);
	kb_buf_addstr(out, "</section>\n");
}

static void add_body(struct kb_buf *out, const struct kb_run_page *p)
{
	const struct kb_view *v = p->view;

	add_facts(out, v);
	kb_buf_addstr(out, "<section><h2>Does it hold?</h2>\n");
	kb_verdict_print(out, &v->checks);
	kb_buf_addstr(out, "</section>\n");
	if (v->lineage.score) {
		kb_buf_addstr(out, "<section><h2>Numbers</h2>\n");
		kb_metrics_table_print(out, v->lineage.score);
		kb_buf_addstr(out, "</section>\n");
	}
	add_performance(out, p);
	if (v->lineage.generation)
		kb_refinement_section_print(out, v->lineage.generation);
	add_outcomes(out, p);
	add_figure(out, p, KB_FIGURE_SPREAD, "Noise and drift",
		   "Drift: a reference's time beside the candidate by its time "
		   "in the baseline. Noise: its time by the odd trials alone "
		   "by that by the even ones. Both are 1 where nothing "
		   "disturbs; what lies beyond the axis is at its end.");
	add_roofline(out, p);
	kb_profiles_print(out, v);
	if (v->lineage.kind != KB_KIND_BASELINE)
		add_listed(out, p);
	kb_buf_addstr(out, v->lineage.kind == KB_KIND_BASELINE ?
		      "<section><h2>All references</h2>\n" :
		      "<section><h2>All candidates</h2>\n");
	kb_rows_table_print(out, v, p->has_problems);
	if (v->ceiling.peak) {
		kb_buf_addstr(out, "<p class=\"soft\">");
		kb_about_bounds_print(out);
		kb_buf_addstr(out, "</p>\n");
	}
	kb_buf_addstr(out, "</section>\n<section><h2>Provenance</h2>\n"
		      "<p>Each of these is a bundle named by its content: "
		      "kb-verify checks it, and so does sha256sum.</p>\n");
	add_ids(out, v);
	if (kb_view_conditions(v))
		add_conditions(out, kb_view_conditions(v));
	kb_buf_addstr(out, "</section>\n");
}

void kb_run_page_print(struct kb_buf *out, const struct kb_run_page *p)
{
	const struct kb_view *v = p->view;
	const struct kb_conditions *c = kb_view_conditions(v);
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_page_begin(out, &(struct kb_page){
		.title = title.data, .home = p->home,
		.home_title = "Leaderboard" });
	kb_html_addf(out, "<h1>%s</h1>\n<p class=\"lead\">%s <span class=\"id\">"
		     "%s</span> on %s</p>\n", title.data,
		     kb_kind_name(v->lineage.kind),
		     kb_short_id(&v->bundle.id).text,
		     c ? kb_hardware_name(c->environment) : "unknown hardware");
	if (v->lineage.score)
		add_warnings(out, v->lineage.score);
	if (v->lineage.kind != KB_KIND_BASELINE)
		add_cards(out, kb_view_overall(v));
	add_body(out, p);
	kb_page_end(out);
}
