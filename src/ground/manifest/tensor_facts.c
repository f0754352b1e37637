#include "manifest/tensor_facts.h"

#include <float.h>
#include <string.h>

#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

#define FP16_MAX 65504.0

static const char *const precisions[KB_PRECISION_COUNT] = {
	[KB_FP32] = "fp32",
	[KB_FP16] = "fp16",
	[KB_BF16] = "bf16",
};

const char *kb_precision_name(enum kb_precision precision)
{
	return precisions[precision];
}

enum kb_precision kb_precision_find(const char *name)
{
	int i = 0;

	while (i < KB_PRECISION_COUNT && strcmp(name, precisions[i]))
		i++;
	return (enum kb_precision)i;
}

double kb_precision_largest(enum kb_precision precision)
{
	return precision == KB_FP16 ? FP16_MAX : FLT_MAX;
}

enum kb_dtype kb_dtype_at(enum kb_dtype dtype, enum kb_precision precision)
{
	if (precision == KB_FP32 || kb_dtype_class(dtype) != KB_CLASS_FLOAT ||
	    kb_dtype_size_bytes(dtype) <= 2)
		return dtype;
	return precision == KB_FP16 ? KB_FLOAT16 : KB_BFLOAT16;
}

int64_t kb_tensor_facts_bytes(const struct kb_tensor_facts *t,
			      enum kb_precision precision)
{
	int64_t bytes = (int64_t)kb_dtype_size_bytes(
		kb_dtype_at(t->dtype, precision));

	for (size_t i = 0; i < t->dim_count; i++)
		bytes *= t->shape[i];
	return bytes;
}

void kb_tensor_facts_put(struct kb_json *object,
			 const struct kb_tensor_facts *t)
{
	struct kb_json *shape = kb_json_array();

	for (size_t i = 0; i < t->dim_count; i++)
		kb_json_append(shape, kb_json_int(t->shape[i]));
	kb_json_set_string(object, "dtype", kb_dtype_name(t->dtype));
	kb_json_set(object, "shape", shape);
}

/* A size of 0 leaves as much room for the others, so that their product
 * fits wherever it stands. */
static void read_shape(struct kb_tensor_facts *t, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "shape");
	int64_t room = KB_JSON_INT_MAX / KB_DTYPE_SIZE_MAX;

	if (!array)
		return;
	if (kb_json_count(array) > KB_FACTS_DIMS_MAX) {
		kb_fields_fail(f, "'shape' has %zu dimensions, want at most %d",
			       kb_json_count(array), KB_FACTS_DIMS_MAX);
		return;
	}
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v)) {
		int64_t size = kb_json_type(v) == KB_JSON_INT
				       ? kb_json_int_value(v)
				       : -1;

		if (size < 0) {
			kb_fields_fail(f, "'shape' has an element that is no size");
			return;
		}
		if (size > room) {
			kb_fields_fail(f, "'shape' has too many elements");
			return;
		}
		if (size > 0)
			room /= size;
		t->shape[t->dim_count++] = size;
	}
}

void kb_tensor_facts_read(struct kb_tensor_facts *t, struct kb_fields *f)
{
	const char *name = kb_fields_text(f, "dtype");

	t->dtype = KB_FLOAT32;
	t->dim_count = 0;
	if (name && kb_dtype_parse(&t->dtype, name, NULL) < 0)
		kb_fields_fail(f, "'dtype' is '%s', which is not known", name);
	read_shape(t, f);
}

void kb_precision_bytes_put(struct kb_json *object, const char *key,
			    const int64_t bytes[KB_PRECISION_COUNT])
{
	struct kb_json *v = kb_json_object();

	for (int i = 0; i < KB_PRECISION_COUNT; i++)
		kb_json_set_int(v, precisions[i], bytes[i]);
	kb_json_set(object, key, v);
}

/* Both 16-bit precisions are of one size, which is not above fp32's. */
void kb_precision_bytes_read(int64_t bytes[KB_PRECISION_COUNT],
			     struct kb_fields *f, const char *key)
{
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;

	if (!kb_fields_enter_at(&inner, &where, f, key))
		return;
	for (int i = 0; i < KB_PRECISION_COUNT; i++)
		bytes[i] = kb_fields_int(&inner, precisions[i], 0,
					 KB_JSON_INT_MAX);
	if (bytes[KB_FP16] != bytes[KB_BF16])
		kb_fields_fail(&inner, "'fp16' and 'bf16' differ");
	if (bytes[KB_FP16] > bytes[KB_FP32])
		kb_fields_fail(&inner, "'fp16' is above 'fp32'");
	f->ret = kb_fields_end(&inner);
}
