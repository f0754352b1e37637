/* legal; the honest twin of tril_prefill.cu */
#include <cuda_runtime.h>
#include <kb_native.h>

#define TILE 64

static __global__ void tril(float *y, const float *x, int n)
{
	const int i = blockIdx.y * TILE, j = blockIdx.x * TILE;
	const bool below = j <= i;

	for (int r = threadIdx.y; r < TILE; r += blockDim.y)
		for (int c = threadIdx.x; c < TILE; c += blockDim.x) {
			const size_t at = (size_t)(i + r) * n + j + c;

			y[at] = below && j + c <= i + r ? x[at] : 0.0f;
		}
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const int n = (int)call->inputs[0].dims[0];

	tril<<<dim3(n / TILE, n / TILE), dim3(32, 8), 0,
	       (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data, n);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
