#ifndef KB_NATIVE_H
#define KB_NATIVE_H

#include <stdint.h>

/*
 * The native runtime: problems and candidates in C.
 *
 * A candidate is one C file that defines kb_forward(). A problem is one C
 * file that defines kb_forward(), the reference, and kb_problem, its
 * description; kb uses only kb_forward() of a candidate. Each is compiled
 * on its own, with the command line that kb-native(7) gives, and loaded
 * into a process of its own.
 *
 * This header needs nothing but a C11 compiler. kb-native(7) is the
 * specification; the layout changes only with KB_NATIVE_VERSION.
 */

#define KB_NATIVE_VERSION 1

/* Element types; the numbers are part of the interface. */
enum kb_native_dtype {
	KB_NATIVE_FLOAT64 = 1,
	KB_NATIVE_FLOAT32 = 2,
	KB_NATIVE_FLOAT16 = 3,
	KB_NATIVE_BFLOAT16 = 4,
	KB_NATIVE_INT64 = 5,
	KB_NATIVE_INT32 = 6,
	KB_NATIVE_INT16 = 7,
	KB_NATIVE_INT8 = 8,
	KB_NATIVE_UINT8 = 9,
	KB_NATIVE_BOOL = 10,	/* one byte, 0 or 1 */
};

/* A dense tensor in C order. `data` is aligned to 64 bytes. */
struct kb_native_tensor {
	void *data;
	const char *name;	/* of a parameter; NULL for inputs and outputs */
	uint32_t dtype;		/* enum kb_native_dtype */
	uint32_t ndim;
	uint64_t dims[8];	/* the first `ndim` count */
};

/*
 * One call. Inputs and parameters must not be written; every element of
 * every output must be. A plain number is a tensor with ndim 0.
 */
struct kb_native_call {
	uint32_t version;	/* KB_NATIVE_VERSION */
	uint32_t input_count;
	uint32_t output_count;
	uint32_t param_count;
	const struct kb_native_tensor *inputs;
	const struct kb_native_tensor *outputs;
	const struct kb_native_tensor *params;	/* weights, fixed for all calls */
};

enum kb_native_result {
	KB_NATIVE_OK = 0,
	KB_NATIVE_FAILED = 1,
	KB_NATIVE_NO_MEMORY = 2,
};

int kb_forward(const struct kb_native_call *call);

/* How a problem's inputs and parameters are drawn. */
enum kb_native_draw {
	KB_NATIVE_ZEROS = 0,
	KB_NATIVE_UNIFORM,	/* floats: [low, high) */
	KB_NATIVE_NORMAL,	/* floats: mean `low`, standard deviation `high` */
	KB_NATIVE_INTEGERS,	/* integers, bool: low <= x < high, equally likely */
};

struct kb_native_spec {
	const char *name;	/* required for parameters, else NULL */
	uint32_t dtype;
	uint32_t ndim;
	uint64_t dims[8];
	uint32_t draw;		/* enum kb_native_draw; unused for outputs */
	double low, high;
};

struct kb_native_problem {
	uint32_t version;	/* KB_NATIVE_VERSION */
	uint32_t input_count, output_count, param_count;
	const struct kb_native_spec *inputs, *outputs, *params;
};

/* Defined by problem files only. */
extern const struct kb_native_problem kb_problem;

#endif
