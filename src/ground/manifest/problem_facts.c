#include "manifest/problem_facts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/problem_audit.h"

/* Sets of characters for strspn(3), which unlike isalpha(3) does not depend on
 * the locale. */
#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

KB_DEFINE_CLEANUP(facts, struct kb_problem_facts *, kb_problem_facts_free);

static void release_words(struct kb_words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	free(w->items);
}

void kb_problem_facts_free(struct kb_problem_facts *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->input_count; i++) {
		free(p->inputs[i].name);
		free(p->inputs[i].value);
	}
	for (enum kb_precision i = 0; i < KB_PRECISION_COUNT; i++) {
		free(p->tolerance[i].atol);
		free(p->tolerance[i].rtol);
	}
	free(p->inputs);
	free(p->outputs);
	free(p->compute_capability);
	release_words(&p->packages);
	release_words(&p->tags);
	free(p->note);
	kb_remedies_release(&p->remedies);
	kb_problem_audit_free(p->audit);
	free(p);
}

static struct kb_json *inputs_to_json(const struct kb_problem_facts *p)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < p->input_count; i++) {
		const struct kb_input_facts *in = &p->inputs[i];
		struct kb_json *v = kb_json_object();

		kb_json_set_string(v, "name", in->name);
		if (in->value)
			kb_json_set_string(v, "value", in->value);
		else
			kb_tensor_facts_put(v, &in->tensor);
		kb_json_append(array, v);
	}
	return array;
}

static struct kb_json *outputs_to_json(const struct kb_problem_facts *p)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < p->output_count; i++) {
		struct kb_json *v = kb_json_object();

		kb_tensor_facts_put(v, &p->outputs[i]);
		kb_json_append(array, v);
	}
	return array;
}

static struct kb_json *words_to_json(const struct kb_words *w)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < w->count; i++)
		kb_json_append(array, kb_json_string(w->items[i]));
	return array;
}

static struct kb_json *tolerance_to_json(const struct kb_problem_facts *p)
{
	struct kb_json *all = NULL;

	for (enum kb_precision i = 0; i < KB_PRECISION_COUNT; i++) {
		const struct kb_tolerance_facts *t = &p->tolerance[i];
		struct kb_json *v;

		if (!t->atol)
			continue;
		if (!all)
			all = kb_json_object();
		v = kb_json_object();
		kb_json_set_string(v, "atol", t->atol);
		kb_json_set_string(v, "rtol", t->rtol);
		kb_json_set(all, kb_precision_name(i), v);
	}
	return all ? all : kb_json_null();
}

static struct kb_json *remedy_to_json(const struct kb_problem_facts *p)
{
	struct kb_json *array;

	if (p->remedies.count == 0)
		return kb_json_null();
	array = kb_json_array();
	for (size_t i = 0; i < p->remedies.count; i++) {
		const struct kb_remedy *r = &p->remedies.items[i];
		struct kb_json *v = kb_json_object();

		kb_json_set_string(v, "input", r->input);
		kb_json_set_string(v, "scale", r->scale);
		kb_json_set_string(v, "shift", r->shift);
		kb_json_append(array, v);
	}
	return array;
}

struct kb_json *kb_problem_facts_to_json(const struct kb_problem_facts *p)
{
	struct kb_json *v, *parameters, *requires;

	if (!p)
		return kb_json_null();
	parameters = kb_json_object();
	kb_json_set_int(parameters, "count", p->parameter_count);
	kb_precision_bytes_put(parameters, "bytes", p->parameter_bytes);

	requires = kb_json_object();
	kb_json_set_int(requires, "device_bytes", p->device_bytes);
	kb_json_set_string(requires, "compute_capability",
			   p->compute_capability);
	kb_json_set(requires, "packages", words_to_json(&p->packages));

	v = kb_json_object();
	kb_json_set(v, "inputs", inputs_to_json(p));
	kb_json_set(v, "outputs", outputs_to_json(p));
	kb_json_set(v, "parameters", parameters);
	kb_json_set_int(v, "flops", p->flops);
	kb_precision_bytes_put(v, "bytes_min", p->bytes_min);
	kb_json_set(v, "requires", requires);
	kb_json_set(v, "tags", words_to_json(&p->tags));
	kb_json_set_string(v, "note", p->note);
	kb_json_set(v, "tolerance", tolerance_to_json(p));
	kb_json_set(v, "remedy", remedy_to_json(p));
	kb_json_set(v, "audit", kb_problem_audit_to_json(p->audit));
	return v;
}

static void read_input(struct kb_input_facts *in, struct kb_fields *f)
{
	in->name = kb_fields_string(f, "name");
	if (kb_fields_has(f, "value"))
		in->value = kb_fields_number(f, "value", true);
	else
		kb_tensor_facts_read(&in->tensor, f);
}

static const struct kb_input_facts *find_input(const struct kb_problem_facts *p,
					       size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(p->inputs[i].name, name))
			return &p->inputs[i];
	return NULL;
}

static void read_inputs(struct kb_problem_facts *p, struct kb_fields *f)
{
	const struct kb_json *array =
		kb_fields_list(f, "inputs", 0, KB_FACTS_TENSORS_MAX);

	if (!array)
		return;
	p->inputs = kb_xcalloc(kb_json_count(array), sizeof(*p->inputs));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		kb_auto(mem) char *where = kb_xasprintf("%s: inputs[%zu]",
							f->where,
							p->input_count);
		struct kb_input_facts *in = &p->inputs[p->input_count++];
		struct kb_fields inner;

		kb_fields_begin(&inner, v, where, f->err);
		read_input(in, &inner);
		if (!inner.ret && find_input(p, p->input_count - 1, in->name))
			kb_fields_fail(&inner, "'name' is '%s' once more",
				       in->name);
		f->ret = kb_fields_end(&inner);
	}
}

static void read_outputs(struct kb_problem_facts *p, struct kb_fields *f)
{
	const struct kb_json *array =
		kb_fields_list(f, "outputs", 1, KB_FACTS_TENSORS_MAX);

	if (!array)
		return;
	p->outputs = kb_xcalloc(kb_json_count(array), sizeof(*p->outputs));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		kb_auto(mem) char *where = kb_xasprintf("%s: outputs[%zu]",
							f->where,
							p->output_count);
		struct kb_fields inner;

		kb_fields_begin(&inner, v, where, f->err);
		kb_tensor_facts_read(&p->outputs[p->output_count++], &inner);
		f->ret = kb_fields_end(&inner);
	}
}

static void read_parameters(struct kb_problem_facts *p, struct kb_fields *f)
{
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;

	if (!kb_fields_enter_at(&inner, &where, f, "parameters"))
		return;
	p->parameter_count = kb_fields_int(&inner, "count", 0,
					   KB_JSON_INT_MAX / KB_DTYPE_SIZE_MAX);
	kb_precision_bytes_read(p->parameter_bytes, &inner, "bytes");
	/* Parameters may be of several types, so that bytes are known only to
	 * lie between one byte and the widest type for each. */
	for (enum kb_precision i = 0; i < KB_PRECISION_COUNT; i++)
		if (p->parameter_bytes[i] < p->parameter_count ||
		    p->parameter_bytes[i] >
			    KB_DTYPE_SIZE_MAX * p->parameter_count)
			kb_fields_fail(&inner, "'bytes' does not go with 'count'");
	f->ret = kb_fields_end(&inner);
}

static void read_words(struct kb_words *w, struct kb_fields *f,
		       const char *key, const char *characters)
{
	const struct kb_json *array = kb_fields_array(f, key);

	if (!array)
		return;
	w->items = kb_xcalloc(kb_json_count(array), sizeof(*w->items));
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v)) {
		const char *text = kb_json_type(v) == KB_JSON_STRING
					   ? kb_json_string_value(v)
					   : "";

		if (!*text || text[strspn(text, characters)]) {
			kb_fields_fail(f, "'%s' has an element that is no word",
				       key);
			return;
		}
		if (w->count > 0 && strcmp(w->items[w->count - 1], text) >= 0) {
			kb_fields_fail(f, "'%s' is not sorted, or has one twice",
				       key);
			return;
		}
		w->items[w->count++] = kb_xstrdup(text);
	}
}

/* "8.9": two numbers, none with a zero before it. */
static bool is_compute_capability(const char *text)
{
	size_t major = strspn(text, DIGITS);

	return major >= 1 && major <= 2 && text[0] != '0' &&
	       text[major] == '.' && strspn(text + major + 1, DIGITS) == 1 &&
	       text[major + 2] == '\0';
}

static void read_requires(struct kb_problem_facts *p, struct kb_fields *f)
{
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;

	if (!kb_fields_enter_at(&inner, &where, f, "requires"))
		return;
	p->device_bytes = kb_fields_int(&inner, "device_bytes", 0,
					KB_JSON_INT_MAX);
	p->compute_capability =
		kb_fields_string_or_null(&inner, "compute_capability");
	if (p->compute_capability &&
	    !is_compute_capability(p->compute_capability))
		kb_fields_fail(&inner, "'compute_capability' is not of the form '8.9'");
	read_words(&p->packages, &inner, "packages",
		   CAPITALS LETTERS DIGITS "._-");
	f->ret = kb_fields_end(&inner);
}

static void read_one_tolerance(struct kb_tolerance_facts *t,
			       struct kb_fields *f, const char *key)
{
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;

	if (!kb_fields_enter_at(&inner, &where, f, key))
		return;
	t->atol = kb_fields_number(&inner, "atol", false);
	t->rtol = kb_fields_number(&inner, "rtol", false);
	f->ret = kb_fields_end(&inner);
}

static void read_tolerance(struct kb_problem_facts *p, struct kb_fields *f)
{
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;

	if (kb_fields_null(f, "tolerance") ||
	    !kb_fields_enter_at(&inner, &where, f, "tolerance"))
		return;
	for (enum kb_precision i = 0; i < KB_PRECISION_COUNT; i++)
		if (kb_fields_has(&inner, kb_precision_name(i)))
			read_one_tolerance(&p->tolerance[i], &inner,
					   kb_precision_name(i));
	/* An empty object would be a second spelling of null. */
	if (inner.seen_count == 0)
		kb_fields_fail(&inner, "is of no precision");
	f->ret = kb_fields_end(&inner);
}

/* Only what is drawn as a floating-point number can be scaled, and once. */
static void check_remedy(struct kb_fields *f, const struct kb_problem_facts *p,
			 struct kb_remedy *r)
{
	const struct kb_input_facts *in;

	if (f->ret < 0)
		return;
	in = find_input(p, p->input_count, r->input);
	if (!in || in->value ||
	    kb_dtype_class(in->tensor.dtype) != KB_CLASS_FLOAT)
		kb_fields_fail(f, "'input' is '%s', which is no floating-point tensor",
			       r->input);
	for (const struct kb_remedy *other = p->remedies.items; other < r; other++)
		if (!strcmp(other->input, r->input))
			kb_fields_fail(f, "'input' is '%s' once more",
				       r->input);
	r->argument = in ? (uint32_t)(in - p->inputs) : 0;
}

static void read_remedy(struct kb_problem_facts *p, struct kb_fields *f)
{
	const struct kb_json *array =
		kb_fields_null(f, "remedy")
			? NULL
			: kb_fields_list(f, "remedy", 1, KB_FACTS_TENSORS_MAX);

	if (!array)
		return;
	p->remedies.items = kb_xcalloc(kb_json_count(array),
				       sizeof(*p->remedies.items));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		kb_auto(mem) char *where = kb_xasprintf("%s: remedy[%zu]",
							f->where,
							p->remedies.count);
		struct kb_remedy *r = &p->remedies.items[p->remedies.count++];
		struct kb_fields inner;

		kb_fields_begin(&inner, v, where, f->err);
		r->input = kb_fields_string(&inner, "input");
		r->scale = kb_fields_number(&inner, "scale", true);
		r->shift = kb_fields_number(&inner, "shift", true);
		check_remedy(&inner, p, r);
		f->ret = kb_fields_end(&inner);
	}
}

/* A sum that stops at the largest integer of a record. */
static int64_t add_bytes(int64_t a, int64_t b)
{
	return a > KB_JSON_INT_MAX - b ? KB_JSON_INT_MAX : a + b;
}

/* Facts that are stated twice, or that contain another fact. */
static void check_sizes(struct kb_fields *f, const struct kb_problem_facts *p)
{
	/* In fp32, the widest precision and the one that is usual. */
	int64_t needed = p->parameter_bytes[KB_FP32];

	for (enum kb_precision i = 0; i < KB_PRECISION_COUNT; i++) {
		int64_t written = 0;

		for (size_t k = 0; k < p->output_count; k++)
			written = add_bytes(written,
					    kb_tensor_facts_bytes(&p->outputs[k],
							 i));
		if (p->bytes_min[i] < written)
			kb_fields_fail(f, "'bytes_min' at %s is less than the outputs",
				       kb_precision_name(i));
		if (i == KB_FP32)
			needed = add_bytes(needed, written);
	}
	for (size_t k = 0; k < p->input_count; k++)
		if (!p->inputs[k].value)
			needed = add_bytes(needed,
					   kb_tensor_facts_bytes(&p->inputs[k].tensor,
							KB_FP32));
	if (p->device_bytes < needed)
		kb_fields_fail(f, "'device_bytes' is less than inputs, parameters and outputs");
}

static void read_facts(struct kb_problem_facts *p, struct kb_fields *f)
{
	read_inputs(p, f);
	read_outputs(p, f);
	read_parameters(p, f);
	p->flops = kb_fields_int(f, "flops", 0, KB_JSON_INT_MAX);
	kb_precision_bytes_read(p->bytes_min, f, "bytes_min");
	read_requires(p, f);
	read_words(&p->tags, f, "tags", LETTERS DIGITS "_");
	p->note = kb_fields_string_or_null(f, "note");
	read_tolerance(p, f);
	read_remedy(p, f);
	p->audit = kb_problem_audit_read(f, "audit");
	if (!f->ret)
		check_sizes(f, p);
}

int kb_problem_facts_from_json(struct kb_problem_facts **out,
			       const struct kb_json *v, struct kb_key key,
			       const char *where, struct kb_err *err)
{
	kb_auto(facts) struct kb_problem_facts *p = kb_xcalloc(1, sizeof(*p));
	kb_auto(mem) char *inside = NULL;
	char text[KB_KEY_SIZE];
	struct kb_fields f;
	int ret;

	kb_key_format(text, key);
	inside = kb_xasprintf("%s: facts of %s", where, text);
	kb_fields_begin(&f, v, inside, err);
	read_facts(p, &f);
	ret = kb_fields_end(&f);
	if (ret < 0)
		return ret;
	*out = kb_steal(p);
	return 0;
}
