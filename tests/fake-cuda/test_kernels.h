#ifndef KB_TESTS_FAKE_CUDA_TEST_KERNELS_H
#define KB_TESTS_FAKE_CUDA_TEST_KERNELS_H

#include <stdint.h>

/*
 * Kernels for the candidates of tests, which cannot bring their own: there
 * is no compiler for the stand-in device. As with all kernels of ours, each
 * takes one struct.
 */

/* out[i] = scale in[i] + bias[i] + offset, and then the device is busy for so
 * long. There need not be a bias. Unless `limit` is 0, what is beyond it on
 * either side counts as that. */
struct test_scale {
	uint64_t out, in, bias;		/* float32 */
	uint64_t count;
	uint64_t busy_ns;
	float scale, offset, limit;
};

/* The same without a limit, by blocks of 64 threads that stay until all is done,
 * however few there are: `counters` are two words of 64 bits that are 0 and are
 * left so. */
struct test_tiles {
	struct test_scale scale;
	uint64_t counters;
};

/* Store a word where the device, and maybe the host, sees it. */
struct test_store {
	uint64_t address;
	uint32_t value;
};

/* An illegal address if it has been at this word before. */
struct test_once {
	uint64_t address;
};

struct test_spin {
	uint64_t ns;
};

struct test_none {
	char nothing;
};

/* X(name, argument, blocks): see kernels.h */
#define TEST_KERNELS(X)							\
	X(test_scale, struct test_scale, 1)				\
	X(test_store, struct test_store, 1)				\
	X(test_once, struct test_once, 1)				\
	X(test_spin, struct test_spin, 1)				\
	X(test_fault, struct test_none, 1)		/* an illegal address */ \
	X(test_hang, struct test_none, 1)		/* never ends */

/* Kernels that blocks share. */
#define TILE_KERNELS(X)							\
	X(test_tiles, struct test_tiles, ALL)

#endif
