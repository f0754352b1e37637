/*
 * Strided, dilated max pooling of volumes, a thread for each output, without the
 * indices of the maxima, which eager code writes beside them.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <math_constants.h>

#define SIZE 3
#define STRIDE 2
#define PADDING 1
#define DILATION 3
#define WIDTH 64
#define HEIGHT 4

/* What is not a number wins, as in torch. */
static __device__ float larger(float a, float b)
{
	return a > b || a != a ? a : b;
}

static __global__ void max_pool(float *y, const float *x, int3 in, int3 out)
{
	const int w = blockIdx.x % ((out.x + WIDTH - 1) / WIDTH) * WIDTH +
		      threadIdx.x;
	const int h = blockIdx.x / ((out.x + WIDTH - 1) / WIDTH) * HEIGHT +
		      threadIdx.y;
	const int d = blockIdx.y;
	float best = -CUDART_INF_F;

	x += blockIdx.z * (int64_t)in.z * in.y * in.x;
	y += blockIdx.z * (int64_t)out.z * out.y * out.x;
	if (w >= out.x || h >= out.y)
		return;
#pragma unroll
	for (int i = 0; i < SIZE; i++) {
		const int z = d * STRIDE - PADDING + i * DILATION;

		if (z < 0 || z >= in.z)
			continue;
#pragma unroll
		for (int j = 0; j < SIZE; j++) {
			const int row = h * STRIDE - PADDING + j * DILATION;

			if (row < 0 || row >= in.y)
				continue;
#pragma unroll
			for (int k = 0; k < SIZE; k++) {
				const int c = w * STRIDE - PADDING + k * DILATION;

				if (c >= 0 && c < in.x)
					best = larger(__ldg(x + (z * in.y + row) *
							    in.x + c), best);
			}
		}
	}
	y[(d * out.y + h) * out.x + w] = best;
}

static int3 sizes(const struct kb_native_tensor *t)
{
	return make_int3((int)t->dims[4], (int)t->dims[3], (int)t->dims[2]);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const struct kb_native_tensor *x = &call->inputs[0];
	const int3 out = sizes(&call->outputs[0]);
	const dim3 grid((out.x + WIDTH - 1) / WIDTH * ((out.y + HEIGHT - 1) / HEIGHT),
			out.z, (unsigned)(x->dims[0] * x->dims[1]));

	max_pool<<<grid, dim3(WIDTH, HEIGHT), 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data, (const float *)x->data,
		sizes(x), out);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
