#ifndef KB_BASE_DTYPE_H
#define KB_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_err;

/*
 * The element types of tensors. The numbers are part of the worker
 * protocol and of the native runtime's interface; the names are PyTorch's,
 * without "torch.". A bool is one byte, 0 or 1.
 *
 * Functions that take an enum kb_dtype want a valid one; a number that
 * came from elsewhere goes through kb_dtype_is_valid() first.
 */
enum kb_dtype {
	KB_FLOAT64 = 1,
	KB_FLOAT32,
	KB_FLOAT16,
	KB_BFLOAT16,
	KB_INT64,
	KB_INT32,
	KB_INT16,
	KB_INT8,
	KB_UINT8,
	KB_BOOL,
	KB_FLOAT8_E4M3FN,
	KB_FLOAT8_E5M2,
	KB_DTYPE_COUNT,		/* not a type */
};

enum kb_dtype_class {
	KB_CLASS_FLOAT,
	KB_CLASS_INT,
	KB_CLASS_BOOL,
};

#define KB_DTYPE_SIZE_MAX 8	/* bytes */

bool kb_dtype_is_valid(uint32_t number);

const char *kb_dtype_name(enum kb_dtype dtype);		/* "float32" */
size_t kb_dtype_size_bytes(enum kb_dtype dtype);
enum kb_dtype_class kb_dtype_class(enum kb_dtype dtype);

/* Fails with KB_ERR_INPUT unless `name` is exactly one of the names. */
int kb_dtype_parse(enum kb_dtype *out, const char *name, struct kb_err *err);

#endif
