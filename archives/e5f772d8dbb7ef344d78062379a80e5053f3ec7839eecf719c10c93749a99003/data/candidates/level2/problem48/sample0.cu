/*
 * A convolution of 3 to 16 channels and what is done to each of its elements: a
 * thread has all channels of one voxel, and writes what comes out in the end.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <string.h>

#define IN 3
#define OUT 16
#define TAPS 27
#define THREADS 128

static __constant__ float weight[OUT][IN][TAPS];
static __constant__ float bias[OUT];
static __constant__ float scale[OUT], factor[OUT];

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
whole(float *y, const float *x, int3 in, int3 out)
{
	const int volume = out.x * out.y * out.z;
	const int i = blockIdx.x * THREADS + threadIdx.x;
	const int w = i % out.x, h = i / out.x % out.y, z = i / out.x / out.y;
	float v[OUT];

	if (i >= volume)
		return;
	x += blockIdx.y * (int64_t)IN * in.z * in.y * in.x;
	y += blockIdx.y * (int64_t)OUT * volume + i;
	convolve(v, x + (z * in.y + h) * in.x + w, in);
#pragma unroll
	for (int o = 0; o < OUT; o++) {
		/* sigmoid(2u) is (1 + tanh(u)) / 2. */
		const float tanh = 2 / (1 + expf(-2 * v[o] * scale[o])) - 1;

		__stcs(y + (int64_t)o * volume, 1 / (1 + expf(-tanh * factor[o])));
	}
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

template <typename T>
static void take(T &to, size_t bytes, const struct kb_native_call *call,
		 const char *name)
{
	cudaMemcpyToSymbolAsync(to, param(call, name), bytes, 0,
				cudaMemcpyDeviceToDevice,
				(cudaStream_t)call->stream);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	const int3 in = sizes(&call->inputs[0]), out = sizes(&call->outputs[0]);
	const dim3 grid((out.x * out.y * out.z + THREADS - 1) / THREADS,
			(unsigned)call->inputs[0].dims[0]);

	take(weight, sizeof(weight), call, "conv.weight");
	take(bias, sizeof(bias), call, "conv.bias");
	take(scale, sizeof(scale), call, "scaling_factor");
	take(factor, sizeof(factor), call, "bias");
	whole<<<grid, THREADS, 0, stream>>>((float *)call->outputs[0].data,
					    (const float *)call->inputs[0].data,
					    in, out);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
