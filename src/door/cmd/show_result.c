#include "cmd/show_result.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/utf8.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/finding.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "score/speedup.h"
#include "score/times.h"
#include "sheet/format.h"
#include "store/store.h"
#include "tables/facts.h"

/* The problem and sample to show, and the number of results found. */
struct asked {
	struct kb_buf *out;
	struct kb_key key;
	int sample_id;			/* -1: all */
	int64_t bus_bytes;		/* of a call; 0: not known */
	size_t found;
};

static bool is_asked(const struct asked *a, struct kb_key key, int sample_id)
{
	return !kb_key_compare(a->key, key) &&
	       (a->sample_id < 0 || a->sample_id == sample_id);
}

static int not_found(const struct asked *a, const char *kind,
		     struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	if (a->found)
		return 0;
	kb_key_format(key, a->key);
	if (a->sample_id < 0)
		return kb_err(err, KB_ERR_MISSING,
			      "the %s has nothing of problem %s", kind, key);
	return kb_err(err, KB_ERR_MISSING,
		      "the %s has no sample %d of problem %s: without a number "
		      "all samples are shown", kind, a->sample_id, key);
}

/* An empty line before each but the first. */
static void begin_result(struct asked *a)
{
	char key[KB_KEY_SIZE];

	if (a->found++)
		kb_buf_addch(a->out, '\n');
	kb_key_format(key, a->key);
	kb_fact_print(a->out, "problem", "%s", key);
}

/* --- results ---------------------------------------------------------- */

static void add_outcome(struct kb_buf *out, const struct kb_outcome *o)
{
	kb_fact_print(out, "status", "%s", kb_status_name(o->status));
	if (o->detail)
		kb_fact_print(out, "reason", "%s", o->detail);
	if (kb_phase_name(o->phase))
		kb_fact_print(out, "while", "%s", kb_phase_name(o->phase));
	if (o->signal)
		kb_fact_print(out, "signal", "%s", o->signal);
	if (o->exit_status != KB_UNKNOWN)
		kb_fact_print(out, "exit status", "%" PRId64, o->exit_status);
}

/* The candidate's output, as cleaned for the record. */
static void add_log(struct kb_buf *out, const struct kb_outcome *o)
{
	const size_t len = o->log ? strlen(o->log) : 0;

	if (!len)
		return;
	kb_buf_addf(out, "log%s:\n", o->log_truncated ?
		    ", of which only the end was kept" : "");
	kb_utf8_clean(out, o->log, len);
	if (o->log[len - 1] != '\n')
		kb_buf_addch(out, '\n');
}

static void add_errors(struct kb_buf *out, const struct kb_result *r)
{
	for (size_t i = 0; i < r->output_count; i++) {
		const struct kb_output_error *e = &r->outputs[i];
		const struct kb_fp64_error_output *own =
			kb_fp64_error_find(r->fp64_error, i);
		char rms[KB_FORMAT_SIZE], most[KB_FORMAT_SIZE],
		     reference[KB_FORMAT_SIZE];

		if (e->nan) {
			kb_fact_print(out, "output", "%zu: %" PRId64 " of %"
				      PRId64 " elements are wrong, %" PRId64
				      " of them NaN or infinite", i,
				      e->mismatched, e->elements, e->nan);
			continue;
		}
		kb_format_error(rms, e->rms_error);
		kb_format_error(most, e->max_abs_error);
		kb_format_error(reference, own ? own->rms_error : -1);
		kb_fact_print(out, "output", "%zu: %" PRId64 " of %" PRId64
			      " elements are wrong; rms error %s, largest %s; "
			      "the reference's own rms error %s",
			      i, e->mismatched, e->elements, rms, most,
			      reference);
	}
}

static void add_time(const struct asked *a, const char *name,
		     const struct kb_timing *t)
{
	char time[KB_FORMAT_SIZE], low[KB_FORMAT_SIZE], high[KB_FORMAT_SIZE];
	char rate[KB_FORMAT_SIZE];
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (!t)
		return;
	if (t->time_ns == KB_UNKNOWN) {
		kb_fact_print(a->out, name, "no time");
		return;
	}
	kb_format_time(time, t->time_ns, t->low_ns, t->high_ns);
	kb_buf_addstr(&text, time);
	if (t->low_ns != KB_UNKNOWN && t->low_ns >= 0) {
		kb_format_time(low, t->low_ns, t->low_ns, t->high_ns);
		kb_format_time(high, t->high_ns, t->low_ns, t->high_ns);
		kb_buf_addf(&text, ", %s to %s at 95%%", low, high);
	}
	kb_buf_addf(&text, ", %zu trials", t->large_count);
	if (a->bus_bytes) {
		kb_format_rate(rate, a->bus_bytes, t->time_ns);
		kb_buf_addf(&text, ", busbw %s", rate);
	}
	kb_fact_print(a->out, name, "%s", text.data);
}

/* Divide by the session's own reference. A score uses a baseline. */
static void add_speedup(struct kb_buf *out, const char *name,
			const struct kb_timing *candidate,
			const struct kb_timing *reference)
{
	const int64_t candidate_ns = kb_times_median_ns(candidate);
	const int64_t reference_ns = kb_times_median_ns(reference);
	char text[KB_FORMAT_SIZE];

	if (candidate_ns == KB_UNKNOWN || reference_ns == KB_UNKNOWN)
		return;
	kb_format_ratio(text, kb_ratio_micro(reference_ns, candidate_ns));
	kb_fact_print(out, name, "%s", text);
}

static void add_result(struct asked *a, const struct kb_result *r)
{
	struct kb_buf *out = a->out;
	const struct kb_timing *candidate =
		kb_device_time(r->device_timing);
	const struct kb_timing *reference =
		kb_device_time(r->reference_device_timing);

	begin_result(a);
	kb_fact_print(out, "sample", "%d", r->sample_id);
	add_outcome(out, &r->outcome);
	add_errors(out, r);
	add_time(a, "candidate", r->timing);
	add_time(a, "reference", r->reference_timing);
	add_speedup(out, "speedup", r->timing, r->reference_timing);
	if (r->device_timing && r->device_timing->not_queueable)
		kb_fact_print(out, "device", "%s",
			      r->device_timing->not_queueable);
	add_time(a, "device", candidate);
	add_time(a, "ref. device", reference);
	add_speedup(out, "speedup", candidate, reference);
	add_log(out, &r->outcome);
}

static void take_result(void *into, struct kb_result *r)
{
	struct asked *a = into;

	if (is_asked(a, r->key, r->sample_id))
		add_result(a, r);
}

/* A suite that the store lacks says nothing. */
static void look_up_collective(struct asked *a, const char *store,
			       const struct kb_digest *suite,
			       const struct kb_conditions *c)
{
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;

	if (kb_suite_load_id(&s, store, suite, NULL) == 0)
		a->bus_bytes = kb_suite_bus_bytes(&s, a->key,
						  kb_conditions_precision(c));
}

static int show_evaluation(struct asked *a, const struct kb_bundle *b,
			   const char *store, struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	int ret = kb_evaluation_load_record(&e, b, err);

	if (ret >= 0)
		look_up_collective(a, store, &e.suite, &e.conditions);
	if (ret >= 0)
		ret = kb_evaluation_each(&e, b, take_result, a, err);
	return ret < 0 ? ret : not_found(a, "evaluation", err);
}

/* --- of a score ------------------------------------------------------- */

static void add_line(struct asked *a, const struct kb_score_line *l)
{
	struct kb_buf *out = a->out;
	char time[KB_FORMAT_SIZE], baseline[KB_FORMAT_SIZE];
	char speedup[KB_FORMAT_SIZE];

	begin_result(a);
	kb_fact_print(out, "sample", "%d", l->sample_id);
	kb_fact_print(out, "status", "%s", kb_status_name(l->status));
	kb_format_time(time, l->candidate_ns, l->candidate.low_ns,
		       l->candidate.high_ns);
	kb_format_time(baseline, l->baseline_ns, l->baseline.low_ns,
		       l->baseline.high_ns);
	kb_format_ratio(speedup, l->speedup_micro);
	kb_fact_print(out, "candidate", "%s", time);
	kb_fact_print(out, "baseline", "%s", baseline);
	kb_fact_print(out, "speedup", "%s", speedup);
}

/* Then what the evaluation has of it, if that is there. */
static int show_score(struct asked *a, const struct kb_bundle *b,
		      const char *store, struct kb_err *err)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(bundle) struct kb_bundle of = KB_BUNDLE_INIT;
	const int ret = kb_score_load(&s, b, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < s.line_count; i++)
		if (is_asked(a, s.lines[i].key, s.lines[i].sample_id))
			add_line(a, &s.lines[i]);
	if (kb_store_open_id(&of, store, &s.evaluation, NULL) == 0)
		return show_evaluation(a, &of, store, err);
	return not_found(a, "score", err);
}

/* --- of one code for each problem ------------------------------------- */

static int check_no_sample(const struct asked *a, const char *kind,
			   struct kb_err *err)
{
	return a->sample_id < 0 ? 0 :
		kb_err(err, KB_ERR_USAGE, "a problem of this %s has no samples",
		       kind);
}

static int show_baseline(struct asked *a, const struct kb_bundle *b,
			 const char *store, struct kb_err *err)
{
	kb_auto(baseline) struct kb_baseline of = KB_BASELINE_INIT;
	const struct kb_reference_result *r;
	int ret = check_no_sample(a, "baseline", err);

	if (ret >= 0)
		ret = kb_baseline_load(&of, b, err);
	if (ret < 0)
		return ret;
	r = kb_baseline_find(&of, a->key);
	if (!r)
		return not_found(a, "baseline", err);
	look_up_collective(a, store, &of.suite, &of.conditions);
	begin_result(a);
	add_outcome(a->out, &r->outcome);
	add_time(a, "reference", r->timing);
	add_time(a, "device", kb_device_time(r->device_timing));
	add_log(a->out, &r->outcome);
	return 0;
}

static void add_audit(struct asked *a, const struct kb_audit_line *l)
{
	begin_result(a);
	add_outcome(a->out, &l->outcome);
	for (int f = 0; f < KB_FINDING_COUNT; f++)
		if (l->findings.evidence[f])
			kb_fact_print(a->out, "finding", "%s: %s",
				      kb_finding_name((enum kb_finding)f),
				      l->findings.evidence[f]);
	add_log(a->out, &l->outcome);
}

static int show_audit(struct asked *a, const struct kb_bundle *b,
		      struct kb_err *err)
{
	kb_auto(audit) struct kb_audit of = KB_AUDIT_INIT;
	int ret = check_no_sample(a, "audit", err);

	if (ret >= 0)
		ret = kb_audit_load(&of, b, err);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < of.line_count; i++)
		if (is_asked(a, of.lines[i].key, -1))
			add_audit(a, &of.lines[i]);
	return not_found(a, "audit", err);
}

/* --- code ------------------------------------------------------------- */

static int show_suite(struct asked *a, const struct kb_bundle *b,
		      struct kb_err *err)
{
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	const struct kb_problem *p;
	int ret = check_no_sample(a, "suite", err);

	if (ret >= 0)
		ret = kb_suite_load(&s, b, err);
	if (ret < 0)
		return ret;
	p = kb_suite_find(&s, a->key);
	if (!p)
		return not_found(a, "suite", err);
	ret = kb_bundle_read(a->out, b, p->file, KB_PROBLEM_BYTES_MAX, err);
	return ret < 0 ? ret : 1;
}

static int show_submission(struct asked *a, const struct kb_bundle *b,
			   struct kb_err *err)
{
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	const struct kb_candidate *c;
	size_t count = 0;
	int ret = kb_submission_load(&s, b, err);

	if (ret < 0)
		return ret;
	c = kb_submission_find(&s, a->key, &count);
	for (size_t i = 0; i < count && ret >= 0; i++) {
		if (!is_asked(a, c[i].key, c[i].sample_id))
			continue;
		a->found++;
		ret = kb_bundle_read(a->out, b, c[i].file,
				     KB_CANDIDATE_BYTES_MAX, err);
	}
	if (ret >= 0)
		ret = not_found(a, "submission", err);
	return ret < 0 ? ret : 1;
}

int kb_show_result(struct kb_buf *out, const struct kb_bundle *b,
		   const char *store, struct kb_key key, int sample_id,
		   struct kb_err *err)
{
	struct asked a = { .out = out, .key = key, .sample_id = sample_id };
	enum kb_kind kind;
	const int ret = kb_record_kind(&kind, b, err);

	if (ret < 0)
		return ret;
	switch (kind) {
	case KB_KIND_EVALUATION:
		return show_evaluation(&a, b, store, err);
	case KB_KIND_SCORE:
		return show_score(&a, b, store, err);
	case KB_KIND_BASELINE:
		return show_baseline(&a, b, store, err);
	case KB_KIND_AUDIT:
		return show_audit(&a, b, err);
	case KB_KIND_SUITE:
		return show_suite(&a, b, err);
	case KB_KIND_SUBMISSION:
		return show_submission(&a, b, err);
	default:
		return kb_err(err, KB_ERR_INPUT,
			      "a %s has no results: 'kb report' shows it",
			      kb_kind_name(kind));
	}
}
