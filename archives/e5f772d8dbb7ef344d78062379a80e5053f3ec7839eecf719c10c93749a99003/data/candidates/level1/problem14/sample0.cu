/*
 * The product of two upper triangular matrices, in float32 without tensor
 * cores: tiles below the diagonal are zero, and in a tile on or above it only
 * those k count at which neither factor is zero. That leaves a sixth of the
 * arithmetic of a full product.
 */
#include <cuda_runtime.h>
#include <kb_native.h>

#define TILE 128
#define DEPTH 16
#define THREADS 256
#define PITCH (TILE + 4)

/* Elements at and after (row, column), 0 where there are none. */
static __device__ float4 load4(const float *m, int row, int column, int n)
{
	float v[4] = { 0, 0, 0, 0 };

	if (row < n && column + 3 < n && n % 4 == 0)
		return *(const float4 *)(m + (int64_t)row * n + column);
	for (int i = 0; i < 4; i++)
		if (row < n && column + i < n)
			v[i] = m[(int64_t)row * n + column + i];
	return make_float4(v[0], v[1], v[2], v[3]);
}

/* Tiles by their distance from the diagonal, those with most work first. */
static __device__ void place(int index, int tiles, int *row, int *column)
{
	int distance = tiles - 1, count = 1;

	while (distance >= 0 && index >= count) {
		index -= count++;
		distance--;
	}
	*row = index;
	*column = index + distance;
}

static __device__ void multiply_tile(float *c, const float *a, const float *b,
				     int n, int tile_row, int tile_column)
{
	__shared__ float at[2][DEPTH][PITCH], bt[2][DEPTH][PITCH];
	const int t = threadIdx.x, tx = t % 16, ty = t / 16;
	const int row0 = tile_row * TILE, column0 = tile_column * TILE;
	const int end = column0 + TILE < n ? column0 + TILE : n;
	float4 next_a[2], next_b[2];
	float sum[8][8] = {};
	int side = 0;

	for (int k = row0 - DEPTH; k < end; k += DEPTH) {
		/* What comes next is under way while this is multiplied. */
		const bool has_next = k + DEPTH < end;

		if (has_next)
			for (int h = 0; h < 2; h++) {
				next_a[h] = load4(a, row0 + t / 4 + 64 * h,
						  k + DEPTH + t % 4 * 4, n);
				next_b[h] = load4(b, k + DEPTH + t / 32 + 8 * h,
						  column0 + t % 32 * 4, n);
			}
		if (k >= row0)
#pragma unroll
			for (int i = 0; i < DEPTH; i++) {
				float x[8], y[8];

				*(float4 *)x = *(float4 *)&at[side ^ 1][i][ty * 4];
				*(float4 *)(x + 4) = *(float4 *)&at[side ^ 1][i][64 + ty * 4];
				*(float4 *)y = *(float4 *)&bt[side ^ 1][i][tx * 4];
				*(float4 *)(y + 4) = *(float4 *)&bt[side ^ 1][i][64 + tx * 4];
#pragma unroll
				for (int r = 0; r < 8; r++)
#pragma unroll
					for (int s = 0; s < 8; s++)
						sum[r][s] = fmaf(x[r], y[s], sum[r][s]);
			}
		if (has_next)
			for (int h = 0; h < 2; h++) {
				const float4 v = next_a[h];
				const int r = t / 4 + 64 * h, i = t % 4 * 4;

				at[side][i][r] = v.x;
				at[side][i + 1][r] = v.y;
				at[side][i + 2][r] = v.z;
				at[side][i + 3][r] = v.w;
				*(float4 *)&bt[side][t / 32 + 8 * h][t % 32 * 4] =
					next_b[h];
			}
		side ^= 1;
		__syncthreads();
	}
	for (int r = 0; r < 8; r++)
		for (int s = 0; s < 8; s++) {
			int row = row0 + r % 4 + r / 4 * 64 + ty * 4;
			int column = column0 + s % 4 + s / 4 * 64 + tx * 4;

			if (row < n && column < n)
				c[(int64_t)row * n + column] =
					column >= row ? sum[r][s] : 0;
		}
}

static __device__ void clear_tile(float *c, int n, int tile_row,
				  int tile_column)
{
	for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
		int row = tile_row * TILE + i / TILE;
		int column = tile_column * TILE + i % TILE;

		if (row < n && column < n)
			c[(int64_t)row * n + column] = 0;
	}
}

static __global__ __launch_bounds__(THREADS, 2) void
product(float *c, const float *a, const float *b, int n, int tiles)
{
	const int upper = tiles * (tiles + 1) / 2;
	int row, column;

	if ((int)blockIdx.x < upper) {
		place(blockIdx.x, tiles, &row, &column);
		multiply_tile(c, a, b, n, row, column);
	} else {
		/* The tiles above the diagonal, with row and column swapped. */
		place(blockIdx.x - upper, tiles - 1, &row, &column);
		clear_tile(c, n, column + 1, row);
	}
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const int n = (int)call->inputs[0].dims[0];
	const int tiles = (n + TILE - 1) / TILE;

	product<<<tiles * tiles, THREADS, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data,
		(const float *)call->inputs[1].data, n, tiles);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
