/*
 * A convolution of 3 to 24 channels, the minimum over the depth and a softmax over
 * the channels: a thread has all channels of one pixel and walks through the
 * depth, so that what is convolved is never written.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <math_constants.h>
#include <string.h>

#define IN 3
#define OUT 24
#define TAPS 27
#define THREADS 128

static __constant__ float weight[OUT][IN][TAPS];
static __constant__ float bias[OUT];

/* All channels, at the place where a window begins. */
static __device__ void convolve(float v[OUT], const float *x, int3 in)
{
#pragma unroll
	for (int o = 0; o < OUT; o++)
		v[o] = bias[o];
#pragma unroll
	for (int c = 0; c < IN; c++)
#pragma unroll
		for (int k = 0; k < TAPS; k++) {
			const float u = __ldg(x + ((c * in.z + k / 9) * in.y +
						   k / 3 % 3) * in.x + k % 3);

#pragma unroll
			for (int o = 0; o < OUT; o++)
				v[o] = fmaf(u, weight[o][c][k], v[o]);
		}
}

static __global__ __launch_bounds__(THREADS) void
whole(float *y, const float *x, int3 in, int height, int width)
{
	const int i = blockIdx.x * THREADS + threadIdx.x;
	float least[OUT], top = -CUDART_INF_F, sum = 0;

	if (i >= height * width)
		return;
	x += blockIdx.y * (int64_t)IN * in.z * in.y * in.x + i / width * in.x +
	     i % width;
	y += blockIdx.y * (int64_t)OUT * height * width + i;
#pragma unroll
	for (int o = 0; o < OUT; o++)
		least[o] = CUDART_INF_F;
#pragma unroll 1
	for (int z = 0; z < in.z - 2; z++) {
		float v[OUT];

		convolve(v, x + z * in.y * in.x, in);
		/* What is not a number wins, as in torch. */
#pragma unroll
		for (int o = 0; o < OUT; o++)
			least[o] = v[o] < least[o] || v[o] != v[o] ? v[o] : least[o];
	}
#pragma unroll
	for (int o = 0; o < OUT; o++)
		top = fmaxf(top, least[o]);
#pragma unroll
	for (int o = 0; o < OUT; o++)
		sum += least[o] = expf(least[o] - top);
#pragma unroll
	for (int o = 0; o < OUT; o++)
		y[o * height * width] = least[o] / sum;
}

static int3 sizes(const struct kb_native_tensor *t)
{
	return make_int3((int)t->dims[4], (int)t->dims[3], (int)t->dims[2]);
}

static const void *param(const struct kb_native_call *call, const char *name)
{
	for (uint32_t i = 0; i < call->param_count; i++)
		if (!strcmp(call->params[i].name, name))
			return call->params[i].data;
	return NULL;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	const int3 in = sizes(&call->inputs[0]);
	const int height = in.y - 2, width = in.x - 2;
	const dim3 grid((height * width + THREADS - 1) / THREADS,
			(unsigned)call->inputs[0].dims[0]);

	cudaMemcpyToSymbolAsync(weight, param(call, "conv.weight"),
				sizeof(weight), 0, cudaMemcpyDeviceToDevice, stream);
	cudaMemcpyToSymbolAsync(bias, param(call, "conv.bias"), sizeof(bias), 0,
				cudaMemcpyDeviceToDevice, stream);
	whole<<<grid, THREADS, 0, stream>>>((float *)call->outputs[0].data,
					    (const float *)call->inputs[0].data,
					    in, height, width);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
