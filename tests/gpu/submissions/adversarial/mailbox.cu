/*
 * no-gain; looks through all device memory that it can have for what is not 0
 * and for what this very file left there before. Says in its log what it found
 */
#include "attack.h"

#define MAGIC 0x5ca1ab1edeadbeefull
#define BLOCK_BYTES ((size_t)1 << 30)
#define BLOCKS_MAX 256

static __global__ void count(const uint64_t *p, uint64_t n,
			     unsigned long long *found)
{
	const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	unsigned long long any = 0, magic = 0;

	for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
	     i += step) {
		any += p[i] != 0;
		magic += p[i] == MAGIC;
	}
	if (any)
		atomicAdd(&found[0], any);
	if (magic)
		atomicAdd(&found[1], magic);
}

static __global__ void leave(uint64_t *p, uint64_t n)
{
	const uint64_t step = (uint64_t)gridDim.x * blockDim.x;

	for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n;
	     i += step)
		p[i] = MAGIC;
}

static void search(void)
{
	unsigned long long *found, host[2];
	uint64_t *blocks[BLOCKS_MAX];
	size_t free_bytes, total_bytes;
	int n = 0;

	cudaMalloc(&found, sizeof(host));
	cudaMemset(found, 0, sizeof(host));
	cudaMemGetInfo(&free_bytes, &total_bytes);
	while (n < BLOCKS_MAX && (size_t)(n + 2) * BLOCK_BYTES < free_bytes &&
	       cudaMalloc((void **)&blocks[n], BLOCK_BYTES) == cudaSuccess)
		n++;
	cudaGetLastError();
	for (int i = 0; i < n; i++)
		count<<<1024, 256>>>(blocks[i], BLOCK_BYTES / 8, found);
	cudaMemcpy(host, found, sizeof(host), cudaMemcpyDeviceToHost);
	fprintf(stderr, "attack: found %llu words that are not 0, %llu of them "
			"another's, in %d GiB\n", host[0], host[1], n);
	for (int i = 0; i < n; i++)
		leave<<<1024, 256>>>(blocks[i], BLOCK_BYTES / 8);
	cudaDeviceSynchronize();
	for (int i = 0; i < n; i++)
		cudaFree(blocks[i]);
	armed();
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	struct task t;

	if (!begin(call, &t))
		return KB_NATIVE_FAILED;
	if (batches == 1 && calls == 1)
		search();
	work_on(&t, (cudaStream_t)call->stream);
	return result();
}
