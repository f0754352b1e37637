#include "measure/device_pools.h"

#include "base/numbers.h"
#include "device/cuda.h"
#include "measure/bench_state.h"
#include "measure/device_trial.h"
#include "source/runtime.h"

/* One part in so many of the device's memory is for a candidate's context and
 * its libraries, beside its pool. */
#define CONTEXT_SHARE 32

/* In a screen most lanes have one process and no pool: about two of eight have a
 * reference and a candidate that are compared. Where more have them and there is no
 * room for a pool, its candidate is judged alone. */
#define SCREEN_SHARES 3

static uint64_t policy_bytes(const struct kb_bench *b,
			     const struct kb_source *code)
{
	const uint64_t all = b->policy->pool_bytes;
	const uint64_t lanes = (uint64_t)b->policy->others + 1;

	if (code->runtime != KB_RUNTIME_TORCH)
		return KB_PAGE_BYTES;
	return lanes == 1 ? all :
		kb_min_u64(all / 2, all / lanes * SCREEN_SHARES);
}

uint64_t kb_pools_reference_bytes(const struct kb_bench *b)
{
	const uint64_t bytes = b->pool_bytes[KB_SIDE_REFERENCE];

	return bytes ? bytes : policy_bytes(b, &b->problem);
}

/* By what slots may still grow. Output tensors are theirs where the reference is
 * not in torch: its own and what is expected. */
static uint64_t slots_to_come_bytes(const struct kb_bench *b)
{
	const uint64_t have = kb_device_slots_bytes(&b->device_slots);
	const uint64_t outputs = b->problem.runtime == KB_RUNTIME_TORCH ?
		0 : 2 * kb_device_output_bytes(&b->plan);
	const uint64_t slot = kb_device_slot_bytes(&b->plan) + outputs;
	const uint64_t fit = slot ? b->policy->tensor_bytes_max / slot : 0;
	const uint64_t calls = kb_min_u64(kb_bench_calls_max(b),
					  kb_max_u64(fit, 1));

	return calls * slot > have ? calls * slot - have : 0;
}

static uint64_t context_bytes(const struct kb_bench *b)
{
	return kb_cuda_device(b->gpu->cuda)->memory_bytes / CONTEXT_SHARE;
}

/* Where one call takes much of the device, a candidate has a smaller pool, if
 * it is enough for what the reference takes from its pool. */
int kb_pools_candidate_bytes(uint64_t *bytes, const struct kb_bench *b,
			     const struct kb_source *code, struct kb_err *err)
{
	uint64_t free_bytes;
	int ret;

	*bytes = b->pool_bytes[KB_SIDE_CANDIDATE];
	if (*bytes)
		return 0;
	*bytes = policy_bytes(b, code);
	if (code->runtime != KB_RUNTIME_TORCH)
		return 0;
	/* A reference's that has grown. */
	*bytes = kb_max_u64(*bytes, b->pool_bytes[KB_SIDE_REFERENCE]);
	ret = kb_cuda_free_bytes(b->gpu->cuda, &free_bytes, err);
	if (ret >= 0 && free_bytes < *bytes + context_bytes(b))
		*bytes = kb_output_pool_fit(*bytes, b->pool_peak_bytes,
					    free_bytes,
					    context_bytes(b) +
						    slots_to_come_bytes(b));
	return ret;
}

int kb_pools_grow_reference(struct kb_bench *b, struct kb_err *err)
{
	const uint64_t had_bytes = b->pool.memory.bytes;
	uint64_t free_bytes;
	int ret = kb_cuda_free_bytes(b->gpu->cuda, &free_bytes, err);

	if (ret >= 0)
		b->pool_bytes[KB_SIDE_REFERENCE] = kb_output_pool_grow(
			had_bytes, free_bytes + had_bytes,
			context_bytes(b) + slots_to_come_bytes(b), 2);
	return ret;
}

int kb_pools_grow_candidate(struct kb_bench *b, uint64_t had_bytes,
			    uint64_t beside_bytes, struct kb_err *err)
{
	const uint64_t spare_bytes =
		context_bytes(b) + slots_to_come_bytes(b) + beside_bytes;
	uint64_t free_bytes;
	int ret = kb_cuda_free_bytes(b->gpu->cuda, &free_bytes, err);

	if (ret >= 0)
		b->pool_bytes[KB_SIDE_CANDIDATE] = kb_output_pool_grow(
			had_bytes, free_bytes, spare_bytes, 1);
	return ret;
}

int64_t kb_pools_told_bytes(const struct kb_bench *b,
			    const struct kb_source *code,
			    const struct kb_output_pool *pool)
{
	const uint64_t bytes = pool->memory.bytes;

	/* A last page is whole. What is beside a candidate in a screen is no
	 * fact of its own. */
	if (code->runtime != KB_RUNTIME_TORCH || b->policy->others ||
	    (bytes >= b->policy->pool_bytes &&
	     bytes - b->policy->pool_bytes < KB_PAGE_BYTES))
		return 0;
	return (int64_t)bytes;
}
