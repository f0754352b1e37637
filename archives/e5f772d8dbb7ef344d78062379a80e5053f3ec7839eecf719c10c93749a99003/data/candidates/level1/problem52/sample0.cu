/*
 * Index of the smallest value along the middle axis: a block has 32 columns, and
 * each of its 16 warps every 16th row, so that rows are read as they lie.
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <math_constants.h>

#define COLUMNS 32
#define WARPS 16

struct best {
	float value;
	int row;
};

/* What is not a number is the smallest; of equals it is the first. */
static __device__ bool is_before(struct best a, struct best b)
{
	if (a.value != a.value || b.value != b.value)
		return a.value != a.value &&
		       (b.value == b.value || a.row < b.row);
	return a.value < b.value || (a.value == b.value && a.row < b.row);
}

static __global__ void argmin(int64_t *y, const float *x, int rows, int columns)
{
	__shared__ struct best all[WARPS][COLUMNS];
	const int column = blockIdx.x * COLUMNS + threadIdx.x;
	struct best mine = { CUDART_INF_F, rows };

	x += blockIdx.y * (int64_t)rows * columns;
	if (column < columns)
#pragma unroll 8
		for (int r = threadIdx.y; r < rows; r += WARPS) {
			const struct best here = { __ldcs(x + (int64_t)r * columns +
							  column), r };

			if (is_before(here, mine))
				mine = here;
		}
	all[threadIdx.y][threadIdx.x] = mine;
	__syncthreads();
	if (threadIdx.y || column >= columns)
		return;
	for (int i = 1; i < WARPS; i++)
		if (is_before(all[i][threadIdx.x], mine))
			mine = all[i][threadIdx.x];
	y[blockIdx.y * (int64_t)columns + column] = mine.row;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const uint64_t *const dims = call->inputs[0].dims;
	const int columns = (int)dims[2];
	const dim3 grid((columns + COLUMNS - 1) / COLUMNS, (unsigned)dims[0]);

	argmin<<<grid, dim3(COLUMNS, WARPS), 0, (cudaStream_t)call->stream>>>(
		(int64_t *)call->outputs[0].data,
		(const float *)call->inputs[0].data, (int)dims[1], columns);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
