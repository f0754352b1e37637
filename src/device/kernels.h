#ifndef KB_DEVICE_KERNELS_H
#define KB_DEVICE_KERNELS_H

#include <stdint.h>

/*
 * What the supervisor hands to the kernels of device/kernels.cu and gets
 * back; both sides see the same memory. Addresses are the device's.
 *
 * Kernels that work on a batch are launched with KB_KERNEL_THREADS threads
 * a block and one row of blocks an item: block (x, y) has a share of item
 * y. An item holds its own result, and is 0 there when it arrives.
 */
#define KB_KERNEL_THREADS 256

/* The one argument of a kernel that works on a batch. */
struct kb_kernel_batch {
	uint64_t items;			/* array of what the kernel takes */
	uint64_t partials;		/* comparisons: kb_kernel_partial */
};

/* kb_kernel_fill, kb_kernel_check: see struct kb_cuda_pattern. */
struct kb_kernel_pattern {
	uint64_t base, first, end, key;
	uint64_t found;			/* damaged bytes */
};

/* kb_kernel_differ */
struct kb_kernel_pair {
	uint64_t to, from, bytes;
	uint64_t found;			/* differing bytes */
};

/*
 * kb_kernel_compare_float64, ..._float32, ..._float16, ..._bfloat16,
 * ..._float8_e4m3fn, ..._float8_e5m2 and ..._integers, which takes bools
 * too: every block leaves a partial, number first_partial + x.
 * kb_kernel_reduce, launched with one block an item, makes `result` of
 * them.
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
	uint32_t blocks;		/* kb_kernel_compare_blocks() */
	struct kb_kernel_partial result;
};

/*
 * How many blocks share a comparison. It depends on the elements alone, so
 * that squares are added up in one order on every device.
 */
#define KB_KERNEL_COMPARE_BLOCKS_MAX 1024

static inline uint32_t kb_kernel_compare_blocks(uint64_t bytes)
{
	const uint64_t share = (uint64_t)KB_KERNEL_THREADS * 16 * 8;
	const uint64_t blocks = bytes / share + 1;

	return blocks < KB_KERNEL_COMPARE_BLOCKS_MAX ? (uint32_t)blocks :
		KB_KERNEL_COMPARE_BLOCKS_MAX;
}

/* kb_kernel_wash writes all of it, kb_kernel_rinse reads all of it; any
 * number of blocks. `bytes` is a multiple of 16. */
struct kb_kernel_scratch {
	uint64_t address;
	uint64_t bytes;
};

/* kb_kernel_place: a thread for every word, KB_CUDA_PROBE_WORDS a span. The
 * place of a word of a span under 4 bytes is 0, and it is never read. */
struct kb_kernel_place {
	uint64_t spans;			/* struct kb_kernel_span */
	uint64_t first, count;		/* number of the first, how many */
	uint64_t seed;
	uint64_t places;		/* of all spans: uint64_t addresses */
};

struct kb_kernel_span {
	uint64_t address, bytes;
};

/*
 * kb_kernel_probe, kb_kernel_again: a thread for every word. The last block
 * of a probe writes `value` to `flag`; `again` adds the number of words
 * that are not what they were to `changed`.
 */
struct kb_kernel_probe {
	uint64_t places;		/* uint64_t */
	uint64_t seen;			/* uint32_t, what the probe read */
	uint64_t words;
	uint64_t ticket;		/* uint32_t, 0 between probes */
	uint64_t flag;			/* uint32_t, of the host */
	uint64_t changed;		/* uint64_t */
	uint32_t value;
	uint32_t reserved;
};

#endif
