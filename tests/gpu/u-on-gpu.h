#ifndef KB_TESTS_U_ON_GPU_H
#define KB_TESTS_U_ON_GPU_H

#include <stdbool.h>

#include "base/dtype.h"
#include "gpu/on-gpu.h"
#include "lib/tap.h"

/*
 * For tests of what a CUDA device does against the same on the CPU: the device
 * and two pieces of its memory. They skip where there is no device.
 */

static struct kb_cuda *gpu;
static struct kb_err err = KB_ERR_INIT;

enum { ROOM = 4 << 20 };	/* bytes of `one` and `other` */

static struct kb_cuda_memory one = KB_CUDA_MEMORY_INIT;
static struct kb_cuda_memory other = KB_CUDA_MEMORY_INIT;

/* Without a device no test does anything. */
static inline bool have_gpu(void)
{
	static const char *why;

	if (!gpu && !why) {
		gpu = gpu_open(&why);
		if (gpu) {
			must(kb_cuda_memory_new(gpu, &one, ROOM, false, &err),
			     &err);
			must(kb_cuda_memory_new(gpu, &other, ROOM, true, &err),
			     &err);
		}
	}
	if (!gpu)
		tap_skip(why);
	return gpu != NULL;
}

/* Elements or bytes: where loops that take several at a time begin and end. */
static const size_t sizes[] = {
	0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 255, 1023, 1024, 1025, 4096,
	4097, 65535, 100003,
};

enum { DTYPES = KB_DTYPE_COUNT - 1 };

static inline enum kb_dtype dtype_number(uint32_t i)
{
	return (enum kb_dtype)(i + 1);
}

#endif
