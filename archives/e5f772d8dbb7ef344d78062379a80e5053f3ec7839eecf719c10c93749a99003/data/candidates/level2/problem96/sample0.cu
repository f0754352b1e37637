/*
 * A transposed convolution of 3 to 16 channels and all that follows it, in
 * registers: nothing of 16 channels is ever written. A thread has the eight
 * outputs whose windows begin at one input, which are what is pooled to one, and
 * sees each of their inputs once.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <math_constants.h>
#include <string.h>

#define IN 3
#define OUT 16
#define TAPS 27
#define SCALE 0.5f
#define THREADS 128

static __constant__ float weight[IN][OUT][TAPS];
static __constant__ float conv_bias[OUT];

struct cell {
	float x[IN][2][2][2];
};

static __device__ float at(const float *x, int c, int z, int h, int w, int3 in)
{
	if (z >= in.z || h >= in.y || w >= in.x)
		return 0;
	return __ldg(x + ((c * in.z + z) * in.y + h) * in.x + w);
}

static __device__ struct cell load(const float *x, int z, int h, int w, int3 in)
{
	struct cell cell;

#pragma unroll
	for (int c = 0; c < IN; c++)
#pragma unroll
		for (int i = 0; i < 8; i++)
			cell.x[c][i / 4][i / 2 % 2][i % 2] =
				at(x, c, z + i / 4, h + i / 2 % 2, w + i % 2, in);
	return cell;
}

/*
 * Of one axis with stride 2 and padding 1: output 2i is made from input i by tap
 * 1, output 2i + 1 from input i by tap 2 and from input i + 1 by tap 0.
 */
static __device__ constexpr bool uses(int odd, int tap)
{
	return odd ? tap != 1 : tap == 1;
}

static __device__ constexpr int source(int tap)
{
	return tap == 0;
}

static __device__ float convolve(const struct cell &cell, int out, int odd_z,
				 int odd_h, int odd_w)
{
	float sum = conv_bias[out];

#pragma unroll
	for (int c = 0; c < IN; c++)
#pragma unroll
		for (int k = 0; k < TAPS; k++)
			if (uses(odd_z, k / 9) && uses(odd_h, k / 3 % 3) &&
			    uses(odd_w, k % 3))
				sum = fmaf(cell.x[c][source(k / 9)][source(k / 3 % 3)]
						 [source(k % 3)],
					   weight[c][out][k], sum);
	return sum;
}

/* The largest of the eight outputs: their pooling. */
static __device__ float pooled(const struct cell &cell, int out)
{
	float best = -CUDART_INF_F;

#pragma unroll
	for (int odd = 0; odd < 8; odd++) {
		const float v = SCALE * convolve(cell, out, odd / 4,
						 odd / 2 % 2, odd % 2);

		/* What is not a number wins, as in torch. */
		best = v > best || v != v ? v : best;
	}
	return best;
}

static __device__ float over_warp(float v)
{
	for (int i = 16; i; i /= 2)
		v += __shfl_xor_sync(~0u, v, i);
	return v;
}

/* The sums over a block's outputs, of each channel. */
static __global__ __launch_bounds__(THREADS) void
partial_sums(float *sums, const float *x, int3 in, int3 pooled_size)
{
	__shared__ float each[OUT][THREADS / 32];
	const int i = blockIdx.x * THREADS + threadIdx.x;
	const int w = i % pooled_size.x, h = i / pooled_size.x % pooled_size.y;
	const int z = i / pooled_size.x / pooled_size.y;
	const struct cell cell = load(x + blockIdx.y * (int64_t)IN * in.z * in.y *
					      in.x, z, h, w, in);

#pragma unroll
	for (int o = 0; o < OUT; o++) {
		const float v = over_warp(z < pooled_size.z ? pooled(cell, o) : 0);

		if (threadIdx.x % 32 == 0)
			each[o][threadIdx.x / 32] = v;
	}
	__syncthreads();
	if (threadIdx.x < OUT) {
		float sum = 0;

		for (int k = 0; k < THREADS / 32; k++)
			sum += each[threadIdx.x][k];
		sums[(blockIdx.y * gridDim.x + blockIdx.x) * OUT + threadIdx.x] = sum;
	}
}

static __global__ void finish(float *y, const float *sums, int blocks, int count)
{
	const int o = threadIdx.x;
	float sum = 0;

	for (int i = 0; i < blocks; i++)
		sum += sums[(blockIdx.x * blocks + i) * OUT + o];
	sum /= count;
	/* Comparisons keep what is not a number. */
	sum = sum < 0 ? 0 : sum;
	y[blockIdx.x * OUT + o] = sum > 1 ? 1 : sum;
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
	static float *sums;		/* kept: the sizes are always the same */
	const cudaStream_t stream = (cudaStream_t)call->stream;
	const int batch = (int)call->inputs[0].dims[0];
	const int3 in = sizes(&call->inputs[0]);
	const int3 out = make_int3(in.x - 1, in.y - 1, in.z - 1);
	const int count = out.x * out.y * out.z;
	const int blocks = (count + THREADS - 1) / THREADS;

	if (!sums && cudaMalloc(&sums, sizeof(float) * batch * blocks * OUT))
		return KB_NATIVE_NO_MEMORY;
	cudaMemcpyToSymbolAsync(weight, param(call, "conv_transpose.weight"),
				sizeof(weight), 0, cudaMemcpyDeviceToDevice, stream);
	cudaMemcpyToSymbolAsync(conv_bias, param(call, "conv_transpose.bias"),
				sizeof(conv_bias), 0, cudaMemcpyDeviceToDevice,
				stream);
	partial_sums<<<dim3(blocks, batch), THREADS, 0, stream>>>(
		sums, (const float *)call->inputs[0].data, in, out);
	finish<<<batch, OUT, 0, stream>>>((float *)call->outputs[0].data, sums,
					  blocks, count);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
