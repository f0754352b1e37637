#ifndef KB_TESTS_FAKE_CUDA_KERNELS_H
#define KB_TESTS_FAKE_CUDA_KERNELS_H

#include <limits.h>
#include <stdint.h>

#include "device/kernels.h"
#include "fake-cuda/test_kernels.h"
#include "random/random_kernels.h"

/*
 * What the stand-in device can run, whatever image is loaded: our own
 * kernels, compiled for the CPU, and kernels for tests.
 *
 * X(name, argument, blocks): where any number of blocks can share the work
 * there are no more than so many of them, because threads cost much here.
 */
#define ANY 1
#define ALL UINT_MAX

#define DEVICE_KERNELS(X)						\
	X(kb_kernel_fill, struct kb_kernel_batch, ANY)			\
	X(kb_kernel_check, struct kb_kernel_batch, ANY)			\
	X(kb_kernel_differ, struct kb_kernel_batch, ANY)		\
	X(kb_kernel_compare_float64, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_compare_float32, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_compare_float16, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_compare_bfloat16, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_compare_float8_e4m3fn, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_compare_float8_e5m2, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_compare_integers, struct kb_kernel_comparing, ALL)\
	X(kb_kernel_largest, struct kb_kernel_batch, ANY)		\
	X(kb_kernel_reduce, struct kb_kernel_comparing, ALL)		\
	X(kb_kernel_wash, struct kb_kernel_scratch, ANY)		\
	X(kb_kernel_rinse, struct kb_kernel_scratch, ANY)		\
	X(kb_kernel_copy, struct kb_kernel_batch, ANY)			\
	X(kb_kernel_scatter, struct kb_kernel_scatter, ALL)		\
	X(kb_kernel_mark, struct kb_kernel_mark, ALL)			\
	X(kb_kernel_hold, struct kb_kernel_mark, ALL)

#define RANDOM_KERNELS(X)						\
	X(kb_random_kernel_zeros, struct kb_random_kernel, ANY)		\
	X(kb_random_kernel_uniform, struct kb_random_kernel, ANY)	\
	X(kb_random_kernel_normal, struct kb_random_kernel, ANY)	\
	X(kb_random_kernel_integers, struct kb_random_kernel, ANY)	\
	X(kb_random_kernel_put, struct kb_random_put, ANY)		\
	X(kb_random_kernel_advance, struct kb_random_advance, ANY)

#define FAKE_KERNELS(X)							\
	DEVICE_KERNELS(X)						\
	RANDOM_KERNELS(X)						\
	TILE_KERNELS(X)							\
	TEST_KERNELS(X)

/* Each runs one launch, of `x` by `y` blocks, and returns for how long the
 * device stays busy after that, in ns; INT64_MAX is for ever. */
#define FAKE_RUN(name, type, blocks)					\
	int64_t fake_run_##name(const void *argument, unsigned x,	\
				unsigned y, unsigned threads);
FAKE_KERNELS(FAKE_RUN)
#undef FAKE_RUN

#endif
