#include "measure/device_headroom.h"

#include <time.h>

#include "base/clock.h"
#include "base/pause.h"
#include "cuda/patience.h"
#include "device/cuda.h"
#include "measure/bench_state.h"
#include "worker/slots.h"

static uint64_t own_bytes(const struct kb_bench *b,
			  const struct kb_output_pool *pool)
{
	/* The bytes on one device, since the free bytes are of one device. */
	return kb_device_slots_bytes(&b->device_slots) /
		       kb_plan_ranks(&b->plan) +
	       (pool ? pool->memory.bytes : 0);
}

int kb_device_headroom_note(struct kb_device_headroom *r, const struct kb_bench *b,
			const struct kb_output_pool *pool, struct kb_err *err)
{
	r->own_bytes = own_bytes(b, pool);
	return kb_cuda_free_bytes(b->gpu->cuda, &r->free_bytes, err);
}

int kb_device_headroom_look(struct kb_device_taken *out,
			const struct kb_device_headroom *r,
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

int kb_device_headroom_await(const struct kb_device_headroom *r,
			 const struct kb_bench *b, struct kb_err *err)
{
	const uint64_t grace_bytes = kb_cuda_device(b->gpu->cuda)->memory_bytes /
				     KB_GIVEN_BACK_SHARE;
	const int64_t deadline_ns = kb_awake_ns() + kb_patience.give_back_ns;
	const struct timespec moment = { .tv_nsec = 20 * KB_NS_PER_MS };
	struct kb_device_taken left;
	int ret;

	while ((ret = kb_device_headroom_look(&left, r, b, NULL, err)) >= 0) {
		if (left.taken_bytes <= grace_bytes)
			return 1;
		if (kb_awake_ns() >= deadline_ns)
			return 0;
		kb_pause_begin();
		(void)nanosleep(&moment, NULL);
		kb_pause_look();
	}
	return ret;
}
