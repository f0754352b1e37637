#ifndef KB_DEVICE_CUDA_INTERNAL_H
#define KB_DEVICE_CUDA_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "cuda/cuda_api.h"
#include "device/cuda.h"
#include "device/kernels.h"

/* Declarations that the files src/run/device/cuda*.c share. */

enum kb_cuda_kernel {
	KB_CUDA_FILL,
	KB_CUDA_CHECK,
	KB_CUDA_DIFFER,
	KB_CUDA_COMPARE_FLOAT64,
	KB_CUDA_COMPARE_FLOAT32,
	KB_CUDA_COMPARE_FLOAT16,
	KB_CUDA_COMPARE_BFLOAT16,
	KB_CUDA_COMPARE_FLOAT8_E4M3FN,
	KB_CUDA_COMPARE_FLOAT8_E5M2,
	KB_CUDA_COMPARE_INTEGERS,
	KB_CUDA_LARGEST,
	KB_CUDA_REDUCE,
	KB_CUDA_WASH,
	KB_CUDA_RINSE,
	KB_CUDA_COPY,
	KB_CUDA_SCATTER,
	KB_CUDA_MARK,
	KB_CUDA_HOLD,
	KB_CUDA_KERNEL_COUNT,
};

/*
 * Work is done in rounds: so many items at most go there and come back at
 * once. The memory for a round is there from the start, so that no call can
 * run out of it.
 */
#define KB_CUDA_ROUND_ITEMS 1024
#define KB_CUDA_ROUND_BYTES \
	(KB_CUDA_ROUND_ITEMS * sizeof(struct kb_kernel_pattern))

/* The items that a kernel works on, made here and sent to the device; grows as
 * needed. */
struct kb_cuda_list {
	void *host;			/* pinned */
	kb_cu_address device;
	size_t capacity_bytes;
};

/* The copies of the next chain, and the writes before them. */
struct kb_cuda_chain {
	struct kb_cuda_list pairs, spans;
	size_t count, span_count;
	uint64_t most_bytes;		/* of one of the pairs */
	uint64_t seed;			/* of what is written */
	kb_cu_event start, end;		/* of the chain ... */
	kb_cu_event marked;		/* ... and of the run */
};

/* The comparisons that are next, those of one kernel side by side. */
struct kb_cuda_comparing {
	struct kb_cuda_list items;
	size_t *order;			/* where each was in the caller's list */
	size_t count;
	kb_cu_address partials;
	uint64_t partials_capacity;
};

/* Words of the host that kernels write or wait for. The host stores them with release
 * and loads them with acquire, because Arm reorders plain accesses. */
struct kb_cuda_words {
	uint32_t begin, mark, release, unheard;
	uint32_t held, copied, evicted, open;	/* between the devices of a
						   group */
};

struct kb_cuda {
	const struct kb_cuda_api *api;
	struct kb_cuda_device facts;
	kb_cu_device device;
	kb_cu_context context;
	kb_cu_stream stream;
	kb_cu_stream uploads;		/* lists for `stream`, while it works */
	kb_cu_module module;
	kb_cu_function kernels[KB_CUDA_KERNEL_COUNT];
	size_t page_bytes;
	void *host;			/* pinned: a round's items ... */
	kb_cu_address items;		/* ... and where they go */
	struct kb_kernel_scratch scratch;
	struct kb_cuda_chain chain;
	struct kb_cuda_comparing comparing;
	struct kb_cuda_words *words;	/* pinned, and ... */
	kb_cu_address words_address;		/* ... as the device sees it */
	uint32_t marks;			/* how many there were */
	uint32_t chains;		/* how many, in a group */
	struct kb_cuda *first;		/* of its group: itself, if alone */
	struct kb_cuda *next;		/* owned; NULL: the last */
};

/* The further devices of a group around a run: hold each; have the first wait until
 * each is held; tell each that inputs are copied; wait until each has evicted its
 * cache; let each go, after the gate. All enqueue and do not wait. */
int kb_cuda_group_chain(struct kb_cuda *c, struct kb_err *err);
int kb_cuda_group_held(struct kb_cuda *c, struct kb_err *err);
int kb_cuda_group_copied(struct kb_cuda *c, struct kb_err *err);
int kb_cuda_group_evicted(struct kb_cuda *c, struct kb_err *err);
int kb_cuda_group_open(struct kb_cuda *c, struct kb_err *err);
int kb_cuda_make_current(struct kb_cuda *c, struct kb_err *err);

/* Enqueue what empties the L2 cache. */
int kb_cuda_evict(struct kb_cuda *c, struct kb_err *err);

/* Enqueue a kernel: x by y blocks of KB_KERNEL_THREADS. */
int kb_cuda_launch(struct kb_cuda *c, enum kb_cuda_kernel kernel, uint64_t x,
		   uint64_t y, const void *argument, struct kb_err *err);

/* Memory that is not shared, for ourselves. `what` is for messages. */
int kb_cuda_reserve(struct kb_cuda *c, kb_cu_address *address, uint64_t bytes,
		    const char *what, struct kb_err *err);

/* Room for so many bytes in a list; what it held is lost if it grows. */
int kb_cuda_list_reserve(struct kb_cuda *c, struct kb_cuda_list *l,
			 size_t bytes, struct kb_err *err);
void kb_cuda_list_release(struct kb_cuda *c, struct kb_cuda_list *l);

/* How many blocks share an item of so many bytes, where there are others. */
uint64_t kb_cuda_blocks_for(uint64_t most_bytes, size_t items);

/* The parts of src/run/device/cuda_chain.c and cuda_compare.c. Closing is safe
 * at any time. */
int kb_cuda_chain_open(struct kb_cuda *c, struct kb_err *err);
void kb_cuda_chain_close(struct kb_cuda *c);
void kb_cuda_compare_close(struct kb_cuda *c);

#endif
