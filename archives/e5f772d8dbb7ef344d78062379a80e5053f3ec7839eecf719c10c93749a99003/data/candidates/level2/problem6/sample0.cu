/*
 * A convolution of 3 to 16 channels, softmax over the channels and max pooling by
 * four along each axis, which is what pooling by two does twice: the 64 threads of
 * a block have a voxel each of what is pooled to one.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <math_constants.h>
#include <string.h>

#define IN 3
#define OUT 16
#define TAPS 27
#define POOL 4
#define THREADS (POOL * POOL * POOL)

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

static __device__ void softmax(float v[OUT])
{
	float top = -CUDART_INF_F, sum = 0;

#pragma unroll
	for (int o = 0; o < OUT; o++)
		top = fmaxf(top, v[o]);
#pragma unroll
	for (int o = 0; o < OUT; o++)
		sum += v[o] = expf(v[o] - top);
#pragma unroll
	for (int o = 0; o < OUT; o++)
		v[o] /= sum;
}

/* What is not a number wins, as in torch. */
static __device__ float larger(float a, float b)
{
	return a > b || a != a ? a : b;
}

static __global__ __launch_bounds__(THREADS) void
whole(float *y, const float *x, int3 in, int3 out)
{
	__shared__ float halves[2][OUT];
	const int i = blockIdx.x, t = threadIdx.x;
	const int w = i % out.x * POOL + t % POOL;
	const int h = i / out.x % out.y * POOL + t / POOL % POOL;
	const int z = i / out.x / out.y * POOL + t / POOL / POOL;
	const int volume = out.x * out.y * out.z;
	float v[OUT];

	x += blockIdx.y * (int64_t)IN * in.z * in.y * in.x;
	convolve(v, x + (z * in.y + h) * in.x + w, in);
	softmax(v);
#pragma unroll
	for (int o = 0; o < OUT; o++) {
		for (int k = 16; k; k /= 2)
			v[o] = larger(v[o], __shfl_xor_sync(~0u, v[o], k));
		if (t % 32 == 0)
			halves[t / 32][o] = v[o];
	}
	__syncthreads();
	if (t < OUT)
		y[(blockIdx.y * (int64_t)OUT + t) * volume + i] =
			larger(halves[0][t], halves[1][t]);
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
	const int3 out = sizes(&call->outputs[0]);
	const dim3 grid(out.x * out.y * out.z, (unsigned)call->inputs[0].dims[0]);

	cudaMemcpyToSymbolAsync(weight, param(call, "conv.weight"),
				sizeof(weight), 0, cudaMemcpyDeviceToDevice, stream);
	cudaMemcpyToSymbolAsync(bias, param(call, "conv.bias"), sizeof(bias), 0,
				cudaMemcpyDeviceToDevice, stream);
	whole<<<grid, THREADS, 0, stream>>>((float *)call->outputs[0].data,
					    (const float *)call->inputs[0].data,
					    in, out);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
