#include "manifest/device_timing.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

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
	kb_timing_free(t->timing);
	free(t->not_queueable);
	free(t);
}

void kb_device_timing_control(struct kb_device_timing *t, int64_t before_ns,
			      int64_t after_ns)
{
	t->control_before_ns = before_ns;
	t->control_after_ns = after_ns;
	/* KB_UNKNOWN is below all times. */
	if (t->timing)
		t->timing->control_ns =
			before_ns > after_ns ? before_ns : after_ns;
}

int64_t kb_device_timing_sm_clock_mhz(const struct kb_device_timing *t)
{
	return t ? t->telemetry.sm_clock_mhz_max : KB_UNKNOWN;
}

/* Only a reference is timed alone before and after. A candidate's record that
 * has such a timing would claim a control that nobody ran. */
const char *kb_device_timing_has_control(const struct kb_device_timing *t)
{
	if (t && t->control_before_ns != KB_UNKNOWN)
		return "control_before_ns";
	return t && t->control_after_ns != KB_UNKNOWN ? "control_after_ns"
						      : NULL;
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

	kb_json_set(v, "timing", kb_timing_to_json(t->timing));
	kb_json_set_string(v, "not_queueable", t->not_queueable);
	kb_json_set_int(v, "repeated", t->repeated);
	kb_put_int(v, "control_before_ns", t->control_before_ns);
	kb_put_int(v, "control_after_ns", t->control_after_ns);
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
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, "telemetry"))
		return;
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

static void read_control(struct kb_device_timing *t, struct kb_fields *f)
{
	const int64_t max = KB_JSON_INT_MAX;
	const int64_t before_ns =
		kb_fields_int_or_null(f, "control_before_ns", 1, max);
	const int64_t after_ns =
		kb_fields_int_or_null(f, "control_after_ns", 1, max);
	const struct kb_timing *timing = t->timing;

	kb_device_timing_control(t, before_ns, after_ns);
	if (timing && timing->time_ns != KB_UNKNOWN &&
	    timing->basis == KB_BASIS_CONTROL &&
	    timing->control_ns == KB_UNKNOWN)
		kb_fields_fail(f, "control timings decided, but are not known");
}

static void read_members(struct kb_device_timing *t, struct kb_fields *f)
{

	t->timing = kb_timing_read(f, "timing", KB_CLOCK_DEVICE);
	t->not_queueable = kb_fields_string_or_null(f, "not_queueable");
	if (!t->timing != (t->not_queueable != NULL))
		kb_fields_fail(f, "'timing' does not go with 'not_queueable'");
	t->repeated = kb_fields_int(f, "repeated", 0, KB_JSON_INT_MAX);
	read_control(t, f);
	read_telemetry(&t->telemetry, f);
}

struct kb_device_timing *kb_device_timing_read(struct kb_fields *f,
					       const char *key)
{
	kb_auto(device_timing) struct kb_device_timing *t = NULL;
	struct kb_fields inner;

	if (!kb_fields_has(f, key) || !kb_fields_enter(&inner, f, key))
		return NULL;
	t = kb_device_timing_new();
	read_members(t, &inner);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(t);
}

/* A call cannot be shorter than its kernels: the device's time bounds the
 * call's from below, and is copied into it so that each timing can be verified
 * by itself. */
bool kb_device_ns_is_told(const struct kb_timing *call,
			  const struct kb_device_timing *device)
{
	const struct kb_timing *t = device ? device->timing : NULL;

	return !call || call->device_ns == (t ? t->time_ns : KB_UNKNOWN);
}

void kb_device_timing_check(struct kb_fields *f, const char *key,
			    const struct kb_timing *call,
			    const struct kb_device_timing *device)
{
	const bool known = call && call->copy_in_small_ns != KB_UNKNOWN;

	if (call && known != (device != NULL))
		kb_fields_fail(f, "'copy_in_small_ns' of '%s' is %s a device's clock",
			       key, known ? "there without" : "not known beside");
}
