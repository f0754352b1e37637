#ifndef KB_DEVICE_QUAD_CUH
#define KB_DEVICE_QUAD_CUH

#include "cuda/cuda_kernel.h"

#include "device/kernels.h"

/* How kernels share an array among threads, and what each takes of it. */

#define THREADS KB_KERNEL_THREADS

/* What one load or store moves at best. */
#define QUAD_BYTES 16

struct __attribute__((aligned(QUAD_BYTES))) quad {
	uint32_t word[4];
};

static inline bool is_aligned(uint64_t address, uint64_t bytes)
{
	return address % bytes == 0;
}

/* For what is read once and does not change meanwhile. */
static inline struct quad load_quad(const struct quad *at)
{
#ifdef __CUDA_ARCH__
	struct quad q;

	asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
	    : "=r"(q.word[0]), "=r"(q.word[1]), "=r"(q.word[2]),
	      "=r"(q.word[3]) : "l"(at));
	return q;
#else
	return *at;
#endif
}

/* This thread among those that share an item, and how many they are. */
static inline uint64_t thread_number(void)
{
	return (uint64_t)blockIdx.x * THREADS + threadIdx.x;
}

static inline uint64_t thread_count(void)
{
	return (uint64_t)gridDim.x * THREADS;
}

#endif
