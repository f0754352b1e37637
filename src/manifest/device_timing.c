#include "manifest/device_timing.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

static const char *const deciders[KB_DECIDER_COUNT] = {
	[KB_DECIDER_BATCHES] = "batches",
	[KB_DECIDER_FEW_CALLS] = "few_calls",
	[KB_DECIDER_PUBLISHING] = "publishing",
	[KB_DECIDER_FLOOR] = "floor",
};

static const char *const endings[KB_ENDING_COUNT] = {
	[KB_ENDING_INTERVAL] = "interval",
	[KB_ENDING_TRIALS] = "trials",
	[KB_ENDING_BUDGET] = "budget",
};

KB_DEFINE_CLEANUP(device_timing, struct kb_device_timing *,
		  kb_device_timing_free);

struct kb_device_timing *kb_device_timing_new(void)
{
	struct kb_device_timing *t = kb_xcalloc(1, sizeof(*t));

	*t = (struct kb_device_timing)KB_DEVICE_TIMING_INIT;
	return t;
}

void kb_device_timing_free(struct kb_device_timing *t)
{
	if (!t)
		return;
	free(t->no_gate);
	kb_timing_free(t->batches);
	kb_timing_free(t->few_calls);
	kb_timing_free(t->publishing);
	free(t);
}

static struct kb_json *telemetry_to_json(const struct kb_telemetry *t)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "samples", t->samples);
	kb_put_int(v, "sm_clock_mhz_min", t->sm_clock_mhz_min);
	kb_put_int(v, "sm_clock_mhz_max", t->sm_clock_mhz_max);
	kb_put_int(v, "memory_clock_mhz_min", t->memory_clock_mhz_min);
	kb_put_int(v, "memory_clock_mhz_max", t->memory_clock_mhz_max);
	kb_put_int(v, "temperature_c_max", t->temperature_c_max);
	kb_put_int(v, "power_mw_max", t->power_mw_max);
	kb_put_int(v, "reasons", t->reasons);
	return v;
}

struct kb_json *kb_device_timing_to_json(const struct kb_device_timing *t)
{
	struct kb_json *v = kb_json_object();

	kb_put_int(v, "time_ns", t->time_ns);
	kb_json_set_string(v, "decider", t->time_ns == KB_UNKNOWN ?
			   NULL : deciders[t->decider]);
	kb_json_set_string(v, "ending", t->no_gate ? NULL :
			   endings[t->ending]);
	kb_json_set_string(v, "call_ending", endings[t->call_ending]);
	kb_put_int(v, "low_ns", t->low_ns);
	kb_put_int(v, "high_ns", t->high_ns);
	kb_json_set_string(v, "no_gate", t->no_gate);
	kb_json_set(v, "batches", kb_timing_to_json(t->batches));
	kb_json_set(v, "few_calls", kb_timing_to_json(t->few_calls));
	kb_json_set(v, "publishing", kb_timing_to_json(t->publishing));
	kb_put_int(v, "publish_ns", t->publish_ns);
	kb_json_set_int(v, "repeated", t->repeated);
	kb_put_int(v, "before_ns", t->before_ns);
	kb_put_int(v, "after_ns", t->after_ns);
	kb_json_set(v, "telemetry", telemetry_to_json(&t->telemetry));
	return v;
}

/* `lowest` and `highest` name the members for the message. */
static void check_order(struct kb_fields *f, const char *lowest, int64_t low,
			const char *highest, int64_t high)
{
	if ((low == KB_UNKNOWN) != (high == KB_UNKNOWN))
		kb_fields_fail(f, "'%s' and '%s' are not both known", lowest,
			       highest);
	if (low > high)
		kb_fields_fail(f, "'%s' is above '%s'", lowest, highest);
}

static int64_t read_count(struct kb_fields *f, const char *key)
{
	return kb_fields_int_or_null(f, key, 0, KB_JSON_INT_MAX);
}

static void read_telemetry(struct kb_telemetry *t, struct kb_fields *f)
{
	const struct kb_json *v = kb_fields_object(f, "telemetry");
	struct kb_fields inner;

	if (!v)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	t->samples = kb_fields_int(&inner, "samples", 0, KB_JSON_INT_MAX);
	t->sm_clock_mhz_min = read_count(&inner, "sm_clock_mhz_min");
	t->sm_clock_mhz_max = read_count(&inner, "sm_clock_mhz_max");
	t->memory_clock_mhz_min = read_count(&inner, "memory_clock_mhz_min");
	t->memory_clock_mhz_max = read_count(&inner, "memory_clock_mhz_max");
	t->temperature_c_max = read_count(&inner, "temperature_c_max");
	t->power_mw_max = read_count(&inner, "power_mw_max");
	t->reasons = read_count(&inner, "reasons");
	check_order(&inner, "sm_clock_mhz_min", t->sm_clock_mhz_min,
		    "sm_clock_mhz_max", t->sm_clock_mhz_max);
	check_order(&inner, "memory_clock_mhz_min", t->memory_clock_mhz_min,
		    "memory_clock_mhz_max", t->memory_clock_mhz_max);
	f->ret = kb_fields_end(&inner);
}

/* The index of the member's word, or -1 if it is null. */
static int word_or_null(struct kb_fields *f, const char *key,
			const char *const words[], int count)
{
	return kb_fields_null(f, key) ? -1
				      : kb_fields_word(f, key, words, count);
}

static void read_decider(struct kb_device_timing *t, struct kb_fields *f)
{
	int decider = word_or_null(f, "decider", deciders, KB_DECIDER_COUNT);

	if (f->ret == 0 && (decider < 0) != (t->time_ns == KB_UNKNOWN))
		kb_fields_fail(f, "'decider' does not go with 'time_ns'");
	if (decider >= 0)
		t->decider = (enum kb_decider)decider;
}

static void read_ending(struct kb_device_timing *t, struct kb_fields *f)
{
	int ending = word_or_null(f, "ending", endings, KB_ENDING_COUNT);

	if (f->ret == 0 && (ending < 0) != (t->no_gate != NULL))
		kb_fields_fail(f, "'ending' does not go with 'no_gate'");
	if (ending >= 0)
		t->ending = (enum kb_ending)ending;
}

/* Without a gate there is nothing that needs one; with one there are
 * batches at least. */
static void check_gate(struct kb_fields *f, const struct kb_device_timing *t)
{
	if (!t->batches != (t->no_gate != NULL))
		kb_fields_fail(f, "'batches' does not go with 'no_gate'");
	if (t->no_gate && t->few_calls)
		kb_fields_fail(f, "'few_calls' does not go with 'no_gate'");
	if (t->no_gate && t->publishing)
		kb_fields_fail(f, "'publishing' does not go with 'no_gate'");
	if (t->no_gate && t->time_ns != KB_UNKNOWN)
		kb_fields_fail(f, "'time_ns' does not go with 'no_gate'");
}

static void check_time(struct kb_fields *f, const struct kb_device_timing *t)
{
	const bool timed = t->time_ns != KB_UNKNOWN;

	if (timed && t->decider == KB_DECIDER_FEW_CALLS && !t->few_calls)
		kb_fields_fail(f, "'few_calls' decided, but is not there");
	if (timed && t->decider == KB_DECIDER_PUBLISHING && !t->publishing)
		kb_fields_fail(f, "'publishing' decided, but is not there");
	if (t->publishing && t->publish_ns == KB_UNKNOWN)
		kb_fields_fail(f, "'publishing' is there without 'publish_ns'");
	if (!timed && t->low_ns != KB_UNKNOWN)
		kb_fields_fail(f, "'low_ns' is there without 'time_ns'");
	check_order(f, "low_ns", t->low_ns, "high_ns", t->high_ns);
}

static void read_members(struct kb_device_timing *t, struct kb_fields *f)
{
	const int64_t max = KB_JSON_INT_MAX;

	t->time_ns = kb_fields_int_or_null(f, "time_ns", 1, max);
	read_decider(t, f);
	t->low_ns = kb_fields_int_or_null(f, "low_ns", -max, max);
	t->high_ns = kb_fields_int_or_null(f, "high_ns", -max, max);
	t->no_gate = kb_fields_string_or_null(f, "no_gate");
	read_ending(t, f);
	t->call_ending = (enum kb_ending)kb_fields_word(
		f, "call_ending", endings, KB_ENDING_COUNT);
	t->batches = kb_timing_read(f, "batches", KB_CLOCK_DEVICE);
	t->few_calls = kb_timing_read(f, "few_calls", KB_CLOCK_DEVICE);
	t->publishing = kb_timing_read(f, "publishing", KB_CLOCK_DEVICE);
	t->publish_ns = kb_fields_int_or_null(f, "publish_ns", 0, max);
	t->repeated = kb_fields_int(f, "repeated", 0, max);
	t->before_ns = kb_fields_int_or_null(f, "before_ns", 1, max);
	t->after_ns = kb_fields_int_or_null(f, "after_ns", 1, max);
	read_telemetry(&t->telemetry, f);
}

struct kb_device_timing *kb_device_timing_read(struct kb_fields *f,
					       const char *key)
{
	const struct kb_json *v = kb_fields_has(f, key)
					  ? kb_fields_object(f, key)
					  : NULL;
	kb_auto(device_timing) struct kb_device_timing *t = NULL;
	struct kb_fields inner;

	if (!v)
		return NULL;
	t = kb_device_timing_new();
	kb_fields_begin(&inner, v, f->where, f->err);
	read_members(t, &inner);
	check_gate(&inner, t);
	check_time(&inner, t);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(t);
}
