#include "turns/feedback.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "manifest/result.h"
#include "prompts/template.h"
#include "score/speedup.h"
#include "score/times.h"

/* --- the verdict ------------------------------------------------------- */

/* By the clock that a score would use, so that what the model is told is what
 * it is judged by. */
static enum kb_clock clock_of(const struct kb_result *r,
			      const struct kb_reference_result *b)
{
	return b ? kb_problem_clock(KB_CLOCK_DEVICE, b->timing,
				    b->device_timing) :
		kb_problem_clock(KB_CLOCK_DEVICE, r->reference_timing,
				 r->reference_device_timing);
}

static int set_times(struct kb_judged *out, const struct kb_attempt *a,
		     struct kb_err *err)
{
	const struct kb_reference_result *b = a->baseline ?
		kb_baseline_find(a->baseline, a->line->key) : NULL;
	const enum kb_clock clock = clock_of(a->result, b);
	const struct kb_session_times t = kb_session_times_of(a->result,
							      clock);
	const struct kb_timing *than = b ?
		kb_timing_by(clock, b->timing, b->device_timing) :
		t.reference;

	/* kb-verify checks the times in a prompt by the evaluation. A forged
	 * time would reach the model before. */
	if (!kb_times_follow(t.candidate, t.paired) ||
	    !kb_times_follow(than, NULL))
		return kb_err(err, KB_ERR_INPUT,
			      "a time does not follow from its samples");
	out->time_ns = kb_times_median_ns(t.candidate);
	if (!a->baseline || b)
		out->baseline_ns = kb_times_median_ns(than);
	out->bound_ns = a->bound_ns;
	return 0;
}

int kb_attempt_judge(struct kb_judged *out, const struct kb_attempt *a,
		     struct kb_err *err)
{
	*out = (struct kb_judged)KB_JUDGED_INIT;
	if (!a->result)
		return 0;
	out->status = a->result->outcome.status;
	out->compiled = kb_status_compiled(out->status,
					   a->result->outcome.phase);
	return out->status == KB_STATUS_CORRECT ? set_times(out, a, err) : 0;
}

/* --- values of placeholders -------------------------------------------- */

#define TEXT_SIZE 64

static void format_us(char out[TEXT_SIZE], int64_t ns)
{
	snprintf(out, TEXT_SIZE, "%" PRId64 ".%03d us", ns / 1000,
		 (int)(ns % 1000));
}

/* "1.234" of two times. */
static void format_ratio(char out[TEXT_SIZE], int64_t over_ns,
			 int64_t under_ns)
{
	const int64_t milli = (kb_ratio_micro(over_ns, under_ns) + 500) / 1000;

	snprintf(out, TEXT_SIZE, "%" PRId64 ".%03d", milli / 1000,
		 (int)(milli % 1000));
}

/* "build failed" */
static void add_status(struct kb_buf *out, enum kb_status status)
{
	for (const char *p = kb_status_name(status); *p; p++)
		kb_buf_addch(out, *p == '_' ? ' ' : *p);
}

/* Whole characters, as many as are told. */
static void add_log(struct kb_buf *out, const char *log)
{
	size_t len = strlen(log);

	if (len > KB_TOLD_LOG_BYTES_MAX)
		for (len = KB_TOLD_LOG_BYTES_MAX; (log[len] & 0xc0) == 0x80;)
			len--;
	kb_template_strip(out, log, len);
	if (log[len])
		kb_buf_addstr(out, "\n...");
}

static void add_values(struct kb_buf *out, const struct kb_result *r)
{
	for (size_t i = 0; i < r->output_count; i++) {
		const struct kb_output_error *e = &r->outputs[i];

		kb_buf_addf(out, "%soutput %zu: %" PRId64 " of %" PRId64
			    " elements differ beyond the tolerance, %" PRId64
			    " are not finite; greatest error %.3g, relative %.3g",
			    i ? "\n" : "", i, e->mismatched, e->elements,
			    e->nan, e->max_abs_error, e->max_rel_error);
	}
}

/* --- what is told ------------------------------------------------------ */

/* Values of all placeholders; what an attempt does not have is "". */
struct values {
	struct kb_buf status, detail, log, outputs;
	char turn[TEXT_SIZE], time[TEXT_SIZE], baseline[TEXT_SIZE];
	char speedup[TEXT_SIZE];
};

#define VALUES_INIT { .status = KB_BUF_INIT, .detail = KB_BUF_INIT,	\
		      .log = KB_BUF_INIT, .outputs = KB_BUF_INIT }

static void release_values(struct values *v)
{
	kb_buf_release(&v->status);
	kb_buf_release(&v->detail);
	kb_buf_release(&v->log);
	kb_buf_release(&v->outputs);
}

static void set_values(struct values *v, const struct kb_attempt *a,
		       const struct kb_judged *j)
{
	const struct kb_result *r = a->result;

	snprintf(v->turn, sizeof(v->turn), "%d", a->line->turn);
	add_status(&v->status, j->status);
	if (r && r->outcome.detail)
		kb_buf_addf(&v->detail, ": %s", r->outcome.detail);
	if (r && r->outcome.log)
		add_log(&v->log, r->outcome.log);
	if (r)
		add_values(&v->outputs, r);
	if (j->time_ns != KB_UNKNOWN)
		format_us(v->time, j->time_ns);
	if (j->baseline_ns == KB_UNKNOWN)
		return;
	format_us(v->baseline, j->baseline_ns);
	if (j->time_ns != KB_UNKNOWN)
		format_ratio(v->speedup, j->baseline_ns, j->time_ns);
}

static int fill_template(struct kb_buf *out, const char *text, const struct values *v,
			 struct kb_err *err)
{
	const struct kb_placeholder with[] = {
		{ "turn", v->turn }, { "status", v->status.data },
		{ "detail", v->detail.data }, { "log", v->log.data },
		{ "values", v->outputs.data }, { "time", v->time },
		{ "baseline", v->baseline }, { "speedup", v->speedup },
		{ NULL, NULL },
	};

	return kb_template_fill(out, text, with, err);
}

static bool has_no_code(const struct kb_generated *l,
			const struct kb_judged *j, const struct values *v)
{
	(void)v;
	return j->status == KB_STATUS_MISSING &&
	       l->reply.outcome != KB_REPLY_CUT_OFF;
}

static bool was_cut_off(const struct kb_generated *l,
			const struct kb_judged *j, const struct values *v)
{
	(void)j;
	(void)v;
	return l->reply.outcome == KB_REPLY_CUT_OFF;
}

static bool has_code(const struct kb_generated *l, const struct kb_judged *j,
		     const struct values *v)
{
	(void)l;
	(void)v;
	return j->status != KB_STATUS_MISSING;
}

static bool has_log(const struct kb_generated *l, const struct kb_judged *j,
		    const struct values *v)
{
	(void)l;
	(void)j;
	return v->log.len > 0;
}

/* A correct attempt needs no correction. */
static bool is_off(const struct kb_generated *l, const struct kb_judged *j,
		   const struct values *v)
{
	(void)l;
	return j->status != KB_STATUS_CORRECT && v->outputs.len > 0;
}

static bool has_times(const struct kb_generated *l, const struct kb_judged *j,
		      const struct values *v)
{
	(void)l;
	(void)j;
	return *v->speedup;
}

static bool is_correct(const struct kb_generated *l,
		       const struct kb_judged *j, const struct values *v)
{
	(void)l;
	(void)v;
	return j->status == KB_STATUS_CORRECT;
}

static bool is_wrong(const struct kb_generated *l, const struct kb_judged *j,
		     const struct values *v)
{
	return !is_correct(l, j, v);
}

/* Words, when they are said, and ours. */
static const struct {
	const char *name;
	unsigned int part;		/* of enum kb_told_part; 0: in any case */
	bool (*is_said)(const struct kb_generated *l,
			const struct kb_judged *j, const struct values *v);
	const char *ours;
} words[] = {
	{ "no_code", 0, has_no_code,
	  "Your answer has no block of code that could be judged.\n" },
	{ "cut_off", 0, was_cut_off,
	  "Your answer was cut off at the limit of its length, within a block of code.\n" },
	{ "status", KB_TOLD_STATUS, has_code,
	  "Your code was judged: {status}{detail}.\n" },
	{ "log", KB_TOLD_LOG, has_log,
	  "This was printed while it was built and run:\n\n```\n{log}\n```\n" },
	{ "values", KB_TOLD_VALUES, is_off,
	  "Compared with the reference:\n\n{values}\n" },
	{ "times", KB_TOLD_TIMES, has_times,
	  "A call takes {time}, and the baseline's {baseline}: a speedup of {speedup}.\n" },
	{ "mend", 0, is_wrong,
	  "Find what is wrong, mend it, and write all of the code again, in one block of code at the end of your answer.\n" },
	{ "improve", 0, is_correct,
	  "It is correct. Make it faster, and write all of the code again, in one block of code at the end of your answer.\n" },
};

struct kb_json *kb_words_ours(void)
{
	struct kb_json *list = kb_json_object();

	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++)
		kb_json_set_string(list, words[i].name, words[i].ours);
	return list;
}

static int add_word(struct kb_buf *out, const char *text,
		    const struct values *v, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf filled = KB_BUF_INIT;
	int ret = fill_template(&filled, text, v, err);

	if (ret < 0)
		return ret;
	if (out->len)
		kb_buf_addstr(out, "\n\n");
	kb_template_strip(out, filled.data, filled.len);
	return 0;
}

int kb_attempt_tell(struct kb_buf *out, const struct kb_attempt *a,
		    const struct kb_judged *judged,
		    const struct kb_refinement *r, struct kb_err *err)
{
	struct values v = VALUES_INIT;
	int ret = kb_words_check(r->words, "words", err);

	set_values(&v, a, judged);
	for (size_t i = 0; ret == 0 && i < KB_ARRAY_LEN(words); i++)
		if ((!words[i].part || r->told & words[i].part) &&
		    words[i].is_said(a->line, judged, &v))
			ret = add_word(out, kb_json_text(r->words, words[i].name),
				       &v, err);
	release_values(&v);
	return ret;
}

int kb_words_check(const struct kb_json *list, const char *where,
		   struct kb_err *err)
{
	const struct values none = VALUES_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < KB_ARRAY_LEN(words); i++) {
		const char *word = kb_json_text(list, words[i].name);

		if (!word)
			return kb_err(err, KB_ERR_INPUT, "%s: there is no '%s'",
				      where, words[i].name);
		ret = fill_template(&text, word, &none, err);
		if (ret < 0)
			kb_err_wrap(err, "%s: '%s'", where, words[i].name);
	}
	if (ret == 0 && kb_json_count(list) != KB_ARRAY_LEN(words))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: there are others than kb-generate(1) lists",
			      where);
	return ret;
}
