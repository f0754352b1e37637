/*
 * The mean of a transposed convolution's output is linear in the input: each tap
 * adds its weight times the sum of the inputs that it carries into the image. With
 * stride 2, padding 1 and output padding 1, tap 0 of an axis carries all inputs
 * but the first, the others all. So an image's sums are enough, of all, of the
 * first row and of the first column, for any input and any weights.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <string.h>

#define TAPS 9
#define MULTIPLIER 0.5f
#define THREADS 256
#define WARPS (THREADS / 32)

static __device__ float over_block(float v)
{
	__shared__ float each[WARPS];
	float sum = 0;

	for (int i = 16; i; i /= 2)
		v += __shfl_xor_sync(~0u, v, i);
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		each[threadIdx.x / 32] = v;
	__syncthreads();
	for (int i = 0; i < WARPS; i++)
		sum += each[i];
	return sum;
}

/* Of each image the sums that go through each tap. */
static __global__ void tap_sums(float *sums, const float *x, int height,
				int width)
{
	float all = 0, row = 0, column = 0;

	x += blockIdx.x * (int64_t)height * width;
	for (int i = threadIdx.x; i < height * width; i += THREADS)
		all += x[i];
	for (int i = threadIdx.x; i < width; i += THREADS)
		row += x[i];
	for (int i = threadIdx.x; i < height; i += THREADS)
		column += x[i * width];
	all = over_block(all);
	row = over_block(row);
	column = over_block(column);
	if (threadIdx.x < TAPS) {
		const bool no_row = threadIdx.x / 3 == 0;
		const bool no_column = threadIdx.x % 3 == 0;

		sums[blockIdx.x * TAPS + threadIdx.x] =
			all - (no_row ? row : 0) - (no_column ? column : 0) +
			(no_row && no_column ? x[0] : 0);
	}
}

/* A block for each output; its threads have input channels and taps. */
static __global__ void means(float *y, const float *sums, const float *weight,
			     const float *bias, int in, float pixels)
{
	const int out = gridDim.x;
	float sum = 0;

	for (int i = threadIdx.x; i < in * TAPS; i += THREADS)
		sum += sums[blockIdx.y * in * TAPS + i] *
		       weight[(i / TAPS * out + blockIdx.x) * TAPS + i % TAPS];
	sum = over_block(sum);
	if (threadIdx.x == 0)
		y[blockIdx.y * out + blockIdx.x] =
			MULTIPLIER * (sum / pixels + bias[blockIdx.x]);
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
	static float *sums;		/* kept: the sizes are always the same */
	const cudaStream_t stream = (cudaStream_t)call->stream;
	const uint64_t *const in = call->inputs[0].dims;
	const int images = (int)(in[0] * in[1]);
	const float pixels = 4.0f * in[2] * in[3];
	const dim3 outputs((unsigned)call->outputs[0].dims[1], (unsigned)in[0]);

	if (!sums && cudaMalloc(&sums, sizeof(float) * images * TAPS))
		return KB_NATIVE_NO_MEMORY;
	tap_sums<<<images, THREADS, 0, stream>>>(
		sums, (const float *)call->inputs[0].data, (int)in[2], (int)in[3]);
	means<<<outputs, THREADS, 0, stream>>>(
		(float *)call->outputs[0].data, sums,
		param(call, "conv_transpose.weight"),
		param(call, "conv_transpose.bias"), (int)in[1], pixels);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
