#ifndef KB_NATIVE_H
#define KB_NATIVE_H

#include <stdint.h>

/*
 * The native runtimes: problems and candidates in C, for the CPU, and in
 * CUDA C++, for a CUDA device.
 *
 * A candidate is one file that defines kb_forward(). A problem is one file
 * that defines kb_forward(), the reference, and kb_problem, its
 * description; kb uses only kb_forward() of a candidate. Each is compiled
 * on its own, with the command line that kb-native(7) gives, and loaded
 * into a process of its own.
 *
 * This header needs nothing but a compiler for C11 or C++17. kb-native(7)
 * is the specification; the layout changes only with KB_NATIVE_VERSION.
 */

#define KB_NATIVE_VERSION 2

#ifdef __cplusplus
extern "C" {
#endif

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
	KB_NATIVE_FLOAT8_E4M3FN = 11,
	KB_NATIVE_FLOAT8_E5M2 = 12,
};

/* A dense tensor in C order. `data` is aligned to 64 bytes; in CUDA C++ it
 * is the device's. */
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
 *
 * In CUDA C++ the call queues work on `stream` and returns without waiting
 * for it: what is done is done in the order of that stream.
 */
struct kb_native_call {
	uint32_t version;	/* KB_NATIVE_VERSION */
	uint32_t input_count;
	uint32_t output_count;
	uint32_t param_count;
	const struct kb_native_tensor *inputs;
	const struct kb_native_tensor *outputs;
	const struct kb_native_tensor *params;	/* weights, fixed for all calls */
	void *stream;		/* a cudaStream_t; NULL is the default stream */
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
	KB_NATIVE_UNIFORM,	/* floats (not of 8 bits): [low, high) */
	KB_NATIVE_NORMAL,	/* likewise: mean `low`, standard deviation `high` */
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

#ifdef __cplusplus
}
#endif

#endif
