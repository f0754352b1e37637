#include "base/dtype.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

static const struct dtype {
	const char *name;
	size_t size_bytes;
	enum kb_dtype_class class;
} dtypes[KB_DTYPE_COUNT] = {
	[KB_FLOAT64] = { "float64", 8, KB_CLASS_FLOAT },
	[KB_FLOAT32] = { "float32", 4, KB_CLASS_FLOAT },
	[KB_FLOAT16] = { "float16", 2, KB_CLASS_FLOAT },
	[KB_BFLOAT16] = { "bfloat16", 2, KB_CLASS_FLOAT },
	[KB_INT64] = { "int64", 8, KB_CLASS_INT },
	[KB_INT32] = { "int32", 4, KB_CLASS_INT },
	[KB_INT16] = { "int16", 2, KB_CLASS_INT },
	[KB_INT8] = { "int8", 1, KB_CLASS_INT },
	[KB_UINT8] = { "uint8", 1, KB_CLASS_INT },
	[KB_BOOL] = { "bool", 1, KB_CLASS_BOOL },
	[KB_FLOAT8_E4M3FN] = { "float8_e4m3fn", 1, KB_CLASS_FLOAT },
	[KB_FLOAT8_E5M2] = { "float8_e5m2", 1, KB_CLASS_FLOAT },
};

bool kb_dtype_is_valid(uint32_t number)
{
	return number < KB_DTYPE_COUNT && dtypes[number].name;
}

static const struct dtype *dtype_entry(enum kb_dtype dtype)
{
	if (!kb_dtype_is_valid((uint32_t)dtype))
		KB_BUG("not a dtype");
	return &dtypes[dtype];
}

const char *kb_dtype_name(enum kb_dtype dtype)
{
	return dtype_entry(dtype)->name;
}

size_t kb_dtype_size_bytes(enum kb_dtype dtype)
{
	return dtype_entry(dtype)->size_bytes;
}

enum kb_dtype_class kb_dtype_class(enum kb_dtype dtype)
{
	return dtype_entry(dtype)->class;
}

int kb_dtype_parse(enum kb_dtype *out, const char *name, struct kb_err *err)
{
	for (uint32_t i = 0; i < KB_DTYPE_COUNT; i++) {
		if (kb_dtype_is_valid(i) && !strcmp(dtypes[i].name, name)) {
			*out = (enum kb_dtype)i;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_INPUT, "unknown dtype '%s'", name);
}
