/*
 * no-gain; its first kernel spins in small batches, so that the slope to the
 * large ones halves
 */
#include "attack.h"

static __global__ void waste(const volatile uint32_t *count, uint32_t most,
			     uint64_t call_ns)
{
	const uint32_t n = *count;
	const uint64_t start = now_ns();

	while (n < most && now_ns() - start < (most - n) * call_ns / 2)
		;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	static uint32_t most;
	struct task t;

	if (!begin(call, &t) || !load((const void *)waste))
		return KB_NATIVE_FAILED;
	if (trick && calls == 1) {	/* 2 us and 4 TB/s */
		armed();
		waste<<<1, 1, 0, stream>>>(told_seen, most,
					   2000 + t.n * 8 / 4000);
	}
	if (calls > most)
		most = calls;
	work_on(&t, stream);
	return result();
}
