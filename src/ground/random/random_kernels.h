#ifndef KB_RANDOM_RANDOM_KERNELS_H
#define KB_RANDOM_RANDOM_KERNELS_H

#include <stdint.h>

/*
 * The arguments of kb_cuda_random_fill() for kb_random_kernel_zeros, _uniform,
 * _normal and _integers. A block of KB_RANDOM_KERNEL_THREADS threads makes
 * tiles of KB_RANDOM_TILE_WORDS words of the stream, one block of ChaCha20 a
 * thread; any number of blocks shares the tiles. The kernel of the zeros fills
 * bytes, any number of threads at a time.
 */
#define KB_RANDOM_KERNEL_THREADS 128
#define KB_RANDOM_TILE_WORDS (KB_RANDOM_KERNEL_THREADS * 16)

struct kb_random_kernel {
	uint64_t control;		/* of a struct below, or 0 */
	uint64_t address;
	uint64_t count;			/* elements, but for zeros: bytes */
	uint64_t first_element;
	uint32_t key[8];
	uint32_t slot, tensor;
	uint32_t dtype;			/* enum kb_dtype */
	uint32_t size_bytes;		/* of an element */
	double low, high;		/* normal: mean, deviation */
	double span;			/* uniform: high - low */
	double min, max;		/* uniform: the range there is */
	uint64_t integer_low, integer_span;	/* modulo 2^64 */
	uint64_t threshold;		/* see below() in random.cu */
};

/*
 * The device memory that launches recorded in a graph read when they run: the
 * seed, which stands in for kb_random_kernel's, and the slot of the graph's
 * first call, which is added to that of a launch. An address for each input of
 * each call follows, call after call.
 */
struct kb_random_control {
	uint32_t key[8];
	uint32_t slot;
	uint32_t reserved[7];
};

/* kb_random_kernel_put: copy an input of a call to its address. */
struct kb_random_put {
	uint64_t control;
	uint64_t from;
	uint64_t bytes;
	uint32_t call;
	uint32_t input, input_count;
};

/* kb_random_kernel_advance, one thread: go on by so many slots. */
struct kb_random_advance {
	uint64_t control;
	uint32_t slots;
};

#endif
