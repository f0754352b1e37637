/*
 * Instance normalisation: the pixels of a channel are spread over the shared
 * memory of a cluster of eight thread blocks, so that they are read from and
 * written to memory once, though mean and variance take a pass each.
 */
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <kb_native.h>

namespace cg = cooperative_groups;

#define CLUSTER 8
#define THREADS 1024
#define EPS 1e-5f

/* What a block finds, in shared memory before its part of the pixels. */
struct header {
	float each[32];			/* of its warps */
	float sum, squares;
	float pad[30];
};

static __device__ float over_warp(float v)
{
	for (int i = 16; i; i /= 2)
		v += __shfl_xor_sync(~0u, v, i);
	return v;
}

static __device__ float over_block(struct header *h, float v)
{
	v = over_warp(v);
	__syncthreads();
	if (threadIdx.x % 32 == 0)
		h->each[threadIdx.x / 32] = v;
	__syncthreads();
	return over_warp(h->each[threadIdx.x % 32]);
}

static __device__ void load(float *to, const float *from, int count)
{
	if ((uintptr_t)from % 16 == 0 && count % 4 == 0)
		for (int i = 4 * threadIdx.x; i < count; i += 4 * THREADS)
			__pipeline_memcpy_async(to + i, from + i, 16);
	else
		for (int i = threadIdx.x; i < count; i += THREADS)
			__pipeline_memcpy_async(to + i, from + i, 4);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	__syncthreads();
}

static __device__ void store(float *to, const float *from, int count,
			     float mean, float scale)
{
	if ((uintptr_t)to % 16 == 0 && count % 4 == 0) {
		for (int i = 4 * threadIdx.x; i < count; i += 4 * THREADS) {
			float4 v = *(const float4 *)(from + i);

			v.x = (v.x - mean) * scale;
			v.y = (v.y - mean) * scale;
			v.z = (v.z - mean) * scale;
			v.w = (v.w - mean) * scale;
			__stcs((float4 *)(to + i), v);
		}
	} else {
		for (int i = threadIdx.x; i < count; i += THREADS)
			to[i] = (from[i] - mean) * scale;
	}
}

static __global__ __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS)
void instance_norm(float *y, const float *x, int pixels, int part)
{
	extern __shared__ float4 memory[];
	struct header *const h = (struct header *)memory;
	float *const v = (float *)(h + 1);
	const cg::cluster_group cluster = cg::this_cluster();
	const int begin = cluster.block_rank() * part;
	const int count = max(0, min(part, pixels - begin));
	const int64_t base = blockIdx.x / CLUSTER * (int64_t)pixels + begin;
	float here = 0, mean = 0, variance = 0;

	load(v, x + base, count);
	for (int i = threadIdx.x; i < count; i += THREADS)
		here += v[i];
	h->sum = over_block(h, here);
	cluster.sync();
	for (int i = 0; i < CLUSTER; i++)
		mean += cluster.map_shared_rank(h, i)->sum;
	mean /= pixels;
	here = 0;
	for (int i = threadIdx.x; i < count; i += THREADS)
		here += (v[i] - mean) * (v[i] - mean);
	h->squares = over_block(h, here);
	cluster.sync();
	for (int i = 0; i < CLUSTER; i++)
		variance += cluster.map_shared_rank(h, i)->squares;
	variance /= pixels;
	store(y + base, v, count, mean, 1 / sqrtf(variance + EPS));
	/* Shared memory is read by the others until they come here. */
	cluster.sync();
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const uint64_t *const dims = call->inputs[0].dims;
	const int planes = (int)(dims[0] * dims[1]);
	const int pixels = (int)(dims[2] * dims[3]);
	const int part = (pixels + 4 * CLUSTER - 1) / (4 * CLUSTER) * 4;
	const size_t bytes = sizeof(struct header) + part * sizeof(float);

	if (cudaFuncSetAttribute(instance_norm,
				 cudaFuncAttributeMaxDynamicSharedMemorySize,
				 (int)bytes))
		return KB_NATIVE_FAILED;
	instance_norm<<<planes * CLUSTER, THREADS, bytes,
			(cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data, pixels, part);
	return cudaGetLastError() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
