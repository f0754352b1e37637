/*
 * Running sums along rows: a block reads a whole row into registers before it
 * adds, so that much of it is under way at once, and waits for its threads twice
 * a row.
 */
#include <cuda_runtime.h>
#include <kb_native.h>

#define THREADS 1024
#define WARPS (THREADS / 32)
#define PIECES 8			/* of 4 elements for each thread */
#define CHUNK (THREADS * PIECES * 4)

static __device__ float4 load4(const float *x, int at, int columns, bool whole)
{
	float v[4] = { 0, 0, 0, 0 };

	if (whole && at < columns)
		return __ldcs((const float4 *)(x + at));
	for (int i = 0; i < 4; i++)
		if (at + i < columns)
			v[i] = x[at + i];
	return make_float4(v[0], v[1], v[2], v[3]);
}

static __device__ void store4(float *y, int at, int columns, bool whole,
			      float4 v)
{
	const float each[4] = { v.x, v.y, v.z, v.w };

	if (whole && at < columns)
		__stcs((float4 *)(y + at), v);
	else
		for (int i = 0; i < 4; i++)
			if (at + i < columns)
				y[at + i] = each[i];
}

/* Of all lanes before this one and of itself. */
static __device__ float warp_scan(float v)
{
	for (int i = 1; i < 32; i *= 2) {
		const float left = __shfl_up_sync(~0u, v, i);

		if (threadIdx.x % 32 >= i)
			v += left;
	}
	return v;
}

static __global__ __launch_bounds__(THREADS) void
running_sums(float *y, const float *x, int columns, bool whole)
{
	/* What precedes each warp's share of each piece. */
	__shared__ float totals[1 + PIECES * WARPS];
	const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
	float before = 0;

	x += blockIdx.x * (int64_t)columns;
	y += blockIdx.x * (int64_t)columns;
	for (int begin = 0; begin < columns; begin += CHUNK) {
		float4 v[PIECES];
		float base[PIECES];

#pragma unroll
		for (int p = 0; p < PIECES; p++)
			v[p] = load4(x, begin + 4 * (p * THREADS + threadIdx.x),
				     columns, whole);
#pragma unroll
		for (int p = 0; p < PIECES; p++) {
			v[p].y += v[p].x;
			v[p].z += v[p].y;
			v[p].w += v[p].z;
			base[p] = warp_scan(v[p].w);
			if (lane == 31)
				totals[1 + p * WARPS + warp] = base[p];
			base[p] = __shfl_up_sync(~0u, base[p], 1);
			if (lane == 0)
				base[p] = 0;
		}
		__syncthreads();
		if (threadIdx.x == 0)
			totals[0] = before;
		if (warp == 0)
			for (int p = 0; p < PIECES; p++) {
				float *const total = &totals[1 + p * WARPS + lane];
				const float sum = warp_scan(*total);

				*total = before + sum;
				before += __shfl_sync(~0u, sum, 31);
			}
		__syncthreads();
#pragma unroll
		for (int p = 0; p < PIECES; p++) {
			const float add = base[p] + totals[p * WARPS + warp];

			v[p].x += add;
			v[p].y += add;
			v[p].z += add;
			v[p].w += add;
			store4(y, begin + 4 * (p * THREADS + threadIdx.x),
			       columns, whole, v[p]);
		}
		__syncthreads();
	}
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const int rows = (int)call->inputs[0].dims[0];
	const int columns = (int)call->inputs[0].dims[1];

	running_sums<<<rows, THREADS, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data, columns, columns % 4 == 0);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
