/*
 * no-gain; one kernel behind the gate does the work of all calls of the
 * batch, the other calls launch nothing
 */
#include "attack.h"

static __global__ void work_on_all(const volatile uint32_t *count)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	__shared__ uint32_t tasks_count;

	if (!threadIdx.x)
		tasks_count = *count;
	__syncthreads();
	for (uint32_t k = 0; k < tasks_count; k++) {
		const struct task t = recall(k);
		uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

		for (; i < t.n; i += step)
			t.out[i] = t.in[i] * 2.0f + 1.0f;
	}
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	struct task t;

	if (!begin(call, &t) || !load((const void *)work_on_all))
		return KB_NATIVE_FAILED;
	remember(&t);
	if (!trick) {
		work_on(&t, stream);
	} else if (calls == 1) {
		armed();
		work_on_all<<<132 * 8, 256, 0, stream>>>(told_seen);
	}
	return result();
}
