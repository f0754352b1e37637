#include <kb_native.h>

static __global__ void swish(const float *x, float *y, uint64_t n)
{
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = 1.5f * x[i] / (1.0f + __expf(-x[i]));
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const float *x = (const float *)call->inputs[0].data;
	float *y = (float *)call->outputs[0].data;
	uint64_t n = 1;

	for (uint32_t i = 0; i < call->inputs[0].ndim; i++)
		n *= call->inputs[0].dims[i];
	swish<<<(unsigned)((n + 255) / 256), 256, 0,
		(cudaStream_t)call->stream>>>(x, y, n);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
