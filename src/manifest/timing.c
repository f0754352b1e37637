#include "manifest/timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/record.h"

static const char *const methods[KB_METHOD_COUNT] = {
	[KB_METHOD_SLOPE] = "slope",
	[KB_METHOD_SINGLE] = "single",
};

static const char *const clocks[KB_CLOCK_COUNT] = {
	[KB_CLOCK_CALL] = "call",
	[KB_CLOCK_DEVICE] = "device",
};

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

KB_DEFINE_CLEANUP(timing, struct kb_timing *, kb_timing_free);

struct kb_timing *kb_timing_new(enum kb_clock clock, int n_small, int n_large)
{
	struct kb_timing *t = kb_xcalloc(1, sizeof(*t));

	t->method = n_large > n_small ? KB_METHOD_SLOPE : KB_METHOD_SINGLE;
	t->clock = clock;
	t->n_small = n_small;
	t->n_large = n_large;
	t->call_time_ns = KB_UNKNOWN;
	return t;
}

void kb_timing_add(struct kb_timing *t, bool large, int64_t elapsed_ns)
{
	int64_t **list = large ? &t->large_ns : &t->small_ns;
	size_t *count = large ? &t->large_count : &t->small_count;

	*list = kb_xreallocarray(*list, *count + 1, sizeof(**list));
	(*list)[(*count)++] = elapsed_ns;
}

void kb_timing_free(struct kb_timing *t)
{
	if (!t)
		return;
	free(t->small_ns);
	free(t->large_ns);
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

struct kb_json *kb_timing_to_json(const struct kb_timing *t)
{
	struct kb_json *v;

	if (!t)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_string(v, "method", methods[t->method]);
	kb_json_set_string(v, "clock", clocks[t->clock]);
	kb_json_set_int(v, "n_small", t->n_small);
	kb_json_set_int(v, "n_large", t->n_large);
	put_samples(v, "small_ns", t->small_ns, t->small_count);
	put_samples(v, "large_ns", t->large_ns, t->large_count);
	kb_put_int(v, "call_time_ns", t->call_time_ns);
	return v;
}

static int64_t *read_samples(struct kb_fields *f, const char *key,
			     size_t *count)
{
	const struct kb_json *array = kb_fields_array(f, key);
	int64_t *samples_ns;
	size_t n = 0;

	if (!array)
		return NULL;
	samples_ns = kb_xcalloc(kb_json_count(array), sizeof(*samples_ns));
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v)) {
		if (kb_json_type(v) != KB_JSON_INT ||
		    kb_json_int_value(v) < 0) {
			kb_fields_fail(f, "'%s' has an element that is no time",
				       key);
			break;
		}
		samples_ns[n++] = kb_json_int_value(v);
	}
	*count = n;
	return samples_ns;
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

static void check_sizes(struct kb_fields *f, const struct kb_timing *t)
{
	if (t->small_count == 0)
		kb_fields_fail(f, "'small_ns' is empty");
	if (t->method == KB_METHOD_SLOPE &&
	    (t->n_large <= t->n_small || t->large_count == 0))
		kb_fields_fail(f, "a slope needs batches of two sizes");
	if (t->method == KB_METHOD_SINGLE &&
	    (t->n_large != t->n_small || t->large_count != 0))
		kb_fields_fail(f, "a single time needs batches of one size");
}

struct kb_timing *kb_timing_read(struct kb_fields *f, const char *key,
				 enum kb_clock clock)
{
	const struct kb_json *v = kb_fields_null(f, key)
					  ? NULL
					  : kb_fields_object(f, key);
	kb_auto(timing) struct kb_timing *t = NULL;
	struct kb_fields inner;

	if (!v)
		return NULL;
	t = kb_xcalloc(1, sizeof(*t));
	kb_fields_begin(&inner, v, f->where, f->err);
	t->method = (enum kb_method)kb_fields_word(&inner, "method", methods,
						   KB_METHOD_COUNT);
	t->clock = read_clock(&inner, clock);
	t->n_small = (int)kb_fields_int(&inner, "n_small", 1, KB_CALLS_MAX);
	t->n_large = (int)kb_fields_int(&inner, "n_large", 1, KB_CALLS_MAX);
	t->small_ns = read_samples(&inner, "small_ns", &t->small_count);
	t->large_ns = read_samples(&inner, "large_ns", &t->large_count);
	t->call_time_ns = kb_fields_int_or_null(&inner, "call_time_ns", 1,
						KB_JSON_INT_MAX);
	check_sizes(&inner, t);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(t);
}
