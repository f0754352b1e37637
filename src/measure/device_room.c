#include "measure/device_room.h"

#include "device/cuda.h"
#include "measure/bench_state.h"

static uint64_t own_bytes(const struct kb_bench *b,
			  const struct kb_output_pool *pool)
{
	return kb_device_slots_bytes(&b->device_slots) +
	       (pool ? pool->memory.bytes : 0);
}

int kb_device_room_note(struct kb_device_room *r, const struct kb_bench *b,
			const struct kb_output_pool *pool, struct kb_err *err)
{
	r->own_bytes = own_bytes(b, pool);
	return kb_cuda_free_bytes(b->gpu->cuda, &r->free_bytes, err);
}

int kb_device_room_look(struct kb_device_taken *out,
			const struct kb_device_room *r,
			const struct kb_bench *b,
			const struct kb_output_pool *pool, struct kb_err *err)
{
	const uint64_t had = r->free_bytes + r->own_bytes;
	uint64_t has;
	int ret = kb_cuda_free_bytes(b->gpu->cuda, &out->free_bytes, err);

	if (ret < 0)
		return ret;
	has = out->free_bytes + own_bytes(b, pool);
	out->taken_bytes = had > has ? had - has : 0;
	return 0;
}
