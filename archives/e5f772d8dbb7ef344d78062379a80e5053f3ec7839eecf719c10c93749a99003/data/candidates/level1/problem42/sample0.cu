/*
 * Overlapping max pooling of images: a thread walks down a column of outputs and
 * keeps the maxima of the last rows, so that each row of a window is looked at
 * once. The indices of maxima, which eager code writes, are not found.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <math_constants.h>

#define SIZE 4
#define PADDING 1
#define WIDTH 128			/* threads of a block, side by side */
#define STRIP 32			/* outputs of a thread, from top to bottom */

/* What is not a number wins, as in torch. */
static __device__ float larger(float a, float b)
{
	return a > b || a != a ? a : b;
}

static __device__ float row_max(const float *x, int row, int left, int height,
				int width)
{
	float best = -CUDART_INF_F;

	if (row < 0 || row >= height)
		return best;
#pragma unroll
	for (int i = 0; i < SIZE; i++)
		if (left + i >= 0 && left + i < width)
			best = larger(__ldg(x + row * width + left + i), best);
	return best;
}

static __global__ void max_pool(float *y, const float *x, int height,
				int width, int pooled_height, int pooled_width)
{
	const int column = blockIdx.x * WIDTH + threadIdx.x;
	const int first = blockIdx.y * STRIP;
	const int end = min(first + STRIP, pooled_height);
	float last[SIZE];

	x += blockIdx.z * (int64_t)height * width;
	y += blockIdx.z * (int64_t)pooled_height * pooled_width;
	if (column >= pooled_width)
		return;
	for (int i = 1; i < SIZE; i++)
		last[i] = row_max(x, first - PADDING + i - 1, column - PADDING,
				  height, width);
#pragma unroll 4
	for (int o = first; o < end; o++) {
		float best;

		for (int i = 0; i < SIZE - 1; i++)
			last[i] = last[i + 1];
		last[SIZE - 1] = row_max(x, o - PADDING + SIZE - 1,
					 column - PADDING, height, width);
		best = last[0];
		for (int i = 1; i < SIZE; i++)
			best = larger(last[i], best);
		__stcs(y + o * pooled_width + column, best);
	}
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const struct kb_native_tensor *x = &call->inputs[0];
	const int height = (int)call->outputs[0].dims[2];
	const int width = (int)call->outputs[0].dims[3];
	const dim3 grid((width + WIDTH - 1) / WIDTH, (height + STRIP - 1) / STRIP,
			(unsigned)(x->dims[0] * x->dims[1]));

	max_pool<<<grid, WIDTH, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data, (const float *)x->data,
		(int)x->dims[2], (int)x->dims[3], height, width);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
