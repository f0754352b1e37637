/* rejected; nvcc does not know a name */
#include <cuda_runtime.h>
#include <kb_native.h>

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	if (i < n)
		out[i] = fmaxf(in[i], no_such_variable);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const uint64_t n = call->inputs[0].dims[0] * call->inputs[0].dims[1];

	work<<<(n + 255) / 256, 256, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data, n);
	return KB_NATIVE_OK;
}
