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

/*
 * Several devices as one, for ranks. `out` is the first. Its kernels do all work,
 * and reach the memory of the others by peer access. A chain holds every device
 * until the gate opens, and a mark holds them again for the comparison. Memory
 * fails with KB_ERR_DEVICE if the devices have no peer access.
 */
int kb_cuda_open_group(struct kb_cuda **out, const int ordinals[], size_t count,
		       struct kb_err *err);

/* The device of a rank. Borrowed from the first. */
struct kb_cuda *kb_cuda_of_rank(struct kb_cuda *c, uint32_t rank);

void kb_cuda_close(struct kb_cuda *c);		/* NULL is allowed */

/* Was this program built with kernels? */
bool kb_cuda_built(void);

/* The driver's facts about the device; fixed as long as it is open. */
struct kb_cuda_device {
	char name[96];
	uint8_t uuid[16];
	char pci_bus_id[24];		/* "0000:18:00.0" */
	int driver_version;		/* 13000 is 13.0: what it supports */
	int capability_major, capability_minor;
	int multiprocessors;
	uint64_t memory_bytes;
	uint64_t l2_cache_bytes;
	bool reads_host_memory;		/* its kernels reach all memory of their
					   own process, by the host's page
					   tables: ATS, as on a GH200 */
};

const struct kb_cuda_device *kb_cuda_device(const struct kb_cuda *c);

/* Memory that nobody has, now; of the device that has least. */
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

/* A few bytes of the device's memory, to the host's. */
int kb_cuda_read(struct kb_cuda *c, void *to, uint64_t from, size_t bytes,
		 struct kb_err *err);

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
 * same bits in every run and on every device, though elements are compared in
 * an order that is drawn anew each time.
 */
struct kb_cuda_comparison {
	uint64_t candidate, expected;
	enum kb_dtype dtype;
	uint64_t count;			/* elements */
	struct kb_tolerance tolerance;
	bool of_tensor;			/* as kb_tolerance_of_tensor() makes of
					   it, by kb_compare_largest() */
};

int kb_cuda_compare(struct kb_cuda *c,
		    const struct kb_cuda_comparison comparisons[],
		    size_t count, struct kb_compare_result results[],
		    struct kb_err *err);

/* kb_cuda_compare() in three steps, for a caller that does other things between
 * them: prepare, enqueue without waiting, and fetch the results. */
int kb_cuda_compare_prepare(struct kb_cuda *c,
			    const struct kb_cuda_comparison comparisons[],
			    size_t count, struct kb_err *err);
int kb_cuda_compare_submit(struct kb_cuda *c, struct kb_err *err);
int kb_cuda_compare_finish(struct kb_cuda *c,
			   struct kb_compare_result results[],
			   struct kb_err *err);

/* --- the chains around a run ----------------------------------------- */

/*
 * The chain that begins a run: the L2 cache is emptied, KB_CUDA_SCATTER_WORDS
 * words at random places of each of `spans` get a random value, `copies` are
 * made by a kernel, the cache is emptied again (twice its size of other memory
 * is written and read), and `writes` are made to words of the host, in their
 * order. All of it is work of one context on one stream, so that no other context computes
 * between its first write and the last, as long as it fits into a time slice.
 * The second function enqueues it and does not wait.
 */
#define KB_CUDA_SCATTER_WORDS 64

struct kb_cuda_span {
	uint64_t address, bytes;
};

struct kb_cuda_chain_plan {
	const struct kb_cuda_copy *copies;	/* borrowed for the call */
	size_t copy_count;
	const struct kb_cuda_span *spans;	/* borrowed for the call */
	size_t span_count;
};

int kb_cuda_chain_prepare(struct kb_cuda *c,
			  const struct kb_cuda_chain_plan *plan,
			  struct kb_err *err);

struct kb_cuda_write {
	uint64_t word;			/* its address */
	uint32_t value;
};

int kb_cuda_chain_submit(struct kb_cuda *c, const struct kb_cuda_write *writes,
			 size_t write_count, struct kb_err *err);

/* Scratch memory of this device handle, to stand in for a worker's tensors. */
struct kb_cuda_span kb_cuda_scratch(const struct kb_cuda *c);

/* The device time of the prepared chain, from its first write to its word, with
 * no worker behind it: the median of several, by events of this context. */
int kb_cuda_chain_cost(struct kb_cuda *c, int64_t *cost_ns,
		       struct kb_err *err);

/* A page of the host that the device may write to: where it sees it. */
int kb_cuda_page_register(struct kb_cuda *c, void *page, size_t bytes,
			  uint64_t *address, struct kb_err *err);
void kb_cuda_page_unregister(struct kb_cuda *c, void *page);

/*
 * The mark that ends a run: a kernel that says to the host that this context
 * has the device. Work that is enqueued behind it runs in the same time slice.
 * The first function enqueues it and does not wait: the device holds it back
 * until the second function, so that nothing is left to enqueue when a side is
 * done. If it `holds`, a kernel behind it keeps the device until
 * kb_cuda_mark_release(), but at most hold_ns of cuda/patience.h. The third
 * function spins until the mark is there.
 */
int kb_cuda_mark_submit(struct kb_cuda *c, bool holds, struct kb_err *err);
void kb_cuda_mark_begin(struct kb_cuda *c);
int kb_cuda_mark_await(struct kb_cuda *c, struct kb_err *err);

/* Let the first device go on, which compares. The further devices of a group are
 * held until the second function, or kb_cuda_mark_time(), but no longer. */
void kb_cuda_mark_release(struct kb_cuda *c);
void kb_cuda_mark_end(struct kb_cuda *c);

/*
 * The time from the first write of the last chain to the last mark, by events
 * of this context: by the device's clock, when the device got to the one and
 * to the other. Waits for all that was enqueued.
 */
int kb_cuda_mark_time(struct kb_cuda *c, int64_t *elapsed_ns,
		      struct kb_err *err);

/* Wait for all that was enqueued. */
int kb_cuda_wait(struct kb_cuda *c, struct kb_err *err);

#endif
