#include "manifest/baseline_v1.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/reference_result.h"

static void read_samples(struct kb_timing *t, enum kb_series series,
			 struct kb_fields *f, const char *key)
{
	const struct kb_json *array = kb_fields_array(f, key);

	for (const struct kb_json *v = array ? kb_json_first(array) : NULL; v;
	     v = kb_json_next(v)) {
		if (kb_json_type(v) != KB_JSON_INT ||
		    kb_json_int_value(v) < 0) {
			kb_fields_fail(f, "'%s' has an element that is no time",
				       key);
			return;
		}
		kb_timing_add(t, series, kb_json_int_value(v));
	}
}

/* Runs of one size were divided by it: a slope from no calls, which take no
 * time. */
static void make_slope(struct kb_timing *t)
{
	t->n_small = 0;
	for (size_t i = 0; i < t->small_count; i++) {
		kb_timing_add(t, KB_SERIES_LARGE, t->small_ns[i]);
		t->small_ns[i] = 0;
	}
}

static void read_sizes(struct kb_timing *t, struct kb_fields *f)
{
	static const char *const methods[] = { "slope", "single" };
	const bool is_slope = !kb_fields_word(f, "method", methods,
					      KB_ARRAY_LEN(methods));

	t->n_small = (int)kb_fields_int(f, "n_small", 1, KB_CALLS_MAX);
	t->n_large = (int)kb_fields_int(f, "n_large", t->n_small,
					KB_CALLS_MAX);
	read_samples(t, KB_SERIES_SMALL, f, "small_ns");
	read_samples(t, KB_SERIES_LARGE, f, "large_ns");
	if (is_slope != (t->n_large > t->n_small) || !t->small_count ||
	    t->large_count != (is_slope ? t->small_count : 0))
		kb_fields_fail(f, "batches do not go with 'method'");
	else if (!is_slope)
		make_slope(t);
}

static void read_members(struct kb_timing *t, struct kb_fields *f)
{
	static const char *const clocks[] = { "call", "device" };

	if (kb_fields_word(f, "clock", clocks, KB_CLOCK_COUNT) !=
	    (int)t->clock)
		kb_fields_fail(f, "'clock' is not '%s'",
			       kb_clock_name(t->clock));
	read_sizes(t, f);
	t->time_ns = kb_fields_int_or_null(f, "call_time_ns", 1,
					   KB_JSON_INT_MAX);
}

static struct kb_timing *read_timing(struct kb_fields *f, const char *key,
				     enum kb_clock clock)
{
	struct kb_timing *t;
	struct kb_fields inner;

	if (kb_fields_null(f, key) || !kb_fields_enter(&inner, f, key))
		return NULL;
	t = kb_timing_new(clock, 0, 1);
	read_members(t, &inner);
	f->ret = kb_fields_end(&inner);
	return t;
}

/* The words of version 1, in the order of our enum. They stand here once more
 * because ours may change and these may not. */
static enum kb_stop_reason read_ending(struct kb_fields *f, const char *key)
{
	static const char *const endings[] = { "interval", "trials",
					       "budget" };

	return (enum kb_stop_reason)kb_fields_word(f, key, endings,
						   KB_STOP_COUNT);
}

/* What says how the time came from `batches`, which had it as well. */
static void read_time(struct kb_timing *t, struct kb_fields *f)
{
	static const char *const deciders[] = { "batches" };
	const int64_t max = KB_JSON_INT_MAX;

	t->copy_in_small_ns = t->copy_in_large_ns = 0;
	t->stop_reason = read_ending(f, "ending");
	if (kb_fields_int_or_null(f, "time_ns", 1, max) != t->time_ns)
		kb_fields_fail(f, "'time_ns' is not that of 'batches'");
	if (!kb_fields_null(f, "decider"))
		kb_fields_word(f, "decider", deciders, 1);
	t->low_ns = kb_fields_int_or_null(f, "low_ns", -max, max);
	t->high_ns = kb_fields_int_or_null(f, "high_ns", -max, max);
}

/* Members that version 1 wrote for candidates alone. A baseline always had
 * them, and always as null. */
static void read_absent(struct kb_fields *f)
{
	static const char *const keys[] = {
		"few_calls", "publishing", "publish_ns", "before_ns",
		"after_ns"
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(keys); i++)
		if (!kb_fields_null(f, keys[i]))
			kb_fields_fail(f, "'%s' is there in a baseline",
				       keys[i]);
}

/* Without a gate there was nothing to say of a time. */
static void read_no_time(struct kb_fields *f)
{
	static const char *const keys[] = {
		"ending", "time_ns", "decider", "low_ns", "high_ns"
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(keys); i++)
		if (!kb_fields_null(f, keys[i]))
			kb_fields_fail(f, "'%s' does not go with 'no_gate'",
				       keys[i]);
}

static void read_device_timing(struct kb_reference_result *r,
			       struct kb_fields *f)
{
	struct kb_device_timing *t;
	struct kb_fields inner;

	if (!kb_fields_has(f, "device_timing") ||
	    !kb_fields_enter(&inner, f, "device_timing"))
		return;
	t = r->device_timing = kb_device_timing_new();
	t->timing = read_timing(&inner, "batches", KB_CLOCK_DEVICE);
	t->not_queueable = kb_fields_string_or_null(&inner, "no_gate");
	if (!t->timing != (t->not_queueable != NULL))
		kb_fields_fail(&inner, "'batches' does not go with 'no_gate'");
	else if (t->timing)
		read_time(t->timing, &inner);
	else
		read_no_time(&inner);
	if (r->timing)
		r->timing->stop_reason = read_ending(&inner, "call_ending");
	t->repeated = kb_fields_int(&inner, "repeated", 0, KB_JSON_INT_MAX);
	read_absent(&inner);
	kb_telemetry_read(&t->telemetry, &inner);
	f->ret = kb_fields_end(&inner);
}

int kb_reference_result_from_json_v1(struct kb_reference_result *r,
				     const struct kb_json *line,
				     const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	kb_reference_result_begin(r, &f, line, where, err);
	r->fp64_error = kb_fp64_error_read(&f, "oracle");
	r->timing = read_timing(&f, "timing", KB_CLOCK_CALL);
	/* On a CPU all ended so; where there is a device, that says how. */
	if (r->timing)
		r->timing->stop_reason = KB_STOP_TRIALS;
	read_device_timing(r, &f);
	kb_reference_result_check(&f, r);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_reference_result_release(r);
	return ret;
}
