/* Launches, copies, patterns and searches for differences on the device. */

#include "device/cuda_internal.h"

#include "base/alloc.h"
#include "base/err.h"

/*
 * Blocks that share an item: each has at least so much to do, an item has
 * at most so many, and a launch not many more than keep a device busy.
 */
#define SHARE_BYTES ((uint64_t)16 << 10)
#define ITEM_BLOCKS_MAX 2048
#define LAUNCH_BLOCKS_MAX 262144

/* Blocks that keep a device busy with one array. */
#define SCRATCH_BLOCKS 2048

int kb_cuda_launch(struct kb_cuda *c, enum kb_cuda_kernel kernel, uint64_t x,
		   uint64_t y, const void *argument, struct kb_err *err)
{
	void *arguments[] = { (void *)(uintptr_t)argument };
	kb_cu_result result = c->api->LaunchKernel(
		c->kernels[kernel], (unsigned)x, (unsigned)y, 1,
		KB_KERNEL_THREADS, 1, 1, 0, c->stream, arguments, NULL);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "run a kernel on the CUDA device");
	return 0;
}

/* Written bytes are in the cache and wait to go to memory. Reading afterwards
 * makes them go, so that the next kernel has nothing to write back. */
int kb_cuda_evict(struct kb_cuda *c, struct kb_err *err)
{
	int ret;

	if (!c->scratch.bytes)
		return 0;
	ret = kb_cuda_launch(c, KB_CUDA_WASH, SCRATCH_BLOCKS, 1, &c->scratch,
			     err);
	return ret < 0 ? ret : kb_cuda_launch(c, KB_CUDA_RINSE, SCRATCH_BLOCKS,
					      1, &c->scratch, err);
}

/* Enqueue the way of a round's items there, and back. */
static int send_items(struct kb_cuda *c, size_t bytes, struct kb_err *err)
{
	kb_cu_result result = c->api->MemcpyHtoDAsync(c->items, c->host, bytes,
						      c->stream);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy to the CUDA device");
	return 0;
}

static int fetch_items(struct kb_cuda *c, size_t bytes, struct kb_err *err)
{
	kb_cu_result result = c->api->MemcpyDtoHAsync(c->host, c->items, bytes,
						      c->stream);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy from the CUDA device");
	return 0;
}

int kb_cuda_wait(struct kb_cuda *c, struct kb_err *err)
{
	kb_cu_result result = c->api->StreamSynchronize(c->stream);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "wait for the CUDA device");
	return 0;
}

int kb_cuda_read(struct kb_cuda *c, void *to, uint64_t from, size_t bytes,
		 struct kb_err *err)
{
	kb_cu_result result = c->api->MemcpyDtoHAsync(to, from, bytes,
						      c->stream);

	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy from the CUDA device");
	return kb_cuda_wait(c, err);
}

int kb_cuda_copy(struct kb_cuda *c, const struct kb_cuda_copy copies[],
		 size_t count, struct kb_err *err)
{
	for (size_t i = 0; i < count; i++) {
		kb_cu_result result = KB_CU_SUCCESS;

		if (copies[i].bytes)
			result = c->api->MemcpyDtoDAsync(
				copies[i].to, copies[i].from, copies[i].bytes,
				c->stream);
		if (result != KB_CU_SUCCESS)
			return kb_cuda_err(err, c->api, result,
					   "copy on the CUDA device");
	}
	return kb_cuda_wait(c, err);
}

static uint64_t lesser_of(uint64_t x, uint64_t y)
{
	return x < y ? x : y;
}

uint64_t kb_cuda_blocks_for(uint64_t most_bytes, size_t items)
{
	uint64_t blocks = lesser_of(most_bytes / SHARE_BYTES + 1,
				    ITEM_BLOCKS_MAX);

	return lesser_of(blocks, LAUNCH_BLOCKS_MAX / items);
}

/* --- a round of patterns or pairs ------------------------------------ */

/* The items are in c->host. They come back with their results only from a
 * kernel that has any. */
static int run_round(struct kb_cuda *c, enum kb_cuda_kernel kernel,
		     uint64_t most_bytes, size_t items, size_t item_bytes,
		     struct kb_err *err)
{
	const struct kb_kernel_batch batch = { .items = c->items };
	int ret = send_items(c, items * item_bytes, err);

	if (ret >= 0)
		ret = kb_cuda_launch(c, kernel,
				     kb_cuda_blocks_for(most_bytes, items),
				     items, &batch, err);
	if (ret >= 0 && kernel != KB_CUDA_FILL)
		ret = fetch_items(c, items * item_bytes, err);
	return ret < 0 ? ret : kb_cuda_wait(c, err);
}

static int pattern_round(struct kb_cuda *c, enum kb_cuda_kernel kernel,
			 const struct kb_cuda_pattern patterns[], size_t count,
			 uint64_t damaged[], struct kb_err *err)
{
	struct kb_kernel_pattern *items = c->host;
	uint64_t most_bytes = 0;
	int ret;

	for (size_t i = 0; i < count; i++) {
		const struct kb_cuda_pattern *p = &patterns[i];

		if (p->base % 8 || p->first > p->end)
			KB_BUG("a pattern that cannot be");
		items[i] = (struct kb_kernel_pattern){
			.base = p->base, .first = p->first,
			.end = p->end, .key = p->key,
		};
		if (p->end - p->first > most_bytes)
			most_bytes = p->end - p->first;
	}
	ret = run_round(c, kernel, most_bytes, count, sizeof(*items), err);
	for (size_t i = 0; i < count && damaged && ret >= 0; i++)
		damaged[i] = items[i].found;
	return ret;
}

int kb_cuda_pattern_fill(struct kb_cuda *c,
			 const struct kb_cuda_pattern patterns[],
			 size_t count, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i += KB_CUDA_ROUND_ITEMS)
		ret = pattern_round(c, KB_CUDA_FILL, patterns + i,
				    lesser_of(count - i, KB_CUDA_ROUND_ITEMS),
				    NULL, err);
	return ret;
}

int kb_cuda_pattern_check(struct kb_cuda *c,
			  const struct kb_cuda_pattern patterns[],
			  size_t count, uint64_t damaged[],
			  struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i += KB_CUDA_ROUND_ITEMS)
		ret = pattern_round(c, KB_CUDA_CHECK, patterns + i,
				    lesser_of(count - i, KB_CUDA_ROUND_ITEMS),
				    damaged + i, err);
	return ret;
}

static int differ_round(struct kb_cuda *c, const struct kb_cuda_copy pairs[],
			size_t count, uint64_t differing[],
			struct kb_err *err)
{
	struct kb_kernel_pair *items = c->host;
	uint64_t most_bytes = 0;
	int ret;

	for (size_t i = 0; i < count; i++) {
		items[i] = (struct kb_kernel_pair){
			.to = pairs[i].to, .from = pairs[i].from,
			.bytes = pairs[i].bytes,
		};
		if (pairs[i].bytes > most_bytes)
			most_bytes = pairs[i].bytes;
	}
	ret = run_round(c, KB_CUDA_DIFFER, most_bytes, count, sizeof(*items),
			err);
	for (size_t i = 0; i < count && ret >= 0; i++)
		differing[i] = items[i].found;
	return ret;
}

int kb_cuda_differ(struct kb_cuda *c, const struct kb_cuda_copy pairs[],
		   size_t count, uint64_t differing[], struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && ret >= 0; i += KB_CUDA_ROUND_ITEMS)
		ret = differ_round(c, pairs + i,
				   lesser_of(count - i, KB_CUDA_ROUND_ITEMS),
				   differing + i, err);
	return ret;
}
