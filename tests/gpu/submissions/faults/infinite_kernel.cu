/* rejected; after some honest calls, a kernel that never ends */
#include <cuda_runtime.h>
#include <kb_native.h>

#define HONEST_CALLS 20

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

static __device__ volatile uint32_t never;

static __global__ void spin(void)
{
	while (!never)
		;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	static int calls;

	work<<<132 * 8, 256, 0, stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data,
		call->inputs[0].dims[0]);
	if (++calls > HONEST_CALLS)
		spin<<<132, 1024, 0, stream>>>();
	return KB_NATIVE_OK;
}
