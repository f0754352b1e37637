/* out of memory: takes all device memory in its first call, so that there is none
 * for the outputs of a larger batch, or for the reference */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <stdio.h>

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = fmaxf(in[i], 0.0f);
}

static void take_all(void)
{
	size_t taken = 0;
	void *p;

	for (size_t bytes = (size_t)8 << 30; bytes >= 1 << 20; bytes /= 2)
		while (cudaMalloc(&p, bytes) == cudaSuccess)
			taken += bytes;
	cudaGetLastError();
	printf("took %zu MiB\n", taken >> 20);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const struct kb_native_tensor *x = &call->inputs[0];
	static bool has_all;
	uint64_t n = 1;

	if (!has_all)
		take_all();
	has_all = true;
	for (uint32_t i = 0; i < x->ndim; i++)
		n *= x->dims[i];
	work<<<132 * 8, 256, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data, (const float *)x->data, n);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
