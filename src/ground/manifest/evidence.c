#include "manifest/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/fields.h"

/* The runtime's words for lack of memory. */
#define NO_MEMORY "out of memory"

/* Counts are cumulative from narrow to wide, which read_near() checks: what is
 * equal is also within 1e-4. */
static const struct {
	const char *name;
	double tolerance;
} nearness[KB_NEARNESS_COUNT] = {
	[KB_NEAR_EQUAL] = { "equal", 0 },
	[KB_NEAR_1E_4] = { "1e-4", 1e-4 },
	[KB_NEAR_1E_2] = { "1e-2", 1e-2 },
};

static const char *const noises[KB_NOISE_COUNT] = {
	[KB_NOISE_SMALL] = "small",
	[KB_NOISE_LARGE] = "large",
};

double kb_nearness_tolerance(enum kb_nearness n)
{
	return nearness[n].tolerance;
}

static void release_distribution(struct kb_distribution *d)
{
	for (size_t i = 0; i < d->removal_count; i++) {
		free(d->removals[i].name);
		free(d->removals[i].module);
	}
	free(d->removals);
	free(d->outputs);
	free(d->no_float64);
	free(d->no_removal);
	free(d->no_noise);
}

void kb_evidence_release(struct kb_evidence *e)
{
	release_distribution(&e->stated);
	release_distribution(&e->with_signs);
	free(e->no_signs);
	*e = (struct kb_evidence)KB_EVIDENCE_INIT;
}

static bool lacks_memory(const char *why)
{
	return why && !strcmp(why, NO_MEMORY);
}

bool kb_evidence_lacks_memory(const struct kb_evidence *e)
{
	return lacks_memory(e->no_signs) ||
	       lacks_memory(e->stated.no_float64) ||
	       lacks_memory(e->stated.no_removal) ||
	       lacks_memory(e->stated.no_noise) ||
	       lacks_memory(e->with_signs.no_float64) ||
	       lacks_memory(e->with_signs.no_removal) ||
	       lacks_memory(e->with_signs.no_noise);
}

/* Printing. */

static struct kb_json *near_to_json(const struct kb_near *n)
{
	struct kb_json *v = kb_json_object();

	for (int i = 0; i < KB_NEARNESS_COUNT; i++)
		kb_json_set_int(v, nearness[i].name, n->counts[i]);
	return v;
}

static struct kb_json *constants_to_json(const struct kb_output_evidence *o)
{
	struct kb_json *v = kb_json_object();

	kb_json_set(v, "zero", near_to_json(&o->zero));
	kb_json_set(v, "midrange", near_to_json(&o->midrange));
	kb_json_set(v, "mean", near_to_json(&o->average));
	return v;
}

static struct kb_json *difference_to_json(const struct kb_difference *d)
{
	struct kb_json *v = kb_json_object();

	kb_put_decimal(v, "max_abs", d->max_abs);
	kb_put_decimal(v, "max_rel", d->max_rel);
	kb_json_set(v, "within", near_to_json(&d->within));
	return v;
}

static void put_if(bool known, struct kb_json *object, const char *key,
		   double x)
{
	if (known)
		kb_put_real(object, key, x);
	else
		kb_json_set(object, key, kb_json_null());
}

static struct kb_json *output_to_json(const struct kb_output_evidence *o)
{
	struct kb_json *v = kb_json_object();
	const bool known = o->finite > 0;

	kb_json_set_string(v, "dtype", kb_dtype_name(o->dtype));
	kb_json_set_int(v, "elements", o->elements);
	kb_json_set_int(v, "finite", o->finite);
	put_if(known, v, "min", o->min);
	put_if(known, v, "max", o->max);
	put_if(known, v, "mean", o->mean);
	put_if(known, v, "std", o->std);
	kb_json_set(v, "near", constants_to_json(o));
	kb_put_int(v, "identity", o->identity);
	kb_json_set(v, "other_input", difference_to_json(&o->other_input));
	kb_json_set(v, "repeat", difference_to_json(&o->repeat));
	kb_json_set(v, "redraw", difference_to_json(&o->redraw));
	return v;
}

static struct kb_json *error_to_json(const struct kb_precision_error *e)
{
	struct kb_json *v = kb_json_object();

	kb_put_decimal(v, "max_abs", e->max_abs);
	kb_put_decimal(v, "max_scaled", e->max_scaled);
	kb_put_decimal(v, "rms", e->rms);
	return v;
}

static struct kb_json *float64_to_json(const struct kb_distribution *d)
{
	struct kb_json *v = kb_json_object(), *array = kb_json_array();

	for (size_t i = 0; i < d->output_count; i++)
		kb_json_append(array, error_to_json(&d->outputs[i].error));
	kb_json_set(v, "outputs", array);
	return v;
}

static struct kb_json *noise_to_json(const struct kb_distribution *d)
{
	struct kb_json *v = kb_json_object(), *array = kb_json_array();

	for (size_t i = 0; i < d->output_count; i++) {
		struct kb_json *sizes = kb_json_object();

		for (int k = 0; k < KB_NOISE_COUNT; k++)
			kb_json_set(sizes, noises[k],
				    error_to_json(&d->outputs[i].noise[k]));
		kb_json_append(array, sizes);
	}
	kb_json_set(v, "outputs", array);
	return v;
}

static struct kb_json *removal_to_json(const struct kb_distribution *d)
{
	struct kb_json *v = kb_json_object(), *array = kb_json_array();

	for (size_t i = 0; i < d->removal_count; i++) {
		const struct kb_removal *r = &d->removals[i];
		struct kb_json *operation = kb_json_object();

		kb_json_set_int(operation, "call", r->call);
		kb_json_set_string(operation, "name", r->name);
		kb_json_set_string(operation, "module", r->module);
		kb_put_decimal(operation, "max_rel", r->max_rel);
		kb_json_append(array, operation);
	}
	kb_json_set(v, "operations", array);
	kb_json_set_int(v, "untried", d->untried);
	return v;
}

static struct kb_json *distribution_to_json(const struct kb_distribution *d)
{
	struct kb_json *v = kb_json_object(), *outputs = kb_json_array();

	for (size_t i = 0; i < d->output_count; i++)
		kb_json_append(outputs, output_to_json(&d->outputs[i]));
	kb_json_set(v, "outputs", outputs);
	kb_json_set(v, "float64", d->no_float64 ?
		    kb_unavailable(d->no_float64) : float64_to_json(d));
	if (d->has_noise)
		kb_json_set(v, "noise", d->no_noise ?
			    kb_unavailable(d->no_noise) : noise_to_json(d));
	kb_json_set(v, "removal", d->no_removal ?
		    kb_unavailable(d->no_removal) : removal_to_json(d));
	return v;
}

static struct kb_json *with_signs_to_json(const struct kb_evidence *e)
{
	if (e->no_signs)
		return kb_unavailable(e->no_signs);
	return e->with_signs.output_count ?
		distribution_to_json(&e->with_signs) : kb_json_null();
}

struct kb_json *kb_evidence_to_json(const struct kb_evidence *e)
{
	struct kb_json *v = kb_json_object();

	kb_json_set(v, "stated", distribution_to_json(&e->stated));
	kb_json_set(v, "signed", with_signs_to_json(e));
	return v;
}

/* Reading. Each reads a member of `f`, and leaves a failure in it. */

/* The reason in {"unavailable": "<reason>"}, or NULL if it is something
 * else, which is not read then. The caller frees. */
static char *read_unavailable(struct kb_fields *f, const char *key)
{
	const struct kb_json *v = f->ret < 0 ? NULL
					     : kb_json_find(f->object, key);
	struct kb_fields inner;
	char *why;

	if (!v || kb_json_type(v) != KB_JSON_OBJECT ||
	    !kb_json_find(v, "unavailable"))
		return NULL;
	kb_fields_begin(&inner, kb_fields_object(f, key), f->where, f->err);
	why = kb_fields_string(&inner, "unavailable");
	f->ret = kb_fields_end(&inner);
	return why;
}

static void read_near(struct kb_near *n, struct kb_fields *f, const char *key,
		      int64_t elements)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	for (int i = 0; i < KB_NEARNESS_COUNT; i++) {
		n->counts[i] = kb_fields_int(&inner, nearness[i].name, 0,
					     elements);
		if (i && n->counts[i] < n->counts[i - 1])
			kb_fields_fail(&inner, "'%s' is less than '%s'",
				       nearness[i].name, nearness[i - 1].name);
	}
	f->ret = kb_fields_end(&inner);
}

static void read_constants(struct kb_output_evidence *o, struct kb_fields *f)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, "near"))
		return;
	read_near(&o->zero, &inner, "zero", o->elements);
	read_near(&o->midrange, &inner, "midrange", o->elements);
	read_near(&o->average, &inner, "mean", o->elements);
	f->ret = kb_fields_end(&inner);
}

static void read_difference(struct kb_difference *d, struct kb_fields *f,
			    const char *key, int64_t elements)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	d->max_abs = kb_fields_decimal(&inner, "max_abs");
	d->max_rel = kb_fields_decimal(&inner, "max_rel");
	read_near(&d->within, &inner, "within", elements);
	f->ret = kb_fields_end(&inner);
}

/* Known if and only if something is finite. */
static double read_if(bool known, struct kb_fields *f, const char *key)
{
	if (known)
		return kb_fields_real(f, key);
	if (f->ret >= 0 && !kb_fields_null(f, key))
		kb_fields_fail(f, "'%s' is there though nothing is finite",
			       key);
	return 0;
}

static void read_dtype(enum kb_dtype *dtype, struct kb_fields *f)
{
	const char *name = kb_fields_text(f, "dtype");

	if (name && kb_dtype_parse(dtype, name, NULL) < 0)
		kb_fields_fail(f, "'dtype' is '%s', which is not known", name);
}

static void read_output(struct kb_output_evidence *o, struct kb_fields *f)
{
	bool known;

	read_dtype(&o->dtype, f);
	o->elements = kb_fields_int(f, "elements", 0, KB_JSON_INT_MAX);
	o->finite = kb_fields_int(f, "finite", 0, o->elements);
	known = o->finite > 0;
	o->min = read_if(known, f, "min");
	o->max = read_if(known, f, "max");
	o->mean = read_if(known, f, "mean");
	o->std = read_if(known, f, "std");
	if (o->min > o->max)
		kb_fields_fail(f, "'min' is above 'max'");
	read_constants(o, f);
	o->identity = kb_fields_int_or_null(f, "identity", 0, 1000);
	read_difference(&o->other_input, f, "other_input", o->elements);
	read_difference(&o->repeat, f, "repeat", o->elements);
	read_difference(&o->redraw, f, "redraw", o->elements);
}

static void read_outputs(struct kb_distribution *d, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "outputs");

	if (!array)
		return;
	if (!kb_json_count(array))
		kb_fields_fail(f, "there are no outputs");
	d->outputs = kb_xcalloc(kb_json_count(array), sizeof(*d->outputs));
	for (const struct kb_json *v = kb_json_first(array); v && f->ret >= 0;
	     v = kb_json_next(v)) {
		struct kb_fields inner;

		kb_fields_begin(&inner, v, f->where, f->err);
		read_output(&d->outputs[d->output_count++], &inner);
		f->ret = kb_fields_end(&inner);
	}
}

static void read_error(struct kb_precision_error *e, const struct kb_json *v,
		       struct kb_fields *f)
{
	struct kb_fields inner;

	kb_fields_begin(&inner, v, f->where, f->err);
	e->max_abs = kb_fields_decimal(&inner, "max_abs");
	e->max_scaled = kb_fields_decimal(&inner, "max_scaled");
	e->rms = kb_fields_decimal(&inner, "rms");
	f->ret = kb_fields_end(&inner);
}

static void read_float64_of(struct kb_output_evidence *o,
			    const struct kb_json *v, struct kb_fields *f)
{
	read_error(&o->error, v, f);
}

static void read_noise_of(struct kb_output_evidence *o,
			  const struct kb_json *v, struct kb_fields *f)
{
	struct kb_fields inner;

	kb_fields_begin(&inner, v, f->where, f->err);
	for (int k = 0; k < KB_NOISE_COUNT; k++) {
		const struct kb_json *error = kb_fields_object(&inner,
							       noises[k]);

		if (error)
			read_error(&o->noise[k], error, &inner);
	}
	f->ret = kb_fields_end(&inner);
}

/* The member `key`, which has something for each output, or why there is
 * none; that the caller frees. */
static char *read_of_outputs(struct kb_distribution *d, struct kb_fields *f,
			     const char *key,
			     void (*read)(struct kb_output_evidence *,
					  const struct kb_json *,
					  struct kb_fields *))
{
	char *why_not = read_unavailable(f, key);
	const struct kb_json *object, *array, *v;
	struct kb_fields inner;

	object = why_not ? NULL : kb_fields_object(f, key);
	if (!object)
		return why_not;
	kb_fields_begin(&inner, object, f->where, f->err);
	array = kb_fields_array(&inner, "outputs");
	if (array && kb_json_count(array) != d->output_count)
		kb_fields_fail(&inner, "'%s' has %zu outputs, want %zu", key,
			       kb_json_count(array), d->output_count);
	v = inner.ret < 0 ? NULL : kb_json_first(array);
	for (size_t i = 0; v && inner.ret >= 0; i++, v = kb_json_next(v))
		read(&d->outputs[i], v, &inner);
	f->ret = kb_fields_end(&inner);
	return NULL;
}

static void read_operation(struct kb_distribution *d, const struct kb_json *v,
			   struct kb_fields *f)
{
	struct kb_removal *r = &d->removals[d->removal_count++];
	struct kb_fields inner;

	kb_fields_begin(&inner, v, f->where, f->err);
	r->call = kb_fields_int(&inner, "call", 0, KB_JSON_INT_MAX);
	r->name = kb_fields_string(&inner, "name");
	r->module = kb_xstrdup(kb_fields_text(&inner, "module"));
	r->max_rel = kb_fields_decimal(&inner, "max_rel");
	if (d->removal_count > 1 && r->call <= r[-1].call)
		kb_fields_fail(&inner, "'operations' is not sorted, or has one twice");
	f->ret = kb_fields_end(&inner);
}

static void read_removal(struct kb_distribution *d, struct kb_fields *f)
{
	const struct kb_json *object, *array;
	struct kb_fields inner;

	d->no_removal = read_unavailable(f, "removal");
	object = d->no_removal ? NULL : kb_fields_object(f, "removal");
	if (!object)
		return;
	kb_fields_begin(&inner, object, f->where, f->err);
	d->untried = kb_fields_int(&inner, "untried", 0, KB_JSON_INT_MAX);
	array = kb_fields_array(&inner, "operations");
	if (array)
		d->removals = kb_xcalloc(kb_json_count(array),
					 sizeof(*d->removals));
	for (const struct kb_json *v = array ? kb_json_first(array) : NULL;
	     v && inner.ret >= 0; v = kb_json_next(v))
		read_operation(d, v, &inner);
	f->ret = kb_fields_end(&inner);
}

static void read_distribution(struct kb_distribution *d, struct kb_fields *f,
			      const char *key)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	read_outputs(d, &inner);
	d->no_float64 = read_of_outputs(d, &inner, "float64", read_float64_of);
	d->has_noise = kb_fields_has(&inner, "noise");
	if (d->has_noise)
		d->no_noise = read_of_outputs(d, &inner, "noise",
					      read_noise_of);
	read_removal(d, &inner);
	f->ret = kb_fields_end(&inner);
}

int kb_evidence_from_json(struct kb_evidence *out, const struct kb_json *v,
			  const char *where, struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*out = (struct kb_evidence)KB_EVIDENCE_INIT;
	kb_fields_begin(&f, v, where, err);
	read_distribution(&out->stated, &f, "stated");
	out->no_signs = read_unavailable(&f, "signed");
	if (!out->no_signs && !kb_fields_null(&f, "signed"))
		read_distribution(&out->with_signs, &f, "signed");
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_evidence_release(out);
	return ret;
}
