#ifndef KB_MANIFEST_TENSOR_FACTS_H
#define KB_MANIFEST_TENSOR_FACTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/dtype.h"

struct kb_fields;
struct kb_json;

/*
 * The facts about a tensor before it exists, and how large things are in the
 * precision that a problem is run in.
 *
 * At fp32 every tensor has the type that the problem gives it. At fp16 and
 * bf16 those of more than 16 bits that are floating-point have 16; the
 * others stay as they are.
 */
enum kb_precision {
	KB_FP32,
	KB_FP16,
	KB_BF16,
	KB_PRECISION_COUNT,		/* not a precision */
};

const char *kb_precision_name(enum kb_precision precision);	/* "fp32" */

/* KB_PRECISION_COUNT if none is called so. */
enum kb_precision kb_precision_find(const char *name);

/* The largest number of the floating-point type that inputs then have. */
double kb_precision_largest(enum kb_precision precision);

/* The type that a tensor of `dtype` then has. */
enum kb_dtype kb_dtype_at(enum kb_dtype dtype, enum kb_precision precision);

#define KB_FACTS_DIMS_MAX 8

/* Its size in bytes is at most KB_JSON_INT_MAX. */
struct kb_tensor_facts {
	enum kb_dtype dtype;
	int64_t shape[KB_FACTS_DIMS_MAX];
	size_t dim_count;
};

int64_t kb_tensor_facts_bytes(const struct kb_tensor_facts *t,
			      enum kb_precision precision);

/* The members "dtype" and "shape". */
void kb_tensor_facts_put(struct kb_json *object,
			 const struct kb_tensor_facts *t);
void kb_tensor_facts_read(struct kb_tensor_facts *t, struct kb_fields *f);

/* The member `key`: {"fp32", "fp16", "bf16"}, all of them. */
void kb_precision_bytes_put(struct kb_json *object, const char *key,
			    const int64_t bytes[KB_PRECISION_COUNT]);
void kb_precision_bytes_read(int64_t bytes[KB_PRECISION_COUNT],
			     struct kb_fields *f, const char *key);

#endif
