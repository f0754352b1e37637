#ifndef KB_RANDOM_CUDA_RANDOM_H
#define KB_RANDOM_CUDA_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"
#include "cuda/cuda_api.h"
#include "random/random.h"

struct kb_err;
struct kb_random_put;		/* random/random_kernels.h */

/*
 * kb_random_fill() on a CUDA device: the same bits, made where they are
 * wanted. A context is current in all of this, and the same one.
 */
struct kb_cuda_random {
	const struct kb_cuda_api *api;	/* NULL unless open; borrowed */
	kb_cu_module module;
	kb_cu_function zeros, uniform, normal, integers, put, advance;
	uint64_t control;	/* 0, or as kb_cuda_random_fill() has it */
};

#define KB_CUDA_RANDOM_INIT { .api = NULL }

/* Was this program built with the CUDA toolkit? */
bool kb_cuda_random_built(void);

/*
 * Fails with KB_ERR_MISSING if this program was built without the CUDA
 * toolkit, and with KB_ERR_DEVICE if the device cannot run what is here.
 */
int kb_cuda_random_open(struct kb_cuda_random *r,
			const struct kb_cuda_api *api, struct kb_err *err);
/* Fine on KB_CUDA_RANDOM_INIT, after which `r` is that. */
void kb_cuda_random_close(struct kb_cuda_random *r);

/* Elements in memory of the device, which is aligned for them. */
struct kb_cuda_tensor {
	uint64_t address;
	enum kb_dtype dtype;
	uint64_t count;
};

/*
 * Enqueue on `stream` what makes the elements of `to`. Returns at once. What
 * kb_random_fill() demands of its arguments is demanded here, and float8
 * cannot be drawn here either, but for zeros. `draw` and `from` are read
 * before it returns.
 *
 * With `r->control`, the address of a struct kb_random_control, the launch
 * is for a graph that runs many times: the seed is what stands there when
 * it runs, not that of `from`, and the slot is added to that of `from`.
 */
int kb_cuda_random_fill(struct kb_cuda_random *r, kb_cu_stream stream,
			const struct kb_cuda_tensor *to,
			const struct kb_draw *draw,
			const struct kb_random_stream *from,
			struct kb_err *err);

/* For such a graph: one of the calls' inputs goes to where it belongs; what
 * the graph does next time is for the `slots` that follow. */
int kb_cuda_random_put(struct kb_cuda_random *r, kb_cu_stream stream,
		       const struct kb_random_put *put, struct kb_err *err);
int kb_cuda_random_advance(struct kb_cuda_random *r, kb_cu_stream stream,
			   uint32_t slots, struct kb_err *err);

#endif
