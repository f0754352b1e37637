/*
 * A transposed convolution of stride 2 whose outputs are averaged two by two is
 * a convolution of stride 1 with two taps an axis: output 2i comes from input i by
 * tap 1, output 2i + 1 from input i by tap 2 and from input i + 1 by tap 0. The
 * taps are folded in each call, by each block, and an eighth of the outputs
 * computed. That is so for all inputs and weights.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <string.h>

#define IN 3
#define OUT 16
#define TAPS 27
#define CORNERS 8
#define THREADS 256

struct weights {
	const float *weight;		/* IN, OUT, TAPS */
	const float *conv_bias, *bias;	/* OUT */
	const float *scale1, *scale2;	/* one number */
};

/* By what an input at that corner, 0 or 1 along each axis, is multiplied. */
static __device__ float folded(const float *taps, int corner)
{
	float sum = 0;

	for (int k = 0; k < TAPS; k++)
		if ((k / 9 == 0) == corner / 4 &&
		    (k / 3 % 3 == 0) == corner / 2 % 2 && (k % 3 == 0) == corner % 2)
			sum += taps[k];
	return sum / CORNERS;
}

static __global__ __launch_bounds__(THREADS) void
convolve(float *y, const float *x, struct weights from, int3 in, int3 out)
{
	__shared__ float weight[IN][CORNERS][OUT], bias[OUT];
	const int i = blockIdx.x * THREADS + threadIdx.x;
	const int w = i % out.x, h = i / out.x % out.y, z = i / out.x / out.y;
	const int volume = out.x * out.y * out.z;
	float sum[OUT];

	for (int k = threadIdx.x; k < IN * CORNERS * OUT; k += THREADS) {
		const int o = k % OUT, corner = k / OUT % CORNERS;
		const int c = k / OUT / CORNERS;

		weight[c][corner][o] = *from.scale1 * *from.scale2 *
			folded(from.weight + (c * OUT + o) * TAPS, corner);
	}
	if (threadIdx.x < OUT)
		bias[threadIdx.x] = (from.conv_bias[threadIdx.x] * *from.scale1 +
				     from.bias[threadIdx.x]) * *from.scale2;
	__syncthreads();
	if (z >= out.z)
		return;
	x += blockIdx.y * (int64_t)IN * in.x * in.y * in.z;
	y += blockIdx.y * (int64_t)OUT * volume;
	for (int o = 0; o < OUT; o++)
		sum[o] = bias[o];
#pragma unroll
	for (int c = 0; c < IN; c++)
#pragma unroll
		for (int k = 0; k < CORNERS; k++) {
			const float v = __ldg(x + ((c * in.z + z + k / 4) * in.y +
						   h + k / 2 % 2) * in.x + w + k % 2);

			for (int o = 0; o < OUT; o++)
				sum[o] = fmaf(v, weight[c][k][o], sum[o]);
		}
	for (int o = 0; o < OUT; o++)
		__stcs(y + o * volume + i, sum[o]);
}

static int3 sizes(const struct kb_native_tensor *t)
{
	return make_int3((int)t->dims[4], (int)t->dims[3], (int)t->dims[2]);
}

static const float *param(const struct kb_native_call *call, const char *name)
{
	for (uint32_t i = 0; i < call->param_count; i++)
		if (!strcmp(call->params[i].name, name))
			return (const float *)call->params[i].data;
	return NULL;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const struct weights from = {
		param(call, "conv_transpose.weight"),
		param(call, "conv_transpose.bias"), param(call, "bias"),
		param(call, "scale1"), param(call, "scale2"),
	};
	const int3 out = sizes(&call->outputs[0]);
	const dim3 grid((out.x * out.y * out.z + THREADS - 1) / THREADS,
			(unsigned)call->inputs[0].dims[0]);

	convolve<<<grid, THREADS, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data, from,
		sizes(&call->inputs[0]), out);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
