#include "random/cuda_random.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "random/chacha.h"
#include "random/random_kernels.h"

/* Made of random/random.cu and built in by cuda/fatbin.S. */
extern const unsigned char kb_cuda_random_fatbin[];
extern const uint64_t kb_cuda_random_fatbin_bytes;

/* Blocks of threads: enough to fill any device, few enough to start soon. */
#define BLOCKS_MAX 4096

bool kb_cuda_random_built(void)
{
	return kb_cuda_random_fatbin_bytes > 0;
}

static int find_kernels(struct kb_cuda_random *r, struct kb_err *err)
{
	const struct {
		kb_cu_function *function;
		const char *name;
	} kernels[] = {
		{ &r->zeros, "kb_random_kernel_zeros" },
		{ &r->uniform, "kb_random_kernel_uniform" },
		{ &r->normal, "kb_random_kernel_normal" },
		{ &r->integers, "kb_random_kernel_integers" },
		{ &r->put, "kb_random_kernel_put" },
		{ &r->advance, "kb_random_kernel_advance" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(kernels); i++) {
		kb_cu_result result = r->api->ModuleGetFunction(
			kernels[i].function, r->module, kernels[i].name);

		if (result != KB_CU_SUCCESS)
			return kb_cuda_err(err, r->api, result,
					   "find the kernel '%s'",
					   kernels[i].name);
	}
	return 0;
}

int kb_cuda_random_open(struct kb_cuda_random *r,
			const struct kb_cuda_api *api, struct kb_err *err)
{
	struct kb_cuda_random opened = { .api = api };
	kb_cu_result result;
	int ret;

	if (!kb_cuda_random_built())
		return kb_err(err, KB_ERR_MISSING,
			      "this program was built without the CUDA "
			      "toolkit and has no kernels");
	result = api->ModuleLoadData(&opened.module, kb_cuda_random_fatbin);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, api, result,
				   "load the kernels for random numbers");
	ret = find_kernels(&opened, err);
	if (ret < 0)
		kb_cuda_random_close(&opened);
	else
		*r = opened;
	return ret;
}

void kb_cuda_random_close(struct kb_cuda_random *r)
{
	if (r->api)
		(void)r->api->ModuleUnload(r->module);
	*r = (struct kb_cuda_random)KB_CUDA_RANDOM_INIT;
}

static bool is_narrow(enum kb_dtype dtype)
{
	return dtype == KB_FLOAT32 || dtype == KB_FLOAT16 ||
		dtype == KB_BFLOAT16;
}

/* As in random/random.c, where narrow types are computed in float32. */
static void set_uniform(struct kb_random_kernel *k, const struct kb_draw *draw)
{
	const enum kb_dtype dtype = (enum kb_dtype)k->dtype;
	const struct kb_draw_range range =
		kb_draw_range(draw->low, draw->high, dtype);
	const float low = (float)draw->low, high = (float)draw->high;

	k->low = is_narrow(dtype) ? (double)low : draw->low;
	k->span = is_narrow(dtype) ? (double)(high - low) :
		draw->high - draw->low;
	k->min = range.min;
	k->max = range.max;
}

/* A bound as a number modulo 2^64; up to 2^63, which int64_t has not. */
static uint64_t bound_bits(double bound)
{
	return bound < 0 ? (uint64_t)(int64_t)bound : (uint64_t)bound;
}

static void set_integers(struct kb_random_kernel *k,
			 const struct kb_draw *draw)
{
	k->integer_low = bound_bits(draw->low);
	k->integer_span = bound_bits(draw->high) - k->integer_low;
	/* 2^64 modulo the span: 0 - span is 2^64 - span, which leaves the same
	 * rest. The span of all integers of 64 bits is 0 here, and takes every
	 * word. */
	if (k->integer_span)
		k->threshold = (0 - k->integer_span) % k->integer_span;
}

static uint64_t stream_blocks(const struct kb_random_kernel *k)
{
	const unsigned words = is_narrow((enum kb_dtype)k->dtype) ? 1 : 2;
	const uint64_t per_block = KB_CHACHA_BLOCK_WORDS / words;

	return (k->first_element + k->count + per_block - 1) / per_block;
}

static kb_cu_function set_draw(struct kb_random_kernel *k,
			       const struct kb_cuda_random *r,
			       const struct kb_draw *draw)
{
	switch (draw->kind) {
	case KB_DRAW_UNIFORM:
		set_uniform(k, draw);
		return r->uniform;
	case KB_DRAW_NORMAL:
		k->low = draw->low;
		k->high = draw->high;
		return r->normal;
	case KB_DRAW_INTEGERS:
		set_integers(k, draw);
		return r->integers;
	default:
		/* Zeros are the same bytes in every type. */
		k->count *= k->size_bytes;
		return r->zeros;
	}
}

static unsigned blocks_for(uint64_t count)
{
	const uint64_t tile = KB_RANDOM_TILE_WORDS / 2;
	const uint64_t tiles = (count + tile - 1) / tile;

	return tiles < BLOCKS_MAX ? (unsigned)tiles : BLOCKS_MAX;
}

static int launch_kernel(const struct kb_cuda_random *r, kb_cu_function kernel,
			 unsigned blocks, kb_cu_stream stream, void *argument,
			 struct kb_err *err)
{
	void *arguments[] = { argument };
	kb_cu_result result = r->api->LaunchKernel(
		kernel, blocks, 1, 1, KB_RANDOM_KERNEL_THREADS, 1, 1, 0,
		stream, arguments, NULL);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, r->api, result,
				   "draw random numbers");
	return 0;
}

int kb_cuda_random_fill(struct kb_cuda_random *r, kb_cu_stream stream,
			const struct kb_cuda_tensor *to,
			const struct kb_draw *draw,
			const struct kb_random_stream *from,
			struct kb_err *err)
{
	struct kb_random_kernel k = {
		.control = r->control,
		.address = to->address,
		.count = to->count,
		.first_element = from->first_element,
		.slot = from->slot,
		.tensor = from->tensor,
		.dtype = to->dtype,
		.size_bytes = (uint32_t)kb_dtype_size_bytes(to->dtype),
	};
	kb_cu_function kernel;

	if (from->first_element % KB_RANDOM_CHUNK_ELEMENTS)
		KB_BUG("a part of a tensor starts between two chunks");
	if (kb_draw_check(draw, to->dtype, NULL) < 0)
		KB_BUG("a draw was not checked");
	if (draw->kind != KB_DRAW_ZEROS &&
	    stream_blocks(&k) > KB_CHACHA_BLOCKS_MAX)
		KB_BUG("ChaCha20's block counter would wrap");
	/* CUDA refuses to launch no blocks. */
	if (to->count == 0)
		return 0;

	memcpy(k.key, from->seed, sizeof(k.key));
	kernel = set_draw(&k, r, draw);
	return launch_kernel(r, kernel, blocks_for(k.count), stream, &k, err);
}

int kb_cuda_random_put(struct kb_cuda_random *r, kb_cu_stream stream,
		       const struct kb_random_put *put, struct kb_err *err)
{
	struct kb_random_put p = *put;

	p.control = r->control;
	return launch_kernel(r, r->put, blocks_for(p.bytes / 8 + 1), stream, &p, err);
}

int kb_cuda_random_advance(struct kb_cuda_random *r, kb_cu_stream stream,
			   uint32_t slots, struct kb_err *err)
{
	struct kb_random_advance a = { .control = r->control, .slots = slots };

	return launch_kernel(r, r->advance, 1, stream, &a, err);
}
