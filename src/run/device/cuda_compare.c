/* The comparison of outputs on the device. */

#include "device/cuda_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/err.h"

static enum kb_cuda_kernel compare_kernel(uint32_t dtype)
{
	switch (dtype) {
	case KB_FLOAT64:
		return KB_CUDA_COMPARE_FLOAT64;
	case KB_FLOAT32:
		return KB_CUDA_COMPARE_FLOAT32;
	case KB_FLOAT16:
		return KB_CUDA_COMPARE_FLOAT16;
	case KB_BFLOAT16:
		return KB_CUDA_COMPARE_BFLOAT16;
	case KB_FLOAT8_E4M3FN:
		return KB_CUDA_COMPARE_FLOAT8_E4M3FN;
	case KB_FLOAT8_E5M2:
		return KB_CUDA_COMPARE_FLOAT8_E5M2;
	default:
		return KB_CUDA_COMPARE_INTEGERS;
	}
}

static struct kb_kernel_comparison
comparison_item(const struct kb_cuda_comparison *from, uint64_t first_partial)
{
	const uint64_t bytes = from->count * kb_dtype_size_bytes(from->dtype);

	return (struct kb_kernel_comparison){
		.candidate = from->candidate,
		.expected = from->expected,
		.count = from->count,
		.atol = from->tolerance.atol,
		.rtol = from->tolerance.rtol,
		.of_tensor = from->of_tensor,
		.first_partial = first_partial,
		.dtype = from->dtype,
		.shares = kb_kernel_shares(bytes),
	};
}

/* Sorted by kernel. Returns how many partials there will be. */
static uint64_t put_items(struct kb_cuda_comparing *x,
			  const struct kb_cuda_comparison from[], size_t count)
{
	struct kb_kernel_comparison *items = x->items.host;
	uint64_t partials = 0;

	x->count = 0;
	for (int kernel = 0; kernel < KB_CUDA_KERNEL_COUNT; kernel++) {
		for (size_t i = 0; i < count; i++) {
			if ((int)compare_kernel(from[i].dtype) != kernel)
				continue;
			items[x->count] = comparison_item(&from[i], partials);
			partials += items[x->count].shares;
			x->order[x->count++] = i;
		}
	}
	return partials;
}

static int make_room_for_partials(struct kb_cuda *c, uint64_t partials,
				  struct kb_err *err)
{
	struct kb_cuda_comparing *x = &c->comparing;
	int ret;

	if (partials <= x->partials_capacity)
		return 0;
	if (x->partials)
		(void)c->api->MemFree(x->partials);
	x->partials = 0;
	x->partials_capacity = 0;
	ret = kb_cuda_reserve(c, &x->partials,
			      2 * partials * sizeof(struct kb_kernel_partial),
			      "partial results", err);
	if (ret >= 0)
		x->partials_capacity = 2 * partials;
	return ret;
}

int kb_cuda_compare_prepare(struct kb_cuda *c,
			    const struct kb_cuda_comparison comparisons[],
			    size_t count, struct kb_err *err)
{
	struct kb_cuda_comparing *x = &c->comparing;
	const size_t bytes = count * sizeof(struct kb_kernel_comparison);
	kb_cu_result result;
	int ret = kb_cuda_list_reserve(c, &x->items, bytes, err);

	if (ret < 0)
		return ret;
	x->order = kb_xreallocarray(x->order, count + 1, sizeof(*x->order));
	ret = make_room_for_partials(c, put_items(x, comparisons, count), err);
	if (ret < 0 || !count)
		return ret;
	/* Not on the stream of all work, which may be held. */
	result = c->api->MemcpyHtoDAsync(x->items.device, x->items.host, bytes,
					 c->uploads);
	if (result == KB_CU_SUCCESS)
		result = c->api->StreamSynchronize(c->uploads);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy to the CUDA device");
	return 0;
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* An order of `shares` that nobody knows. */
static int draw_order(struct kb_kernel_comparing *k, struct kb_err *err)
{
	uint64_t random[2];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return kb_err_sys(err, "cannot draw random bytes");
	k->offset = random[0] % k->shares;
	k->multiplier = random[1] % k->shares;
	/* Only a multiplier that has no divisor in common with the number of
	 * shares reaches each share once. */
	while (greatest_common_divisor(k->multiplier, k->shares) != 1)
		k->multiplier = (k->multiplier + 1) % k->shares;
	return 0;
}

/* One launch for all items from number `first` on that take one kernel.
 * Returns how many those are. */
static int launch_kind(struct kb_cuda *c, size_t first, struct kb_err *err)
{
	const struct kb_cuda_comparing *x = &c->comparing;
	const struct kb_kernel_comparison *items = x->items.host;
	const enum kb_cuda_kernel kernel = compare_kernel(items[first].dtype);
	struct kb_kernel_comparing k = {
		.items = x->items.device + first * sizeof(*items),
		.partials = x->partials,
	};
	size_t end = first;
	int ret;

	for (; end < x->count && compare_kernel(items[end].dtype) == kernel;
	     end++)
		k.shares += items[end].shares;
	k.count = end - first;
	ret = draw_order(&k, err);
	if (ret >= 0)
		ret = kb_cuda_launch(c, kernel, k.shares, 1, &k, err);
	return ret < 0 ? ret : (int)k.count;
}

/* The largest values, which tolerances of tensors are relative to. */
static int launch_largest(struct kb_cuda *c, struct kb_err *err)
{
	const struct kb_cuda_comparing *x = &c->comparing;
	const struct kb_kernel_comparison *items = x->items.host;
	const struct kb_kernel_batch batch = { .items = x->items.device };
	uint64_t most_bytes = 0;

	for (size_t i = 0; i < x->count; i++) {
		const uint64_t bytes = items[i].count *
			kb_dtype_size_bytes((enum kb_dtype)items[i].dtype);

		if (items[i].of_tensor && bytes > most_bytes)
			most_bytes = bytes;
	}
	if (!most_bytes)
		return 0;
	return kb_cuda_launch(c, KB_CUDA_LARGEST,
			      kb_cuda_blocks_for(most_bytes, x->count),
			      x->count, &batch, err);
}

int kb_cuda_compare_submit(struct kb_cuda *c, struct kb_err *err)
{
	const struct kb_cuda_comparing *x = &c->comparing;
	const struct kb_kernel_comparing k = {
		.items = x->items.device, .partials = x->partials,
		.count = x->count,
	};
	kb_cu_result result;
	int ret = launch_largest(c, err);

	for (size_t i = 0; i < x->count && ret >= 0; i += (size_t)ret)
		ret = launch_kind(c, i, err);
	if (ret < 0 || !x->count)
		return ret < 0 ? ret : 0;
	ret = kb_cuda_launch(c, KB_CUDA_REDUCE, x->count, 1, &k, err);
	if (ret < 0)
		return ret;
	result = c->api->MemcpyDtoHAsync(
		x->items.host, x->items.device,
		x->count * sizeof(struct kb_kernel_comparison), c->stream);
	if (result != KB_CU_SUCCESS)
		return kb_cuda_err(err, c->api, result,
				   "copy from the CUDA device");
	return 0;
}

static struct kb_compare_result
comparison_result(const struct kb_kernel_comparison *item)
{
	const struct kb_kernel_partial *r = &item->result;

	return (struct kb_compare_result){
		.elements = item->count,
		.mismatched = r->mismatched,
		.not_finite = r->not_finite,
		.first_mismatch = r->mismatched ? r->first_mismatch :
			item->count,
		.max_abs_error = r->max_abs_error,
		.max_rel_error = r->max_rel_error,
		.rms_error = item->count ?
			sqrt(r->square_sum / (double)item->count) : 0,
	};
}

int kb_cuda_compare_finish(struct kb_cuda *c,
			   struct kb_compare_result results[],
			   struct kb_err *err)
{
	const struct kb_cuda_comparing *x = &c->comparing;
	const struct kb_kernel_comparison *items = x->items.host;
	int ret = kb_cuda_wait(c, err);

	for (size_t i = 0; i < x->count && ret >= 0; i++)
		results[x->order[i]] = comparison_result(&items[i]);
	return ret;
}

int kb_cuda_compare(struct kb_cuda *c,
		    const struct kb_cuda_comparison comparisons[],
		    size_t count, struct kb_compare_result results[],
		    struct kb_err *err)
{
	int ret = kb_cuda_compare_prepare(c, comparisons, count, err);

	if (ret >= 0)
		ret = kb_cuda_compare_submit(c, err);
	return ret < 0 ? ret : kb_cuda_compare_finish(c, results, err);
}

void kb_cuda_compare_close(struct kb_cuda *c)
{
	struct kb_cuda_comparing *x = &c->comparing;

	if (x->partials)
		(void)c->api->MemFree(x->partials);
	kb_cuda_list_release(c, &x->items);
	free(x->order);
}
