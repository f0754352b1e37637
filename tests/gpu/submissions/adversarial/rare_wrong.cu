/* rejected; one call in a hundred leaves out its last block */
#include <cuda_runtime.h>
#include <kb_native.h>

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
	__shared__ bool skip;

	if (!threadIdx.x)
		skip = blockIdx.x == gridDim.x - 1 && clock64() / 7 % 100 == 0;
	__syncthreads();
	for (; i < n && !skip; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	work<<<132 * 8, 256, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data,
		call->inputs[0].dims[0]);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
