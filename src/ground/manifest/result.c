#include "manifest/result.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "source/code_backend.h"
#include "store/quote.h"

_Static_assert(offsetof(struct kb_result, key) == 0,
	       "kb_key_find() wants the key first");

void kb_result_release(struct kb_result *r)
{
	kb_outcome_release(&r->outcome);
	free(r->outputs);
	free(r->built_in_place);
	free(r->measured_on);
	kb_fp64_error_free(r->fp64_error);
	kb_alternate_trials_free(r->alternates);
	kb_timing_free(r->timing);
	kb_timing_free(r->reference_timing);
	kb_device_timing_free(r->device_timing);
	kb_device_timing_free(r->reference_device_timing);
	*r = (struct kb_result)KB_RESULT_INIT;
}

int kb_result_compare(const void *pa, const void *pb)
{
	const struct kb_result *a = pa, *b = pb;

	return kb_sample_compare(a->key, a->sample_id, b->key, b->sample_id);
}

struct kb_json *kb_result_to_json(const struct kb_result *r)
{
	struct kb_json *line = kb_json_object();

	kb_put_key(line, r->key);
	kb_json_set_int(line, "sample_id", r->sample_id);
	if (r->outcome.status == KB_STATUS_MISSING)
		kb_json_set(line, "candidate_sha256", kb_json_null());
	else
		kb_put_digest(line, "candidate_sha256", &r->candidate);
	kb_outcome_to_json(line, &r->outcome);
	kb_json_set(line, "outputs",
		    kb_output_errors_to_json(r->outputs, r->output_count));
	kb_json_set(line, KB_FP64_ERROR_MEMBER,
		    kb_fp64_error_to_json(r->fp64_error));
	kb_json_set(line, "timing", kb_timing_to_json(r->timing));
	kb_json_set(line, "reference_timing",
		    kb_timing_to_json(r->reference_timing));
	/* Members that came later are absent where they say nothing, so that
	 * older evaluations are the same bytes. */
	if (r->device_timing)
		kb_json_set(line, "device_timing",
			    kb_device_timing_to_json(r->device_timing));
	if (r->reference_device_timing)
		kb_json_set(line, "reference_device_timing",
			    kb_device_timing_to_json(r->reference_device_timing));
	if (r->alternates)
		kb_json_set(line, KB_ALTERNATE_MEMBER,
			    kb_alternate_trials_to_json(r->alternates));
	if (r->backend)
		kb_json_set_string(line, "backend", r->backend);
	if (r->built_in_place)
		kb_json_set_string(line, "built_in_place", r->built_in_place);
	if (r->measured_on)
		kb_json_set_string(line, "measured_on", r->measured_on);
	if (r->cpu_ms)
		kb_json_set_int(line, "cpu_ms", r->cpu_ms);
	if (r->output_pool_bytes)
		kb_json_set_int(line, "output_pool_bytes",
				r->output_pool_bytes);
	if (r->reference_output_pool_bytes)
		kb_json_set_int(line, "reference_output_pool_bytes",
				r->reference_output_pool_bytes);
	if (r->seeds.count)
		kb_json_set(line, "seeds", kb_seeds_to_json(&r->seeds));
	return line;
}

static void read_candidate(struct kb_result *r, struct kb_fields *f)
{
	bool missing = kb_fields_null(f, "candidate_sha256");

	if (!missing)
		r->candidate = kb_fields_digest(f, "candidate_sha256");
	if (f->ret < 0)
		return;
	if (missing != (r->outcome.status == KB_STATUS_MISSING))
		kb_fields_fail(f, "'candidate_sha256' does not go with status '%s'",
			       kb_status_name(r->outcome.status));
}

/* A member that a result of this status may not have. */
static void refuse_if(struct kb_fields *f, bool is_there, const char *name,
		      const char *status)
{
	if (is_there)
		kb_fields_fail(f, "'%s' is there though the status is '%s'",
			       name, status);
}

/* Only what is correct is timed. What is missing was never seen, so that
 * nothing can be known of it but that. */
static void check_status(struct kb_fields *f, const struct kb_result *r)
{
	const char *status = kb_status_name(r->outcome.status);
	const bool correct = r->outcome.status == KB_STATUS_CORRECT;
	const bool missing = r->outcome.status == KB_STATUS_MISSING;

	refuse_if(f, !correct && r->timing, "timing", status);
	refuse_if(f, !correct && r->device_timing, "device_timing", status);
	refuse_if(f, missing && r->outputs, "outputs", status);
	refuse_if(f, missing && r->fp64_error, KB_FP64_ERROR_MEMBER, status);
	refuse_if(f, missing && r->alternates, KB_ALTERNATE_MEMBER, status);
	refuse_if(f, missing && r->backend, "backend", status);
	refuse_if(f, missing && r->seeds.count, "seeds", status);
	refuse_if(f, missing && r->measured_on, "measured_on", status);
	refuse_if(f, missing && r->built_in_place, "built_in_place", status);
	refuse_if(f, missing && r->cpu_ms, "cpu_ms", status);
	refuse_if(f, missing && r->output_pool_bytes, "output_pool_bytes",
		  status);
	refuse_if(f, missing && r->reference_output_pool_bytes,
		  "reference_output_pool_bytes", status);
}

static void check_result(struct kb_fields *f, const struct kb_result *r)
{
	const char *status;

	if (f->ret < 0)
		return;
	status = kb_status_name(r->outcome.status);
	if (!kb_status_of_candidate(r->outcome.status))
		kb_fields_fail(f, "no candidate ends as '%s'", status);
	check_status(f, r);
	if (r->alternates && !r->alternates->trials &&
	    r->outcome.status == KB_STATUS_CORRECT)
		kb_fields_fail(f, "'%s' has no trials though the status is '%s'",
			       KB_ALTERNATE_MEMBER, status);
	if (r->outputs && r->fp64_error && r->fp64_error->outputs &&
	    r->fp64_error->output_count != r->output_count)
		kb_fields_fail(f, "'%s' has %zu outputs, 'outputs' %zu",
			       KB_FP64_ERROR_MEMBER, r->fp64_error->output_count,
			       r->output_count);
}

/* One call of both in turn; alone is only the reference. */
static void check_one_call(struct kb_fields *f, const struct kb_timing *t,
			   const struct kb_timing *reference)
{
	if (t && t->alone_count)
		kb_fields_fail(f, "'alone_ns' is there of a candidate");
	if (t && !t->n_one_call)
		kb_fields_fail(f, "'n_one_call' is 0 of a candidate");
	if (t && t->one_call_count &&
	    (!reference || reference->one_call_count != t->one_call_count))
		kb_fields_fail(f,
			       "'one_call_ns' has %zu samples of the candidate, %zu of the reference",
			       t->one_call_count,
			       reference ? reference->one_call_count : 0);
}

static void check_times(struct kb_fields *f, const struct kb_result *r)
{
	const char *control = kb_device_timing_has_control(r->device_timing);

	if (control)
		kb_fields_fail(f, "'%s' is there of a candidate", control);
	check_one_call(f, r->timing, r->reference_timing);
	check_one_call(f, kb_device_time(r->device_timing),
		       kb_device_time(r->reference_device_timing));
	kb_device_timing_check(f, "timing", r->timing, r->device_timing);
	kb_device_timing_check(f, "reference_timing", r->reference_timing,
			       r->reference_device_timing);
}

static char *optional_text(struct kb_fields *f, const char *name)
{
	return kb_fields_has(f, name) ? kb_fields_string(f, name) : NULL;
}

static int64_t optional_count(struct kb_fields *f, const char *name)
{
	return kb_fields_has(f, name) ?
		kb_fields_int(f, name, 1, KB_JSON_INT_MAX) : 0;
}

/* A word of the list lives as long as we do. */
static const char *read_backend(struct kb_fields *f)
{
	kb_auto(mem) char *name = optional_text(f, "backend");

	for (size_t i = 0; name && kb_code_backends[i]; i++)
		if (!strcmp(kb_code_backends[i], name))
			return kb_code_backends[i];
	if (name)
		kb_fields_fail(f, "no backend is called '%s'",
			       kb_quote_str(name).text);
	return NULL;
}

int kb_result_from_json(struct kb_result *r, const struct kb_json *line,
			const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*r = (struct kb_result)KB_RESULT_INIT;
	kb_fields_begin(&f, line, where, err);
	r->key = kb_fields_key(&f);
	r->sample_id = (int)kb_fields_int(&f, "sample_id", 0,
					  KB_SAMPLE_ID_MAX);
	kb_outcome_read(&r->outcome, &f);
	read_candidate(r, &f);
	r->outputs = kb_output_errors_read(&f, &r->output_count);
	r->fp64_error = kb_fp64_error_read(&f, KB_FP64_ERROR_MEMBER);
	r->timing = kb_timing_read(&f, "timing", KB_CLOCK_CALL);
	r->reference_timing = kb_timing_read(&f, "reference_timing",
					     KB_CLOCK_CALL);
	r->device_timing = kb_device_timing_read(&f, "device_timing");
	r->reference_device_timing =
		kb_device_timing_read(&f, "reference_device_timing");
	r->alternates = kb_alternate_trials_read(&f, KB_ALTERNATE_MEMBER);
	kb_seeds_read(&r->seeds, &f, "seeds");
	r->backend = read_backend(&f);
	r->built_in_place = optional_text(&f, "built_in_place");
	r->measured_on = optional_text(&f, "measured_on");
	r->cpu_ms = optional_count(&f, "cpu_ms");
	r->output_pool_bytes = optional_count(&f, "output_pool_bytes");
	r->reference_output_pool_bytes =
		optional_count(&f, "reference_output_pool_bytes");
	check_result(&f, r);
	check_times(&f, r);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_result_release(r);
	return ret;
}
