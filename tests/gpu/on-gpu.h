#ifndef KB_TESTS_ON_GPU_H
#define KB_TESTS_ON_GPU_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "cuda/cuda_api.h"
#include "device/cuda.h"
#include "device/pattern_word.h"

/* For tests that need a device: the first there is, and bytes to and from
 * its memory. Whatever fails ends the test. */

static inline void must(int ret, const struct kb_err *err)
{
	if (ret >= 0)
		return;
	printf("Bail out! %s\n", err->msg);
	exit(1);
}

/* NULL and a reason if there is none. */
static inline struct kb_cuda *gpu_open(const char **why)
{
	static struct kb_err err = KB_ERR_INIT;
	struct kb_cuda *gpu = NULL;
	int ret = kb_cuda_open(&gpu, 0, &err);

	if (ret == -KB_ERR_MISSING)
		*why = err.msg;
	else
		must(ret, &err);
	return gpu;
}

static inline const struct kb_cuda_api *gpu_api(void)
{
	struct kb_err err = KB_ERR_INIT;
	const struct kb_cuda_api *cu = kb_cuda_api(&err);

	must(cu ? 0 : -KB_ERR_MISSING, &err);
	return cu;
}

static inline void gpu_must(kb_cu_result result)
{
	struct kb_err err = KB_ERR_INIT;

	if (result != KB_CU_SUCCESS)
		must(kb_cuda_err(&err, gpu_api(), result, "do this"), &err);
}

static inline void gpu_write(uint64_t to, const void *from, size_t bytes)
{
	if (!bytes)
		return;
	gpu_must(gpu_api()->MemcpyHtoDAsync(to, from, bytes, NULL));
	gpu_must(gpu_api()->CtxSynchronize());
}

static inline void gpu_read(void *to, uint64_t from, size_t bytes)
{
	if (!bytes)
		return;
	gpu_must(gpu_api()->MemcpyDtoHAsync(to, from, bytes, NULL));
	gpu_must(gpu_api()->CtxSynchronize());
}

/* --- data ------------------------------------------------------------ */

/* The same in every run. */
static inline uint64_t gpu_random(void)
{
	static uint64_t number;

	return kb_pattern_word(17, number++);
}

static inline uint64_t gpu_random_below(uint64_t end)
{
	return gpu_random() % end;
}

/* Element `i` of `size` bytes, as bits. */
static inline uint64_t gpu_bits_at(const uint8_t *data, size_t size, size_t i)
{
	uint64_t bits = 0;

	memcpy(&bits, data + i * size, size);
	return bits;
}

static inline void gpu_set_bits(uint8_t *data, size_t size, size_t i,
				uint64_t bits)
{
	memcpy(data + i * size, &bits, size);
}

/* Exponents in the middle, so that neighbours are close. */
static inline uint64_t gpu_ordinary_bits(size_t size)
{
	static const uint64_t mask[] = {
		[1] = 0x9f, [2] = 0x87ff, [4] = 0x81ffffff,
		[8] = 0x800fffffffffffff,
	};
	static const uint64_t base[] = {
		[1] = 0x20, [2] = 0x3800, [4] = 0x3e000000,
		[8] = 0x3fc0000000000000,
	};

	return (gpu_random() & mask[size]) | base[size];
}

#endif
