#include "manifest/timing.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/record.h"

static const char *const clocks[KB_CLOCK_COUNT] = {
	[KB_CLOCK_CALL] = "call",
	[KB_CLOCK_DEVICE] = "device",
};

static const char *const bases[KB_BASIS_COUNT] = {
	[KB_BASIS_SLOPE] = "slope",
	[KB_BASIS_ONE_CALL] = "one_call",
	[KB_BASIS_DEVICE] = "device",
	[KB_BASIS_CONTROL] = "control",
};

static const char *const stop_reasons[KB_STOP_COUNT] = {
	[KB_STOP_INTERVAL] = "interval",
	[KB_STOP_TRIALS] = "trials",
	[KB_STOP_BUDGET] = "budget",
	[KB_STOP_SLOW] = "slow",
};

const char *kb_basis_name(enum kb_basis basis)
{
	return bases[basis];
}

const char *kb_stop_reason_name(enum kb_stop_reason reason)
{
	return stop_reasons[reason];
}

const char *kb_clock_name(enum kb_clock clock)
{
	return clocks[clock];
}

int kb_clock_parse(enum kb_clock *out, const char *name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	for (int i = 0; i < KB_CLOCK_COUNT; i++) {
		if (!strcmp(clocks[i], name)) {
			*out = (enum kb_clock)i;
			return 0;
		}
		kb_buf_addf(&names, "%s%s", i ? ", " : "", clocks[i]);
	}
	return kb_err(err, KB_ERR_INPUT,
		      "no clock is called '%s', there are: %s", name,
		      names.data);
}

struct kb_timing *kb_timing_new(enum kb_clock clock, int n_small, int n_large)
{
	struct kb_timing *t = kb_xcalloc(1, sizeof(*t));

	t->clock = clock;
	t->n_small = n_small;
	t->n_large = n_large;
	t->copy_in_small_ns = t->copy_in_large_ns = KB_UNKNOWN;
	t->copy_in_one_call_ns = t->device_ns = t->control_ns = KB_UNKNOWN;
	t->n_one_call = 1;
	t->time_ns = t->low_ns = t->high_ns = KB_UNKNOWN;
	return t;
}

struct samples {
	int64_t **items_ns;
	size_t *count;
};

static struct samples samples_of(struct kb_timing *t, enum kb_series series)
{
	switch (series) {
	case KB_SERIES_SMALL:
		return (struct samples){ &t->small_ns, &t->small_count };
	case KB_SERIES_LARGE:
		return (struct samples){ &t->large_ns, &t->large_count };
	case KB_SERIES_ONE_CALL:
		return (struct samples){ &t->one_call_ns,
					 &t->one_call_count };
	case KB_SERIES_ALONE:
		break;
	}
	return (struct samples){ &t->alone_ns, &t->alone_count };
}

void kb_timing_add(struct kb_timing *t, enum kb_series series,
		   int64_t elapsed_ns)
{
	const struct samples s = samples_of(t, series);

	*s.items_ns = kb_xreallocarray(*s.items_ns, *s.count + 1,
				       sizeof(**s.items_ns));
	(*s.items_ns)[(*s.count)++] = elapsed_ns;
}

void kb_timing_drop(struct kb_timing *t, enum kb_series series)
{
	const struct samples s = samples_of(t, series);

	free(*s.items_ns);
	*s.items_ns = NULL;
	*s.count = 0;
}

void kb_timing_free(struct kb_timing *t)
{
	if (!t)
		return;
	free(t->small_ns);
	free(t->large_ns);
	free(t->one_call_ns);
	free(t->alone_ns);
	free(t);
}

static void put_samples(struct kb_json *object, const char *key,
			const int64_t *samples_ns, size_t count)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < count; i++)
		kb_json_append(array, kb_json_int(samples_ns[i]));
	kb_json_set(object, key, array);
}

static void put_time(struct kb_json *object, const struct kb_timing *t)
{
	kb_put_int(object, "time_ns", t->time_ns);
	kb_json_set_string(object, "basis", t->time_ns == KB_UNKNOWN ?
			   NULL : bases[t->basis]);
	kb_put_int(object, "low_ns", t->low_ns);
	kb_put_int(object, "high_ns", t->high_ns);
}

struct kb_json *kb_timing_to_json(const struct kb_timing *t)
{
	struct kb_json *v;

	if (!t)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_string(v, "clock", clocks[t->clock]);
	kb_json_set_int(v, "n_small", t->n_small);
	kb_json_set_int(v, "n_large", t->n_large);
	put_samples(v, "small_ns", t->small_ns, t->small_count);
	put_samples(v, "large_ns", t->large_ns, t->large_count);
	kb_json_set_int(v, "n_one_call", t->n_one_call);
	put_samples(v, "one_call_ns", t->one_call_ns, t->one_call_count);
	put_samples(v, "alone_ns", t->alone_ns, t->alone_count);
	if (t->one_call_slack_ns)
		kb_json_set_int(v, "one_call_slack_ns", t->one_call_slack_ns);
	kb_put_int(v, "copy_in_small_ns", t->copy_in_small_ns);
	kb_put_int(v, "copy_in_large_ns", t->copy_in_large_ns);
	kb_put_int(v, "copy_in_one_call_ns", t->copy_in_one_call_ns);
	kb_put_int(v, "device_ns", t->device_ns);
	put_time(v, t);
	kb_json_set_string(v, "stop_reason", stop_reasons[t->stop_reason]);
	return v;
}

/* Samples may be below zero: on a device the cost of copying in, itself a
 * measurement, is subtracted from them. */
static void read_samples(struct kb_fields *f, const char *key,
			 struct kb_timing *t, enum kb_series series)
{
	const struct kb_json *array = kb_fields_array(f, key);
	const struct samples s = samples_of(t, series);

	if (!array)
		return;
	*s.items_ns = kb_xcalloc(kb_json_count(array), sizeof(**s.items_ns));
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v)) {
		if (kb_json_type(v) != KB_JSON_INT) {
			kb_fields_fail(f, "'%s' has an element that is no time",
				       key);
			return;
		}
		(*s.items_ns)[(*s.count)++] = kb_json_int_value(v);
	}
}

static enum kb_clock read_clock(struct kb_fields *f, enum kb_clock want)
{
	enum kb_clock clock = (enum kb_clock)kb_fields_word(f, "clock", clocks,
							    KB_CLOCK_COUNT);

	if (clock != want)
		kb_fields_fail(f, "'clock' is '%s', want '%s'", clocks[clock],
			       clocks[want]);
	return clock;
}

/* A slope needs a pair of samples for each trial and two different numbers of
 * calls. No calls beside one is the form that a run of single calls has:
 * nothing is subtracted. */
static void check_sizes(struct kb_fields *f, const struct kb_timing *t)
{
	if (t->small_count == 0)
		kb_fields_fail(f, "'small_ns' is empty");
	if (t->n_large <= t->n_small)
		kb_fields_fail(f, "'n_large' is not above 'n_small'");
	if (!t->n_small && t->n_large != 1)
		kb_fields_fail(f, "'n_large' is %d beside 'n_small' 0, want 1",
			       t->n_large);
	if (t->large_count != t->small_count)
		kb_fields_fail(f, "'small_ns' and 'large_ns' have not equally many samples");
}

/* On a device inputs are copied within the interval that is timed, and the
 * copies' cost is subtracted. A time from which it cannot have been subtracted
 * is not a time by that clock. */
static void check_copy_in(struct kb_fields *f, const struct kb_timing *t)
{
	const bool known = t->copy_in_small_ns != KB_UNKNOWN;

	if (known != (t->copy_in_large_ns != KB_UNKNOWN))
		kb_fields_fail(f, "'copy_in_small_ns' and 'copy_in_large_ns' are not both known");
	if (t->clock == KB_CLOCK_DEVICE && !known)
		kb_fields_fail(f, "'copy_in_small_ns' is not known by the clock of a device");
	if (!known && t->copy_in_one_call_ns != KB_UNKNOWN)
		kb_fields_fail(f, "'copy_in_one_call_ns' is there without 'copy_in_small_ns'");
	if (known && t->copy_in_one_call_ns == KB_UNKNOWN &&
	    (t->one_call_count || t->alone_count))
		kb_fields_fail(f, "'copy_in_one_call_ns' is not known of runs of one call");
}

/* Returns whether there is one. */
static bool read_basis(struct kb_timing *t, struct kb_fields *f)
{
	if (kb_fields_null(f, "basis"))
		return false;
	t->basis = (enum kb_basis)kb_fields_word(f, "basis", bases,
						 KB_BASIS_COUNT);
	return true;
}

/* Only a reference on a device has runs of no calls, and there is nothing
 * below the device's clock that it could be bounded by. */
static void check_clock(struct kb_fields *f, const struct kb_timing *t)
{
	if (!t->n_one_call && t->copy_in_small_ns == KB_UNKNOWN)
		kb_fields_fail(f, "'n_one_call' is 0 without 'copy_in_small_ns'");
	if (t->device_ns == KB_UNKNOWN)
		return;
	if (t->clock == KB_CLOCK_DEVICE)
		kb_fields_fail(f, "'device_ns' is there by the clock of a device");
	if (t->copy_in_small_ns == KB_UNKNOWN)
		kb_fields_fail(f, "'device_ns' is there without 'copy_in_small_ns'");
}

/* A time names its basis, and whoever verifies computes it again from that
 * basis: what the basis needs must be in the record. Intervals are of
 * samples' medians, which the device's time and control timings are not. */
static void check_time(struct kb_fields *f, const struct kb_timing *t)
{
	const bool timed = t->time_ns != KB_UNKNOWN;

	if (timed && t->basis == KB_BASIS_ONE_CALL && !t->one_call_count)
		kb_fields_fail(f, "'one_call_ns' decided, but is empty");
	if (timed && t->basis == KB_BASIS_DEVICE && t->device_ns == KB_UNKNOWN)
		kb_fields_fail(f, "'device_ns' decided, but is not known");
	if (timed && t->basis == KB_BASIS_DEVICE && t->low_ns != KB_UNKNOWN)
		kb_fields_fail(f, "'low_ns' is there where 'device_ns' decided");
	if (timed && t->basis == KB_BASIS_CONTROL &&
	    t->clock != KB_CLOCK_DEVICE)
		kb_fields_fail(f, "'basis' is 'control' by the call clock");
	if (timed && t->basis == KB_BASIS_CONTROL && t->low_ns != KB_UNKNOWN)
		kb_fields_fail(f, "'low_ns' is there where control timings decided");
	if (!timed && t->low_ns != KB_UNKNOWN)
		kb_fields_fail(f, "'low_ns' is there without 'time_ns'");
	if ((t->low_ns == KB_UNKNOWN) != (t->high_ns == KB_UNKNOWN))
		kb_fields_fail(f, "'low_ns' and 'high_ns' are not both known");
	if (t->low_ns > t->high_ns)
		kb_fields_fail(f, "'low_ns' is above 'high_ns'");
}

/* In the order of their keys. The clock is said only where it is another than
 * the timing's own. */
static void read_members(struct kb_timing *t, struct kb_fields *f,
			 enum kb_clock clock)
{
	const int64_t max = KB_JSON_INT_MAX;
	bool has_basis;

	read_samples(f, "alone_ns", t, KB_SERIES_ALONE);
	has_basis = read_basis(t, f);
	t->clock = read_clock(f, clock);
	t->copy_in_large_ns = kb_fields_int_or_null(f, "copy_in_large_ns", 0,
						    max);
	t->copy_in_one_call_ns = kb_fields_int_or_null(
		f, "copy_in_one_call_ns", 0, max);
	t->copy_in_small_ns = kb_fields_int_or_null(f, "copy_in_small_ns", 0,
						    max);
	t->device_ns = kb_fields_int_or_null(f, "device_ns", 1, max);
	t->high_ns = kb_fields_int_or_null(f, "high_ns", -max, max);
	read_samples(f, "large_ns", t, KB_SERIES_LARGE);
	t->low_ns = kb_fields_int_or_null(f, "low_ns", -max, max);
	t->n_large = (int)kb_fields_int(f, "n_large", 1, KB_CALLS_MAX);
	t->n_one_call = (int)kb_fields_int(f, "n_one_call", 0, 1);
	t->n_small = (int)kb_fields_int(f, "n_small", 0, KB_CALLS_MAX);
	read_samples(f, "one_call_ns", t, KB_SERIES_ONE_CALL);
	if (kb_fields_has(f, "one_call_slack_ns"))
		t->one_call_slack_ns = kb_fields_int(f, "one_call_slack_ns", 1,
						     max);
	read_samples(f, "small_ns", t, KB_SERIES_SMALL);
	t->stop_reason = (enum kb_stop_reason)kb_fields_word(
		f, "stop_reason", stop_reasons, KB_STOP_COUNT);
	t->time_ns = kb_fields_int_or_null(f, "time_ns", 1, max);
	if (has_basis != (t->time_ns != KB_UNKNOWN))
		kb_fields_fail(f, "'basis' does not go with 'time_ns'");
}

struct kb_timing *kb_timing_read(struct kb_fields *f, const char *key,
				 enum kb_clock clock)
{
	kb_auto(timing) struct kb_timing *t = NULL;
	struct kb_fields inner;

	if (kb_fields_null(f, key) || !kb_fields_enter(&inner, f, key))
		return NULL;
	t = kb_timing_new(clock, 0, 1);
	read_members(t, &inner, clock);
	check_sizes(&inner, t);
	check_copy_in(&inner, t);
	check_clock(&inner, t);
	check_time(&inner, t);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(t);
}
