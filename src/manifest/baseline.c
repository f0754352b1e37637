#include "manifest/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/baseline_v1.h"
#include "manifest/fields.h"
#include "manifest/lines.h"
#include "manifest/problem_lines.h"
#include "store/bundle.h"

_Static_assert(offsetof(struct kb_reference_result, key) == 0,
	       "kb_key_find() wants the key first");

static const char *const modes[KB_MODE_COUNT] = {
	[KB_MODE_EAGER] = "eager",
	[KB_MODE_COMPILE_DEFAULT] = "compile:default",
	[KB_MODE_COMPILE_REDUCE_OVERHEAD] = "compile:reduce-overhead",
	[KB_MODE_COMPILE_MAX_AUTOTUNE] = "compile:max-autotune",
	[KB_MODE_COMPILE_MAX_AUTOTUNE_NO_CUDAGRAPHS] =
		"compile:max-autotune-no-cudagraphs",
	[KB_MODE_CUDAGRAPHS] = "cudagraphs",
};

const char *kb_mode_name(enum kb_mode mode)
{
	return modes[mode];
}

int kb_mode_parse(enum kb_mode *out, const char *name, struct kb_err *err)
{
	for (int i = 0; i < KB_MODE_COUNT; i++) {
		if (!strcmp(modes[i], name)) {
			*out = (enum kb_mode)i;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_INPUT, "no baseline mode is called '%s'",
		      name);
}

void kb_reference_result_release(struct kb_reference_result *r)
{
	kb_outcome_release(&r->outcome);
	kb_oracle_free(r->oracle);
	kb_timing_free(r->timing);
	kb_device_timing_free(r->device_timing);
	*r = (struct kb_reference_result)KB_REFERENCE_RESULT_INIT;
}

struct kb_json *
kb_reference_result_to_json(const struct kb_reference_result *r)
{
	struct kb_json *line = kb_json_object();

	kb_put_key(line, r->key);
	kb_json_set_string(line, "mode", modes[r->mode]);
	kb_outcome_to_json(line, &r->outcome);
	kb_json_set(line, KB_ORACLE_MEMBER, kb_oracle_to_json(r->oracle));
	kb_json_set(line, "timing", kb_timing_to_json(r->timing));
	if (r->device_timing)
		kb_json_set(line, "device_timing",
			    kb_device_timing_to_json(r->device_timing));
	return line;
}

static enum kb_mode read_mode(struct kb_fields *f)
{
	return (enum kb_mode)kb_fields_word(f, "mode", modes, KB_MODE_COUNT);
}

void kb_reference_result_check(struct kb_fields *f,
			       const struct kb_reference_result *r)
{
	const char *status;

	if (f->ret < 0)
		return;
	status = kb_status_name(r->outcome.status);
	if (!kb_status_of_reference(r->outcome.status))
		kb_fields_fail(f, "no reference ends as '%s'", status);
	if (!r->timing != (r->outcome.status != KB_STATUS_TIMED))
		kb_fields_fail(f, "'timing' does not go with status '%s'",
			       status);
	if (r->device_timing && r->outcome.status != KB_STATUS_TIMED)
		kb_fields_fail(f, "'device_timing' is there though the status is '%s'",
			       status);
}

void kb_reference_result_begin(struct kb_reference_result *r,
			       struct kb_fields *f, const struct kb_json *line,
			       const char *where, struct kb_err *err)
{
	*r = (struct kb_reference_result)KB_REFERENCE_RESULT_INIT;
	kb_fields_begin(f, line, where, err);
	r->key = kb_fields_key(f);
	r->mode = read_mode(f);
	kb_outcome_read(&r->outcome, f);
}

/* There is nobody that it was timed beside. */
static void check_alone(struct kb_fields *f, const struct kb_timing *t)
{
	if (t && (t->one_call_count || t->alone_count))
		kb_fields_fail(f, "'%s' is there without a candidate",
			       t->one_call_count ? "one_call_ns" : "alone_ns");
}

int kb_reference_result_from_json(struct kb_reference_result *r,
				  const struct kb_json *line,
				  const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	kb_reference_result_begin(r, &f, line, where, err);
	r->oracle = kb_oracle_read(&f, KB_ORACLE_MEMBER);
	r->timing = kb_timing_read(&f, "timing", KB_CLOCK_CALL);
	r->device_timing = kb_device_timing_read(&f, "device_timing");
	check_alone(&f, r->timing);
	kb_device_timing_check(&f, "timing", r->timing, r->device_timing);
	if (r->device_timing)
		check_alone(&f, r->device_timing->timing);
	kb_reference_result_check(&f, r);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_reference_result_release(r);
	return ret;
}

void kb_baseline_release(struct kb_baseline *b)
{
	for (size_t i = 0; i < b->result_count; i++)
		kb_reference_result_release(&b->results[i]);
	free(b->results);
	free(b->problems);
	kb_conditions_release(&b->conditions);
	*b = (struct kb_baseline)KB_BASELINE_INIT;
}

struct kb_json *kb_baseline_to_json(const struct kb_baseline *b)
{
	struct kb_json *record = kb_record_new(KB_KIND_BASELINE, &b->suite);

	kb_conditions_to_json(record, &b->conditions);
	kb_json_set_string(record, "mode", modes[b->mode]);
	kb_put_keys(record, "problems", b->problems, b->problem_count);
	return record;
}

int kb_baseline_from_json(struct kb_baseline *out,
			  const struct kb_json *record, const char *where,
			  struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*out = (struct kb_baseline)KB_BASELINE_INIT;
	out->version = kb_record_begin(&f, record, KB_KIND_BASELINE,
				       &out->suite, where, err);
	kb_conditions_read(&out->conditions, &f);
	out->mode = read_mode(&f);
	out->problems = kb_fields_keys(&f, "problems", &out->problem_count);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_baseline_release(out);
	return ret;
}

static int take_line(void *into, struct kb_key key,
		     const struct kb_json *line, const char *where,
		     struct kb_err *err)
{
	struct kb_baseline *b = into;
	struct kb_reference_result *r = &b->results[b->result_count];
	int ret = b->version == KB_BASELINE_V1 ?
			  kb_reference_result_from_json_v1(r, line, where, err) :
			  kb_reference_result_from_json(r, line, where, err);

	if (ret < 0)
		return ret;
	if (r->mode != b->mode || kb_key_compare(r->key, key)) {
		kb_reference_result_release(r);
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is not for the problem and mode that the record lists",
			      where);
	}
	b->result_count++;
	return 0;
}

static int load_lines(struct kb_baseline *out, const struct kb_bundle *b,
		      struct kb_err *err)
{
	const struct kb_problem_lines lines = {
		.problems = out->problems, .problem_count = out->problem_count,
		.take = take_line, .into = out,
	};

	out->results = kb_xcalloc(out->problem_count, sizeof(*out->results));
	return kb_problem_lines_load(&lines, b, err);
}

int kb_baseline_load(struct kb_baseline *out, const struct kb_bundle *b,
		     struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	int ret;

	ret = kb_record_load(&record, b, err);
	if (ret < 0)
		return ret;
	ret = kb_baseline_from_json(out, record, KB_BUNDLE_RECORD, err);
	if (ret < 0)
		return ret;
	ret = load_lines(out, b, err);
	if (ret < 0)
		kb_baseline_release(out);
	return ret;
}

static int compare_results(const void *pa, const void *pb)
{
	const struct kb_reference_result *a = pa, *b = pb;

	return kb_key_compare(a->key, b->key);
}

int kb_baseline_write(struct kb_bundle_writer *w, struct kb_baseline *b,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT;
	int ret;

	kb_keys_sort(b->problems, b->problem_count);
	if (b->result_count)
		qsort(b->results, b->result_count, sizeof(*b->results),
		      compare_results);
	for (size_t i = 0; i < b->result_count; i++)
		kb_lines_add(&lines,
			     kb_reference_result_to_json(&b->results[i]));

	ret = kb_bundle_writer_add(w, KB_RESULTS_MEMBER, lines.data,
				   lines.len, err);
	if (ret < 0)
		return ret;
	return kb_record_write(w, kb_baseline_to_json(b), err);
}

const struct kb_reference_result *
kb_baseline_find(const struct kb_baseline *b, struct kb_key key)
{
	return kb_key_find(b->results, b->result_count, sizeof(*b->results),
			   key, NULL);
}
