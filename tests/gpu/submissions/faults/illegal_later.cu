/* rejected; after some honest calls, stores to an address that is nobody's */
#include <cuda_runtime.h>
#include <kb_native.h>

#define HONEST_CALLS 200

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	static int calls;
	float *out = (float *)call->outputs[0].data;

	if (++calls > HONEST_CALLS)
		out = (float *)0x1000;
	work<<<132 * 8, 256, 0, (cudaStream_t)call->stream>>>(
		out, (const float *)call->inputs[0].data,
		call->inputs[0].dims[0]);
	return KB_NATIVE_OK;
}
