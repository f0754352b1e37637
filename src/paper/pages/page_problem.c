#include "pages/page_problem.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/result.h"
#include "manifest/suite.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/outcomes.h"
#include "pages/source_text.h"
#include "pages/svg.h"
#include "pages/timing_text.h"
#include "pages/view.h"
#include "sheet/format.h"

/* --- sources ---------------------------------------------------------- */

static int add_reference(struct kb_buf *out, const struct kb_problem_page *p,
			 const struct kb_problem *problem, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_buf_addstr(out, "<section><h2>Reference</h2>\n");
	/* A page is made of what there is: a suite need not be in the store for
	 * its results to be shown. */
	if (!problem) {
		kb_buf_addstr(out, "<p>The suite is not in the store.</p>"
			      "</section>\n");
		return 0;
	}
	ret = kb_bundle_read(&text, &p->view->suite, problem->file,
			     KB_PROBLEM_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	kb_html_addf(out, "<details><summary>%s</summary>\n", problem->file);
	kb_source_print(out, text.data, text.len, KB_SOURCE_BYTES_SHOWN);
	kb_buf_addstr(out, "</details></section>\n");
	return 0;
}

static int add_source(struct kb_buf *out, const struct kb_problem_page *p,
		      const struct kb_view_row *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_view_read_candidate(&text, p->view, r->key, r->sample_id,
					 err);

	if (ret <= 0)
		return ret;
	kb_buf_addstr(out, "<details><summary>Source</summary>\n");
	kb_source_print(out, text.data, text.len, KB_SOURCE_BYTES_SHOWN);
	kb_buf_addstr(out, "</details>\n");
	return 0;
}

/* The difference from the candidate before it. */
static int add_difference(struct kb_buf *out, const struct kb_problem_page *p,
			  const struct kb_view_row *before,
			  const struct kb_view_row *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;
	int ret = kb_view_read_candidate(&a, p->view, r->key, before->sample_id,
					 err);

	if (ret > 0)
		ret = kb_view_read_candidate(&b, p->view, r->key, r->sample_id,
					     err);
	if (ret <= 0)
		return ret;
	kb_html_addf(out, "<details><summary>Difference from sample %d"
		     "</summary>\n", before->sample_id);
	kb_diff_print(out, &a, &b);
	kb_buf_addstr(out, "</details>\n");
	return 0;
}

/* --- a candidate ------------------------------------------------------ */

static void add_outcome(struct kb_buf *out, const struct kb_result *r)
{
	const struct kb_outcome *o = &r->outcome;

	kb_buf_addstr(out, "<dl class=\"facts\">\n");
	if (kb_phase_name(o->phase))
		kb_fact(out, "ended in", kb_phase_name(o->phase));
	if (o->signal)
		kb_fact(out, "signal", o->signal);
	if (o->exit_status != KB_UNKNOWN) {
		kb_fact_begin(out, "exit status");
		kb_html_addf(out, "%ld", o->exit_status);
		kb_fact_end(out);
	}
	if (o->detail)
		kb_fact(out, "detail", o->detail);
	if (r->cpu_ms) {
		kb_fact_begin(out, "processor time of its workers");
		kb_html_addf(out, "%ld ms", r->cpu_ms);
		kb_fact_end(out);
	}
	kb_buf_addstr(out, "</dl>\n");
}

static void add_log(struct kb_buf *out, const struct kb_outcome *o)
{
	if (!o->log || !*o->log)
		return;
	kb_html_addf(out, "<details%s><summary>Log%s</summary>\n",
		     kb_class_of(o->status) == KB_CLASS_CORRECT ? "" : " open",
		     o->log_truncated ? ", cut off at the policy's limit" : "");
	kb_log_print(out, o->log, KB_LOG_BYTES_SHOWN);
	kb_buf_addstr(out, "</details>\n");
}

/* The verdict as on the page of the run, and how to read it. */
static void add_judgement(struct kb_buf *out, const struct kb_view_row *r)
{
	static const struct kb_head heads[] = {
		{ "candidate_ns", "time, us", false, false },
		{ "candidate", "interval, us", false, false },
		{ "baseline_ns", "baseline, us", false, false },
		{ "speedup_micro", "speedup", false, false },
		{ "bound_ns", "bound, us", false, false },
		{ "bound_mhz", "bound at", false, false },
		{ "of_bound", "of the bound", false, false },
		{ "sol", "SOL score", false, false },
	};
	const int64_t bound_ns = r->bound.bound_ns;
	char id[32];

	if (r->candidate_ns == KB_UNKNOWN)
		return;
	snprintf(id, sizeof(id), "judged-%d", r->sample_id);
	kb_table_begin(out, id, r->is_judged ? "As it is judged" :
		       "Its time; the score does not judge it", heads,
		       KB_ARRAY_LEN(heads), false);
	kb_buf_addstr(out, "<tr>");
	kb_cell_number(out, KB_CELL_US, r->candidate_ns);
	kb_cell_interval(out, KB_CELL_US, r->candidate.low_ns,
			 r->candidate.high_ns);
	kb_cell_number(out, KB_CELL_US, r->baseline_ns);
	kb_cell_number(out, KB_CELL_RATIO, r->has_speedup ?
		       r->speedup.speedup_micro : KB_UNKNOWN);
	kb_cell_number(out, KB_CELL_US, bound_ns);
	kb_cell_bound_clock(out, &r->bound);
	kb_cell_number(out, KB_CELL_SHARE,
		       kb_share_of_bound_micro(bound_ns, r->candidate_ns));
	kb_cell_number(out, KB_CELL_SHARE,
		       kb_sol_score_micro(bound_ns, r->candidate_ns,
					  r->baseline_ns));
	kb_buf_addstr(out, "</tr>\n");
	kb_table_end(out);
}

static void add_errors(struct kb_buf *out, const struct kb_view_row *r)
{
	static const struct kb_head heads[] = {
		{ "output", "output", false, false },
		{ "elements", "elements", false, false },
		{ "mismatched", "mismatched", false, false },
		{ "nan", "NaN", false, false },
		{ "max_abs_error", "largest error", false, false },
		{ "max_rel_error", "largest relative error", false, false },
		{ "rms_error", "rms error", false, false },
		{ "fp64_error", "reference's rms error", false, false },
	};
	char id[32];

	if (!r->result->output_count)
		return;
	snprintf(id, sizeof(id), "errors-%d", r->sample_id);
	kb_table_begin(out, id, "Errors of outputs; the reference's own is "
		       "from float64", heads, 8, false);
	for (size_t i = 0; i < r->result->output_count; i++) {
		const struct kb_output_error *o = &r->result->outputs[i];
		const struct kb_fp64_error_output *own =
			kb_fp64_error_find(r->result->fp64_error, i);

		kb_buf_addstr(out, "<tr>");
		kb_cell_number(out, KB_CELL_COUNT, (int64_t)i);
		kb_cell_number(out, KB_CELL_COUNT, o->elements);
		kb_cell_number(out, KB_CELL_COUNT, o->mismatched);
		kb_cell_number(out, KB_CELL_COUNT, o->nan);
		kb_cell_error(out, o->max_abs_error);
		kb_cell_error(out, o->max_rel_error);
		kb_cell_error(out, kb_output_error_rms(o));
		kb_cell_error(out, own ? own->rms_error : -1);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

static void add_times(struct kb_buf *out, const struct kb_view_row *r)
{
	const struct kb_result *result = r->result;
	const struct kb_device_timing *device = result->device_timing,
				      *reference =
					result->reference_device_timing;
	const struct kb_named_timing times[] = {
		{ "candidate, call clock", result->timing,
		  result->reference_timing },
		{ "reference, call clock", result->reference_timing, NULL },
		{ "candidate, device clock", device ? device->timing : NULL,
		  reference ? reference->timing : NULL },
		{ "reference, device clock",
		  reference ? reference->timing : NULL, NULL },
	};
	char id[32];

	snprintf(id, sizeof(id), "times-%d", r->sample_id);
	kb_timings_print(out, id, times, 4);
}

static void add_bus(struct kb_buf *out, int64_t bytes, const char *name,
		    const struct kb_timing *device, const struct kb_timing *call)
{
	char rate[KB_FORMAT_SIZE];

	if (!device)
		device = call;
	if (!device || device->time_ns <= 0)
		return;
	kb_format_rate(rate, bytes, device->time_ns);
	kb_fact(out, name, rate);
}

/* Only of a problem that states its collective. */
static void add_bus_bandwidth(struct kb_buf *out, const struct kb_view *v,
			      const struct kb_result *r)
{
	const int64_t bytes = v->lineage.suite ?
		kb_suite_bus_bytes(v->lineage.suite, r->key,
				   kb_view_precision(v)) : 0;

	if (!bytes)
		return;
	kb_buf_addstr(out, "<dl class=\"facts\">\n");
	add_bus(out, bytes, "candidate, bus bandwidth",
		kb_device_time(r->device_timing), r->timing);
	add_bus(out, bytes, "reference, bus bandwidth",
		kb_device_time(r->reference_device_timing),
		r->reference_timing);
	kb_buf_addstr(out, "</dl>\n");
}

static int add_candidate(struct kb_buf *out, const struct kb_problem_page *p,
			 const struct kb_view_row *before,
			 const struct kb_view_row *r, struct kb_err *err)
{
	char speedup[KB_FORMAT_SIZE];
	int ret;

	kb_html_addf(out, "<section id=\"sample-%d\"><h2>Sample %d: %s",
		     r->sample_id, r->sample_id, kb_status_name(r->status));
	if (r->has_speedup) {
		kb_format_ratio(speedup, r->speedup.speedup_micro);
		kb_html_addf(out, ", %s", speedup);
	}
	kb_buf_addstr(out, r->is_judged ? "</h2>\n" :
		      "</h2>\n<p class=\"soft\">Not judged by the score.</p>\n");
	if (r->result) {
		add_outcome(out, r->result);
		add_judgement(out, r);
		add_times(out, r);
		add_bus_bandwidth(out, p->view, r->result);
		add_errors(out, r);
		add_log(out, &r->result->outcome);
	}
	ret = add_source(out, p, r, err);
	if (ret == 0 && before)
		/* Samples of a problem are often drafts of each other, and what
		 * changed is what one wants to see. */
		ret = add_difference(out, p, before, r, err);
	kb_buf_addstr(out, "</section>\n");
	return ret;
}

static int add_candidates(struct kb_buf *out, const struct kb_problem_page *p,
			  struct kb_err *err)
{
	const struct kb_view *v = p->view;
	const struct kb_view_row *before = NULL;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < v->row_count; i++) {
		if (kb_key_compare(v->rows[i].key, p->key))
			continue;
		ret = add_candidate(out, p, before, &v->rows[i], err);
		before = &v->rows[i];
	}
	return ret;
}

/* --- the problem ------------------------------------------------------ */

/* As the record has it, and as people say it. */
static void add_large(struct kb_buf *out, const char *name, int64_t number)
{
	char text[KB_TICK_SIZE];

	kb_tick_format(text, (double)number, "");
	kb_fact_begin(out, name);
	if (number < 10000)
		kb_html_addf(out, "%ld", number);
	else
		kb_html_addf(out, "%ld (%s)", number, text);
	kb_fact_end(out);
}

static void add_facts(struct kb_buf *out, const struct kb_problem_facts *f)
{
	kb_buf_addstr(out, "<dl class=\"facts\">\n");
	add_large(out, "operations of a call", f->flops);
	add_large(out, "bytes of a call at least, in fp32",
		  f->bytes_min[KB_FP32]);
	if (f->note)
		kb_fact(out, "note", f->note);
	kb_buf_addstr(out, "</dl>\n");
}

int kb_problem_page_print(struct kb_buf *out, const struct kb_problem_page *p,
			  struct kb_err *err)
{
	const struct kb_view *v = p->view;
	const struct kb_problem *problem = v->lineage.suite ?
		kb_suite_find(v->lineage.suite, p->key) : NULL;
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT, home = KB_BUF_INIT;
	char key[KB_KEY_SIZE];
	int ret;

	kb_key_format(key, p->key);
	kb_buf_addf(&title, "%s %s", key, problem ? problem->name : "");
	kb_view_title_print(&home, v);
	kb_page_begin(out, &(struct kb_page){
		.title = title.data, .home = p->home,
		.home_title = home.data });
	kb_html_addf(out, "<h1>%s</h1>\n<p class=\"lead\">of %s <span "
		     "class=\"id\">%s</span></p>\n", title.data,
		     kb_kind_name(v->lineage.kind),
		     kb_short_id(&v->bundle.id).text);
	if (problem && problem->facts)
		add_facts(out, problem->facts);
	if (problem && problem->collective.operation)
		kb_html_addf(out, "<p>Each call has one %s of %ld numbers.</p>\n",
			     kb_collective_name(&problem->collective),
			     problem->collective.elements);
	ret = add_reference(out, p, problem, err);
	if (ret == 0)
		ret = add_candidates(out, p, err);
	kb_page_end(out);
	return ret;
}
