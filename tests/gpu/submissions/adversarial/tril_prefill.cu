/*
 * no-gain, or rejected; half of the output is zeros whatever the inputs are.
 * They are written as soon as the pattern has been put into the outputs, before
 * the gate opens: by a kernel, or with ENGINE by a copy
 */
#include "attack.h"

#ifndef ENGINE
#define ENGINE 0
#endif

#define TILE 64
#define STRIPS 16

static float *zeros;			/* of a strip, on the device */
static cudaEvent_t over;

/* Copies begin there, in the rows of i. */
[[maybe_unused]] static __device__ __host__ int strip_end(int i, int n)
{
	const int strip = n / STRIPS;

	return (i / strip + 1) * strip;
}

/* 0: all, 1: tiles with inputs, 2: those without. */
template <int PART> static __global__ void tril(float *y, const float *x, int n)
{
	const int i = blockIdx.y * TILE, j = blockIdx.x * TILE;
	const bool below = j <= i;

	if ((PART == 1 && !below) || (PART == 2 && below))
		return;
	if (PART == 2 && ENGINE && j >= strip_end(i, n))
		return;
	for (int r = threadIdx.y; r < TILE; r += blockDim.y)
		for (int c = threadIdx.x; c < TILE; c += blockDim.x) {
			const size_t at = (size_t)(i + r) * n + j + c;

			y[at] = below && j + c <= i + r ? x[at] : 0.0f;
		}
}

template <int PART> static void launch(const struct task *t, int n,
				       cudaStream_t stream)
{
	tril<PART><<<dim3(n / TILE, n / TILE), dim3(32, 8), 0, stream>>>(
		t->out, t->in, n);
}

static bool make_ready(int n)
{
	if (zeros)
		return true;
	if (cudaMalloc((void **)&zeros, (size_t)n / STRIPS * n * 4) !=
		    cudaSuccess ||
	    cudaMemset(zeros, 0, (size_t)n / STRIPS * n * 4) != cudaSuccess ||
	    cudaEventCreateWithFlags(&over, cudaEventDisableTiming) !=
		    cudaSuccess)
		return false;
	return load((const void *)tril<1>) && load((const void *)tril<2>);
}

/* What the rows of a strip have in common above the diagonal. */
static void fill_by_copies(float *y, int n)
{
	const int strip = n / STRIPS;

	for (int i = 0; i + strip < n; i += strip)
		cudaMemcpy2DAsync(y + (size_t)i * n + i + strip, (size_t)n * 4,
				  zeros, (size_t)n * 4, (size_t)(n - i - strip) * 4,
				  strip, cudaMemcpyDeviceToDevice, aside);
}

/* A word that is 0 until the pattern is there. */
static void prefill(const struct task *t, int n, cudaStream_t stream)
{
	const unsigned long long word = (unsigned long long)(t->out + t->n / 2);

	armed();
	cudaMemsetAsync((void *)word, 0, 4, copies);
	cudaStreamSynchronize(copies);
	wait_value32(aside, word, 0xffffffffu, WAIT_NONZERO);
	if (ENGINE)
		fill_by_copies(t->out, n);
	launch<2>(t, n, aside);
	cudaEventRecord(over, aside);
	cudaStreamWaitEvent(stream, over, 0);
	launch<1>(t, n, stream);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	const int n = (int)call->inputs[0].dims[0];
	struct task t;

	if (!begin(call, &t) || !make_ready(n))
		return KB_NATIVE_FAILED;
	if (trick)
		prefill(&t, n, stream);
	else
		launch<0>(&t, n, stream);
	return result();
}
