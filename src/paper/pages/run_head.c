#include "pages/run_head.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/verdict.h"
#include "pages/view.h"
#include "session/options.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/notes.h"

/* --- warnings and verdict --------------------------------------------- */

static void add_warnings(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_warnings_of(&w, s);
	for (size_t i = 0; i < w.count; i++)
		kb_html_addf(out, "<p class=\"warning\" role=\"note\">"
			     "<b>WARNING</b> %s</p>\n", w.texts[i]);
}

static void add_counts(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_metrics *m = kb_view_overall(v);

	kb_html_addf(out, "<b>%ld of %ld problems are correct, and %ld faster "
		     "than the %s.</b> ", m->correct, m->problems,
		     m->fast[KB_FAST_1], v->lineage.score ? "baseline" :
		     "reference beside them");
}

static void add_verdict(struct kb_buf *out, const struct kb_view *v)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	const enum kb_answer a = kb_checks_answer(&v->checks) == KB_ANSWER_NO ?
				 KB_ANSWER_NO : KB_ANSWER_OK;

	kb_buf_addstr(out, "<p class=\"verdict\">");
	if (v->lineage.kind != KB_KIND_BASELINE)
		add_counts(out, v);
	kb_verdict_line_print(&line, &v->checks);
	kb_html_addf(out, "<span class=\"line %s\">kb-verify: %s</span></p>\n",
		     kb_answer_class(a), line.data);
}

/* --- three numbers ---------------------------------------------------- */

static void add_card(struct kb_buf *out, const char *name, const char *text,
		     const char *below)
{
	kb_html_addf(out, "<li><b>%s</b>%s<br><span>%s</span></li>\n", text,
		     name, below ? below : "");
}

static void add_correct_card(struct kb_buf *out, const struct kb_metrics *m)
{
	kb_auto(buf) struct kb_buf below = KB_BUF_INIT;
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, m->correct, m->problems);
	kb_buf_addf(&below, "%" PRId64 " of %" PRId64, m->correct, m->problems);
	add_card(out, "correct", pct, below.data);
}

static void add_fast_card(struct kb_buf *out, const struct kb_metrics *m)
{
	const struct kb_certainty *c = &m->certainty;
	const int64_t certain = c->certain[KB_FAST_1];
	kb_auto(buf) struct kb_buf below = KB_BUF_INIT;
	char pct[KB_FORMAT_SIZE];

	kb_format_pct(pct, m->fast[KB_FAST_1], m->problems);
	if (m->has_certainty)
		kb_buf_addf(&below, "%" PRId64 " to %" PRId64 " of %" PRId64
			    " at 95\u00a0%%", certain,
			    certain + c->undecided[KB_FAST_1], m->problems);
	add_card(out, "faster than the baseline", pct, below.data);
}

static void add_mean_card(struct kb_buf *out, const struct kb_metrics *m)
{
	const struct kb_certainty *c = &m->certainty;
	kb_auto(buf) struct kb_buf below = KB_BUF_INIT;
	char text[KB_FORMAT_SIZE], low[KB_FORMAT_SIZE], high[KB_FORMAT_SIZE];

	kb_format_ratio(text, m->geomean_speedup_micro);
	if (m->has_certainty && c->geomean_high_micro == KB_UNKNOWN) {
		kb_buf_addstr(&below, "interval not known");
	} else if (m->has_certainty) {
		kb_format_ratio(low, c->geomean_low_micro);
		kb_format_ratio(high, c->geomean_high_micro);
		kb_buf_addf(&below, "%s to %s at 95\u00a0%%", low, high);
	}
	add_card(out, "geometric mean speedup", text, below.data);
}

static void add_cards(struct kb_buf *out, const struct kb_metrics *m)
{
	kb_buf_addstr(out, "<ul class=\"cards\">\n");
	add_correct_card(out, m);
	add_fast_card(out, m);
	add_mean_card(out, m);
	kb_buf_addstr(out, "</ul>\n");
}

/* --- when, where, how long, how --------------------------------------- */

static const char *date_of(const struct kb_conditions *c)
{
	return kb_environment_text(c->environment, "os", "begun_utc");
}

static void add_date(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	const char *date = c ? date_of(c) : NULL;
	const char *base = v->lineage.kind == KB_KIND_SCORE &&
		v->lineage.baseline ?
		date_of(&v->lineage.baseline->conditions) : NULL;

	kb_fact_begin(out, "measured");
	kb_html_addf(out, "%s", date ? date : "at a time that is not recorded");
	if (base)
		kb_html_addf(out, ", the baseline %s", base);
	kb_fact_end(out);
}

/* The wall time of all rows; devices that worked at the same time add up. */
static int64_t total_ns(const struct kb_view *v)
{
	int64_t total = 0;

	for (size_t i = 0; i < v->row_count; i++)
		total += v->rows[i].result ? v->rows[i].result->outcome.wall_ns :
			 v->rows[i].reference ?
			 v->rows[i].reference->outcome.wall_ns : 0;
	return total;
}

static void add_duration(struct kb_buf *out, const struct kb_view *v)
{
	const int64_t s = total_ns(v) / 1000000000;

	kb_fact_begin(out, "took");
	if (s >= 3600)
		kb_html_addf(out, "%ld h ", s / 3600);
	if (s >= 60)
		kb_html_addf(out, "%ld min ", s / 60 % 60);
	kb_html_addf(out, "%ld s on its devices, for %zu %s%s", s % 60,
		     v->row_count, v->lineage.kind == KB_KIND_BASELINE ?
		     "reference" : "candidate", v->row_count == 1 ? "" : "s");
	kb_fact_end(out);
}

/* An option as it is typed, unless it has its default. */
static void add_option(struct kb_buf *out, const struct kb_json *usual,
		       const struct kb_json *o)
{
	const struct kb_json *v = kb_json_find(usual, kb_json_key(o));
	const char *value = kb_json_string_value(o);

	if ((v && kb_json_equal(v, o)) || !strcmp(value, "false"))
		return;
	kb_html_addf(out, " --%s", kb_json_key(o));
	if (strcmp(value, "true"))
		kb_html_addf(out, " %s", value);
}

/* The defaults of options, as records have them. The caller frees. */
static struct kb_json *usual_options(void)
{
	static struct kb_session_options o = KB_SESSION_OPTIONS_INIT;
	static const struct kb_option table[] = {
		KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE", "", o.device),
		KB_SESSION_OPTIONS(o),
		KB_SESSION_JUDGE_OPTIONS(o),
		KB_OPTION_END
	};
	struct kb_json *v = kb_options_to_json(table);

	for (const struct kb_option *t = table; t->name; t++)
		if (t->otherwise && !kb_json_find(v, t->name))
			kb_json_set_string(v, t->name, t->otherwise);
	return v;
}

/* The command with its operands and those options that are not the default. */
static void add_command(struct kb_buf *out, const struct kb_view *v,
			const struct kb_conditions *c)
{
	kb_auto(json) struct kb_json *usual = usual_options();
	const struct kb_lineage *l = &v->lineage;

	kb_fact_begin(out, "command");
	kb_html_addf(out, "<code>%s %s",
		     kb_json_text_or(c->tool, "name", "kb"),
		     kb_short_id(l->evaluation ? &l->evaluation->suite :
				 &l->baseline->suite).text);
	/* kb-serve makes the submission itself. */
	if (l->evaluation && !l->evaluation->served.asked)
		kb_html_addf(out, " %s",
			     kb_short_id(&l->evaluation->submission).text);
	for (const struct kb_json *o = kb_json_first(c->options); o;
	     o = kb_json_next(o))
		add_option(out, usual, o);
	kb_buf_addstr(out, "</code>");
	kb_fact_end(out);
}

static void add_run(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	kb_auto(buf) struct kb_buf stack = KB_BUF_INIT;

	kb_buf_addstr(out, "<dl class=\"facts\" id=\"run\">\n");
	add_date(out, v);
	if (c) {
		kb_stack_print(&stack, c->environment);
		kb_fact_begin(out, "machine");
		kb_html_addf(out, "%s; %s", kb_hardware_name(c->environment),
			     stack.data);
		kb_fact_end(out);
		add_duration(out, v);
		add_command(out, v, c);
	}
	kb_buf_addstr(out, "</dl>\n");
}

void kb_run_head_print(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_html_addf(out, "<h1>%s</h1>\n<p class=\"lead\">%s <span class=\"id\">"
		     "%s</span> on %s</p>\n", title.data,
		     kb_kind_name(v->lineage.kind),
		     kb_short_id(&v->bundle.id).text,
		     c ? kb_hardware_name(c->environment) : "unknown hardware");
	if (v->lineage.score)
		add_warnings(out, v->lineage.score);
	add_verdict(out, v);
	if (v->lineage.kind != KB_KIND_BASELINE)
		add_cards(out, kb_view_overall(v));
	add_run(out, v);
}
