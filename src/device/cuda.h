#ifndef KB_DEVICE_CUDA_H
#define KB_DEVICE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/dtype.h"
#include "device/compare.h"
#include "device/tolerance.h"

struct kb_err;

/*
 * One CUDA device, from the supervisor's side: its memory, and our own
 * kernels on it. All work goes to one stream of our own and functions
 * return when it is done, unless they say otherwise. Not for threads.
 *
 * Addresses are the device's. All functions fail with KB_ERR_DEVICE when
 * the device refuses, and KB_ERR_SYS (ENOMEM) when its memory is full; a
 * negative return is minus the kind, success is 0.
 */
struct kb_cuda;

/*
 * `ordinal` counts as the driver does, after CUDA_VISIBLE_DEVICES. Fails
 * with KB_ERR_MISSING if there is no driver, no such device, or if this
 * program was built without the CUDA toolkit and so has no kernels.
 */
int kb_cuda_open(struct kb_cuda **out, int ordinal, struct kb_err *err);
void kb_cuda_close(struct kb_cuda *c);		/* NULL is allowed */

/* Was this program built with kernels? */
bool kb_cuda_built(void);

/* What the driver says of it; fixed as long as it is open. */
struct kb_cuda_device {
	char name[96];
	uint8_t uuid[16];
	char pci_bus_id[24];		/* "0000:18:00.0" */
	int driver_version;		/* 13000 is 13.0: what it supports */
	int capability_major, capability_minor;
	int multiprocessors;
	uint64_t memory_bytes;
	uint64_t l2_cache_bytes;
};

const struct kb_cuda_device *kb_cuda_device(const struct kb_cuda *c);

/* Memory that nobody has, now. */
int kb_cuda_free_bytes(struct kb_cuda *c, uint64_t *bytes,
		       struct kb_err *err);

/* --- memory ---------------------------------------------------------- */

/*
 * One allocation, alone on its pages, rounded up to their size. If it is
 * shared, `fd` is a descriptor that another process can map it with; it
 * stays ours to close in kb_cuda_memory_free().
 */
struct kb_cuda_memory {
	uint64_t address;		/* 0 when there is none */
	uint64_t bytes;			/* as rounded */
	uint64_t handle;
	int fd;				/* -1 unless shared */
};

#define KB_CUDA_MEMORY_INIT { .fd = -1 }

int kb_cuda_memory_new(struct kb_cuda *c, struct kb_cuda_memory *m,
		       uint64_t bytes, bool shared, struct kb_err *err);
/* Fine on KB_CUDA_MEMORY_INIT, after which `m` is that. */
void kb_cuda_memory_free(struct kb_cuda *c, struct kb_cuda_memory *m);

/* --- work ------------------------------------------------------------ */

struct kb_cuda_copy {
	uint64_t to, from;
	uint64_t bytes;
};

int kb_cuda_copy(struct kb_cuda *c, const struct kb_cuda_copy copies[],
		 size_t count, struct kb_err *err);

/* Part of a pattern of device/pattern.h: the same bytes as on the CPU.
 * `base` is aligned to 8. */
struct kb_cuda_pattern {
	uint64_t base;
	uint64_t first, end;		/* offsets from `base` */
	uint64_t key;
};

int kb_cuda_pattern_fill(struct kb_cuda *c,
			 const struct kb_cuda_pattern patterns[],
			 size_t count, struct kb_err *err);

/* How many bytes of each do not hold it, into damaged[0 .. count - 1]. */
int kb_cuda_pattern_check(struct kb_cuda *c,
			  const struct kb_cuda_pattern patterns[],
			  size_t count, uint64_t damaged[],
			  struct kb_err *err);

/* How many bytes differ between `to` and `from` of each. */
int kb_cuda_differ(struct kb_cuda *c, const struct kb_cuda_copy pairs[],
		   size_t count, uint64_t differing[], struct kb_err *err);

/*
 * kb_compare() of device/compare.h. The counts and the first mismatch are the
 * same. The sum under the RMS is added up in another fixed order, and the
 * largest relative error is rounded up, not to the nearest. Of float32 and
 * types of 8 bits all three errors are right to six digits. They have the
 * same bits in every run and on every device.
 */
struct kb_cuda_comparison {
	uint64_t candidate, expected;
	enum kb_dtype dtype;
	uint64_t count;			/* elements */
	struct kb_tolerance tolerance;
};

int kb_cuda_compare(struct kb_cuda *c,
		    const struct kb_cuda_comparison comparisons[],
		    size_t count, struct kb_compare_result results[],
		    struct kb_err *err);

/* Nothing that was in the L2 cache is in it after this: twice its size of
 * other memory is written and read. */
int kb_cuda_evict(struct kb_cuda *c, struct kb_err *err);

/* --- the probe ------------------------------------------------------- */

/*
 * The last thing before the clock is read: a small kernel that reads
 * KB_CUDA_PROBE_WORDS aligned 4-byte words at random places of every span.
 * Whatever of the outputs is not there when it runs is seen later, when
 * the same places are read again.
 */
#define KB_CUDA_PROBE_WORDS 128

struct kb_cuda_span {
	uint64_t address;		/* aligned to 4 */
	uint64_t bytes;			/* under 4: nothing is read */
};

/* What the next probe reads, from places that follow from `seed`. */
int kb_cuda_probe_set(struct kb_cuda *c, const struct kb_cuda_span spans[],
		      size_t count, uint64_t seed, struct kb_err *err);

/* Launch it and wait until it has run. As quick as can be. */
int kb_cuda_probe(struct kb_cuda *c, struct kb_err *err);

/* Read the places again; how many words are not what they were. */
int kb_cuda_probe_check(struct kb_cuda *c, uint64_t *changed,
			struct kb_err *err);

#endif
