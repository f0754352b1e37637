/* legal; native code for a problem in torch */
#include <cuda_runtime.h>
#include <kb_native.h>

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = fmaxf(in[i], 0.0f);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const struct kb_native_tensor *x = &call->inputs[0];
	uint64_t n = 1;

	for (uint32_t i = 0; i < x->ndim; i++)
		n *= x->dims[i];
	work<<<132 * 8, 256, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data, (const float *)x->data, n);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
