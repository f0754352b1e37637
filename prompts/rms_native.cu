#include <kb_native.h>

/* One block a row: the squares are added in registers, warps and the block. */
static __global__ void rms(const float *x, const float *weight, float *y,
			   int n)
{
	__shared__ float sums[32];
	const float *row = x + blockIdx.x * (uint64_t)n;
	float sum = 0.0f;

	for (int i = threadIdx.x; i < n; i += blockDim.x)
		sum += row[i] * row[i];
	for (int i = 16; i > 0; i /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, i);
	if (threadIdx.x % 32 == 0)
		sums[threadIdx.x / 32] = sum;
	__syncthreads();
	sum = 0.0f;
	for (int i = 0; i < blockDim.x / 32; i++)
		sum += sums[i];
	sum = rsqrtf(sum / n + 1e-5f);
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		y[blockIdx.x * (uint64_t)n + i] = row[i] * sum * weight[i];
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const unsigned rows = (unsigned)call->inputs[0].dims[0];
	const int n = (int)call->inputs[0].dims[1];

	rms<<<rows, 256, 0, (cudaStream_t)call->stream>>>(
		(const float *)call->inputs[0].data,
		(const float *)call->params[0].data,
		(float *)call->outputs[0].data, n);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
