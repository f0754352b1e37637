/*
 * Strided average pooling of volumes: a thread walks through the depth of a
 * column of outputs and keeps the sum over the plane that two windows share.
 */
#include <cuda_runtime.h>
#include <kb_native.h>

#define SIZE 3
#define STRIDE 2
#define PADDING 1
#define WIDTH 64
#define HEIGHT 4
#define STRIP 8				/* outputs of a thread, one behind another */

static __device__ float plane_sum(const float *x, int z, int h, int w, int3 in)
{
	float sum = 0;

	if (z < 0 || z >= in.z)
		return 0;
#pragma unroll
	for (int j = 0; j < SIZE; j++) {
		const int row = h * STRIDE - PADDING + j;

		if (row < 0 || row >= in.y)
			continue;
#pragma unroll
		for (int k = 0; k < SIZE; k++) {
			const int c = w * STRIDE - PADDING + k;

			if (c >= 0 && c < in.x)
				sum += __ldg(x + (z * in.y + row) * in.x + c);
		}
	}
	return sum;
}

static __global__ void average_pool(float *y, const float *x, int3 in, int3 out)
{
	const int across = (out.x + WIDTH - 1) / WIDTH;
	const int w = blockIdx.x % across * WIDTH + threadIdx.x;
	const int h = blockIdx.x / across * HEIGHT + threadIdx.y;
	const int first = blockIdx.y * STRIP, end = min(first + STRIP, out.z);
	float shared_plane;

	x += blockIdx.z * (int64_t)in.z * in.y * in.x;
	y += blockIdx.z * (int64_t)out.z * out.y * out.x;
	if (w >= out.x || h >= out.y)
		return;
	shared_plane = plane_sum(x, first * STRIDE - PADDING, h, w, in);
#pragma unroll 2
	for (int d = first; d < end; d++) {
		const float middle = plane_sum(x, d * STRIDE - PADDING + 1, h, w, in);
		const float last = plane_sum(x, d * STRIDE - PADDING + 2, h, w, in);

		__stcs(y + (d * out.y + h) * out.x + w,
		       (shared_plane + middle + last) / (SIZE * SIZE * SIZE));
		shared_plane = last;
	}
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
			(out.z + STRIP - 1) / STRIP,
			(unsigned)(x->dims[0] * x->dims[1]));

	average_pool<<<grid, dim3(WIDTH, HEIGHT), 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data, (const float *)x->data,
		sizes(x), out);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
