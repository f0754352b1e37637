#include "manifest/reference_result.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

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

bool kb_mode_compiles(enum kb_mode mode)
{
	return mode != KB_MODE_EAGER && mode != KB_MODE_CUDAGRAPHS;
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
	free(r->measured_on);
	kb_fp64_error_free(r->fp64_error);
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
	kb_json_set(line, KB_FP64_ERROR_MEMBER,
		    kb_fp64_error_to_json(r->fp64_error));
	kb_json_set(line, "timing", kb_timing_to_json(r->timing));
	if (r->measured_on)
		kb_json_set_string(line, "measured_on", r->measured_on);
	if (r->device_timing)
		kb_json_set(line, "device_timing",
			    kb_device_timing_to_json(r->device_timing));
	if (r->output_pool_bytes)
		kb_json_set_int(line, "output_pool_bytes",
				r->output_pool_bytes);
	return line;
}

enum kb_mode kb_mode_read(struct kb_fields *f, const char *key)
{
	return (enum kb_mode)kb_fields_word(f, key, modes, KB_MODE_COUNT);
}

/* Whether times go with the status. */
static void check_status(struct kb_fields *f,
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

/* There is nobody that it was timed beside. */
static void check_alone(struct kb_fields *f, const struct kb_timing *t)
{
	if (t && (t->one_call_count || t->alone_count))
		kb_fields_fail(f, "'%s' is there without a candidate",
			       t->one_call_count ? "one_call_ns" : "alone_ns");
}

static void check_device_alone(struct kb_fields *f,
			       const struct kb_device_timing *d)
{
	const char *control = kb_device_timing_has_control(d);

	if (control)
		kb_fields_fail(f, "'%s' is there without a candidate", control);
	check_alone(f, d ? d->timing : NULL);
}

int kb_reference_result_from_json(struct kb_reference_result *r,
				  const struct kb_json *line,
				  const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*r = (struct kb_reference_result)KB_REFERENCE_RESULT_INIT;
	kb_fields_begin(&f, line, where, err);
	r->key = kb_fields_key(&f);
	r->mode = kb_mode_read(&f, "mode");
	kb_outcome_read(&r->outcome, &f);
	r->fp64_error = kb_fp64_error_read(&f, KB_FP64_ERROR_MEMBER);
	r->timing = kb_timing_read(&f, "timing", KB_CLOCK_CALL);
	r->device_timing = kb_device_timing_read(&f, "device_timing");
	check_alone(&f, r->timing);
	if (kb_fields_has(&f, "measured_on"))
		r->measured_on = kb_fields_string(&f, "measured_on");
	if (kb_fields_has(&f, "output_pool_bytes"))
		r->output_pool_bytes = kb_fields_int(&f, "output_pool_bytes", 1,
						     KB_JSON_INT_MAX);
	kb_device_timing_check(&f, "timing", r->timing, r->device_timing);
	check_device_alone(&f, r->device_timing);
	check_status(&f, r);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_reference_result_release(r);
	return ret;
}
