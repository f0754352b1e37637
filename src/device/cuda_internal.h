#ifndef KB_DEVICE_CUDA_INTERNAL_H
#define KB_DEVICE_CUDA_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/cuda_api.h"
#include "device/cuda.h"
#include "device/kernels.h"

/* What the files src/device/cuda*.c share. */

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
	KB_CUDA_REDUCE,
	KB_CUDA_WASH,
	KB_CUDA_RINSE,
	KB_CUDA_PLACE,
	KB_CUDA_PROBE,
	KB_CUDA_AGAIN,
	KB_CUDA_KERNEL_COUNT,
};

/*
 * Work is done in rounds: so many items at most go there and come back at
 * once, and have so many partial results between them. The memory for a
 * round is there from the start, so that no call can run out of it.
 */
#define KB_CUDA_ROUND_ITEMS 1024
#define KB_CUDA_ROUND_PARTIALS (64 * KB_KERNEL_COMPARE_BLOCKS_MAX)
#define KB_CUDA_ROUND_BYTES \
	(KB_CUDA_ROUND_ITEMS * sizeof(struct kb_kernel_comparison))

struct kb_cuda_probe_state {
	uint64_t capacity;		/* words that there is room for */
	struct kb_kernel_probe kernel;	/* as it is launched */
	uint32_t *flag;			/* pinned: number of the last one */
};

struct kb_cuda {
	const struct kb_cuda_api *api;
	struct kb_cuda_device facts;
	kb_cu_device device;
	kb_cu_context context;
	kb_cu_stream stream;
	kb_cu_module module;
	kb_cu_function kernels[KB_CUDA_KERNEL_COUNT];
	size_t page_bytes;
	void *host;			/* pinned: a round's items ... */
	kb_cu_address items;		/* ... and where they go */
	kb_cu_address partials;
	struct kb_kernel_scratch scratch;
	struct kb_cuda_probe_state probe;
};

/* Enqueue a kernel: x by y blocks of KB_KERNEL_THREADS. */
int kb_cuda_launch(struct kb_cuda *c, enum kb_cuda_kernel kernel, uint64_t x,
		   uint64_t y, const void *argument, struct kb_err *err);

/* Enqueue the way of a round's items there and back. */
int kb_cuda_send(struct kb_cuda *c, size_t bytes, struct kb_err *err);
int kb_cuda_fetch(struct kb_cuda *c, size_t bytes, struct kb_err *err);

/* Wait for all that was enqueued. */
int kb_cuda_wait(struct kb_cuda *c, struct kb_err *err);

/* Memory that is not shared, for ourselves. `what` is for messages. */
int kb_cuda_reserve(struct kb_cuda *c, kb_cu_address *address, uint64_t bytes,
		    const char *what, struct kb_err *err);

/* What the probe has for itself; the second is fine at any time. */
int kb_cuda_probe_open(struct kb_cuda *c, struct kb_err *err);
void kb_cuda_probe_close(struct kb_cuda *c);

#endif
