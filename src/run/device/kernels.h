#ifndef KB_DEVICE_KERNELS_H
#define KB_DEVICE_KERNELS_H

#include <stdint.h>

/*
 * The arguments and results of the kernels of device/kernels.cu; both sides see
 * the same memory. Addresses are the device's.
 *
 * Kernels that work on a batch are launched with KB_KERNEL_THREADS threads
 * a block and one row of blocks an item: block (x, y) has a share of item
 * y. An item holds its own result, and is 0 there when it arrives.
 */
#define KB_KERNEL_THREADS 256

/* The one argument of a kernel that works on a batch. */
struct kb_kernel_batch {
	uint64_t items;			/* array of what the kernel takes */
};

/* kb_kernel_fill, kb_kernel_check: see struct kb_cuda_pattern. */
struct kb_kernel_pattern {
	uint64_t base, first, end, key;
	uint64_t found;			/* damaged bytes */
};

/* kb_kernel_copy, from `from`, and kb_kernel_differ */
struct kb_kernel_pair {
	uint64_t to, from, bytes;
	uint64_t found;			/* differing bytes */
};

/*
 * kb_kernel_compare_float64, ..._float32, ..._float16, ..._bfloat16,
 * ..._float8_e4m3fn, ..._float8_e5m2 and ..._integers, which takes bools
 * too. Elements are compared in shares of KB_KERNEL_SHARE_BYTES, one a block,
 * and each leaves a partial: number first_partial + i for share i of its
 * item. kb_kernel_largest, which works on a batch, comes before them and leaves
 * `largest` in items of floats that are `of_tensor`. kb_kernel_reduce, launched
 * with one block an item, makes `result` of the partials.
 */
struct kb_kernel_partial {
	uint64_t mismatched;
	uint64_t not_finite;
	uint64_t first_mismatch;	/* UINT64_MAX if there is none */
	double max_abs_error;
	double max_rel_error;
	double square_sum;
};

struct kb_kernel_comparison {
	uint64_t candidate, expected;
	uint64_t count;			/* elements */
	double atol, rtol;
	uint64_t first_partial;
	uint32_t dtype;			/* enum kb_dtype */
	uint32_t shares;		/* kb_kernel_shares() */
	uint64_t of_tensor;		/* not 0: rtol is of the largest |b|,
					   and bounds are not met */
	double largest;			/* |b| then: kb_kernel_largest */
	struct kb_kernel_partial result;
};

/*
 * Items whose partials follow each other, by ascending number. Block b takes
 * share (b * multiplier + offset) % shares of all of them. The multiplier is
 * random and has no divisor in common with `shares`, so that a candidate cannot
 * know which elements are compared last.
 */
struct kb_kernel_comparing {
	uint64_t items;			/* struct kb_kernel_comparison */
	uint64_t partials;
	uint64_t count;			/* items */
	uint64_t shares;		/* of all items */
	uint64_t multiplier, offset;	/* below `shares` */
};

/* A share's elements are added up in one order, whichever block has it and
 * whenever, so that results have the same bits on every device. */
#define KB_KERNEL_SHARE_QUADS (KB_KERNEL_THREADS * 16)
#define KB_KERNEL_SHARE_BYTES ((uint64_t)KB_KERNEL_SHARE_QUADS * 16)

static inline uint32_t kb_kernel_shares(uint64_t bytes)
{
	return (uint32_t)(bytes / KB_KERNEL_SHARE_BYTES + 1);
}

/* kb_kernel_wash writes all of it, kb_kernel_rinse reads all of it; any
 * number of blocks. `bytes` is a multiple of 16. */
struct kb_kernel_scratch {
	uint64_t address;
	uint64_t bytes;
};

/*
 * kb_kernel_scatter: for every span KB_CUDA_SCATTER_WORDS aligned words at
 * random places get a random value, finite in all types. A thread for each;
 * both follow from `seed`. Nothing of a span under 4 bytes is written.
 */
struct kb_kernel_scatter {
	uint64_t spans;			/* struct kb_kernel_span */
	uint64_t count;
	uint64_t seed;
};

struct kb_kernel_span {
	uint64_t address, bytes;
};

/*
 * kb_kernel_mark writes `value` to `flag`; kb_kernel_hold then keeps the
 * device until `release` is `value`, or for `most_ns`. One thread; both words
 * are the host's.
 */
struct kb_kernel_mark {
	uint64_t flag, release;
	uint64_t most_ns;
	uint32_t value;
	uint32_t reserved;
};

#endif
