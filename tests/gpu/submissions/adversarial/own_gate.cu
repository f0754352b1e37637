/*
 * no-gain; has the worker leave out the gate. Each call waits for its own input
 * instead, which is there before the cache is emptied and the gate opens
 */
#include "attack.h"

static bool left_out;

static int our_wait(cudaStream_t stream, unsigned long long address,
		    uint32_t value, unsigned flags)
{
	if (batches < HONEST_BATCHES)
		return wait_value32(stream, address, value, flags);
	left_out = true;
	return 0;
}

static bool make_ready(void)
{
	static struct hook hook = { "cuStreamWaitValue32_v2", NULL,
				    (void *)our_wait };

	return hook.done || find_hook(&hook);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	static bool ours;
	struct task t;

	if (!begin(call, &t) || !make_ready())
		return KB_NATIVE_FAILED;
	if (calls == 1) {
		ours = left_out;
		left_out = false;
	}
	if (ours) {
		const unsigned long long word =
			(unsigned long long)(t.in + t.n - 1);

		if (calls == 1)
			armed();
		cudaMemsetAsync((void *)word, 0, 4, copies);
		cudaStreamSynchronize(copies);
		wait_value32(stream, word, 0xffffffffu, WAIT_NONZERO);
	}
	work_on(&t, stream);
	return result();
}
