#include "manifest/fp64_error.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

/* Beyond any use; it bounds what a forged record can make a reader add up. */
#define DRAWS_MAX 1000000

struct kb_fp64_error *kb_fp64_error_new(int64_t draws, size_t count)
{
	struct kb_fp64_error *o = kb_xcalloc(1, sizeof(*o));

	o->draws = draws;
	o->outputs = kb_xcalloc(count, sizeof(*o->outputs));
	o->output_count = count;
	return o;
}

struct kb_fp64_error *kb_fp64_error_new_unavailable(const char *why)
{
	struct kb_fp64_error *o = kb_xcalloc(1, sizeof(*o));

	o->unavailable = kb_xstrdup(why);
	return o;
}

struct kb_fp64_error *kb_fp64_error_copy(const struct kb_fp64_error *o)
{
	struct kb_fp64_error *copy;

	if (!o)
		return NULL;
	if (o->unavailable)
		return kb_fp64_error_new_unavailable(o->unavailable);
	copy = kb_fp64_error_new(o->draws, o->output_count);
	for (size_t i = 0; i < o->output_count; i++)
		copy->outputs[i] = o->outputs[i];
	return copy;
}

void kb_fp64_error_free(struct kb_fp64_error *o)
{
	if (!o)
		return;
	free(o->outputs);
	free(o->unavailable);
	free(o);
}

const struct kb_fp64_error_output *
kb_fp64_error_find(const struct kb_fp64_error *o, size_t i)
{
	if (!o || i >= o->output_count || !o->outputs[i].is_float)
		return NULL;
	return &o->outputs[i];
}

static struct kb_json *output_to_json(const struct kb_fp64_error_output *o)
{
	struct kb_json *v;

	if (!o->is_float)
		return kb_json_null();
	v = kb_json_object();
	kb_put_decimal(v, "max_abs_error", o->max_abs_error);
	kb_put_decimal(v, "rms_error", o->rms_error);
	kb_put_decimal(v, "max_abs", o->max_abs);
	kb_put_decimal(v, "rms", o->rms);
	return v;
}

static struct kb_json *outputs_to_json(const struct kb_fp64_error *o)
{
	struct kb_json *array;

	if (o->unavailable)
		return kb_json_null();
	array = kb_json_array();
	for (size_t i = 0; i < o->output_count; i++)
		kb_json_append(array, output_to_json(&o->outputs[i]));
	return array;
}

struct kb_json *kb_fp64_error_to_json(const struct kb_fp64_error *o)
{
	struct kb_json *v;

	if (!o)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_int(v, "draws", o->draws);
	kb_json_set(v, "outputs", outputs_to_json(o));
	kb_json_set(v, "unavailable",
		    o->unavailable ? kb_json_string(o->unavailable)
				   : kb_json_null());
	return v;
}

/* An infinite error of the reference itself would widen every tolerance that is
 * derived from it to everything. */
static double read_finite(struct kb_fields *f, const char *key)
{
	double x = kb_fields_decimal(f, key);

	if (!isfinite(x))
		kb_fields_fail(f, "'%s' is not finite", key);
	return x;
}

static int output_from_json(struct kb_fp64_error_output *o,
			    const struct kb_json *v, const char *where,
			    struct kb_err *err)
{
	struct kb_fields f;

	if (kb_json_type(v) == KB_JSON_NULL)
		return 0;
	kb_fields_begin(&f, v, where, err);
	o->is_float = true;
	o->max_abs_error = read_finite(&f, "max_abs_error");
	o->rms_error = read_finite(&f, "rms_error");
	o->max_abs = read_finite(&f, "max_abs");
	o->rms = read_finite(&f, "rms");
	/* A root mean square is never above the maximum of what it averages. */
	if (o->rms_error > o->max_abs_error)
		kb_fields_fail(&f, "'rms_error' is above 'max_abs_error'");
	if (o->rms > o->max_abs)
		kb_fields_fail(&f, "'rms' is above 'max_abs'");
	return kb_fields_end(&f);
}

static void read_outputs(struct kb_fp64_error *o, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "outputs");
	bool any = false;

	if (!array)
		return;
	o->outputs = kb_xcalloc(kb_json_count(array), sizeof(*o->outputs));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_fp64_error_output *output =
			&o->outputs[o->output_count++];

		f->ret = output_from_json(output, v, f->where, f->err);
		any |= output->is_float;
	}
	/* Integers and booleans have no error against float64. If all outputs
	 * are such the error is unavailable, and says so instead of an empty
	 * list. */
	if (!any)
		kb_fields_fail(f, "'outputs' has none of floats");
}

static void read_all(struct kb_fp64_error *o, struct kb_fields *f)
{
	bool none;

	o->unavailable = kb_fields_string_or_null(f, "unavailable");
	o->draws = kb_fields_int(f, "draws", 0, DRAWS_MAX);
	none = kb_fields_null(f, "outputs");
	if (f->ret < 0)
		return;
	/* There is a measurement of at least one draw, or there is a reason why
	 * not, and never both. */
	if (none != (o->unavailable != NULL))
		kb_fields_fail(f, "'outputs' does not go with 'unavailable'");
	if (none != (o->draws == 0))
		kb_fields_fail(f, "'draws' does not go with 'outputs'");
	if (!none)
		read_outputs(o, f);
}

struct kb_fp64_error *kb_fp64_error_read(struct kb_fields *f, const char *key)
{
	kb_auto(fp64_error) struct kb_fp64_error *o = NULL;
	struct kb_fields inner;

	if (kb_fields_null(f, key) || !kb_fields_enter(&inner, f, key))
		return NULL;
	o = kb_xcalloc(1, sizeof(*o));
	read_all(o, &inner);
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(o);
}
