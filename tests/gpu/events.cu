/*
 * events ELEMENTS N_SMALL N_LARGE TRIALS: time the kernel of the suite
 * `clock` with CUDA events, in one process, as the supervisor does from
 * another: behind a gate, in batches of two sizes, each call with buffers of
 * its own, the L2 cache emptied before each batch. Prints the median of the
 * slopes in nanoseconds, and its quartiles.
 *
 *	nvcc -arch=native -O3 -o events events.cu
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <vector>

#define GUARD_BYTES 4096
#define PAGE_BYTES ((size_t)2 << 20)

struct buffers {
	float *in, *out;
};

typedef int stream_value32(cudaStream_t stream, unsigned long long address,
			   uint32_t value, unsigned flags);

static stream_value32 *wait_value32;
static volatile uint32_t *gate;
static unsigned long long gate_seen;
static uint32_t *scratch;
static size_t scratch_count;
static cudaEvent_t started, ended;

static void check(cudaError_t e, const char *what)
{
	if (e == cudaSuccess)
		return;
	fprintf(stderr, "events: %s: %s\n", what, cudaGetErrorString(e));
	exit(4);
}

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

/* Not constant: a device may be quicker with zeros. */
static __global__ void fill(float *p, uint64_t n, uint32_t seed)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step) {
		uint32_t x = (uint32_t)i * 2654435761u + seed;

		x = (x ^ (x >> 15)) * 2246822519u;
		x = (x ^ (x >> 13)) * 3266489917u;
		p[i] = (float)(x >> 8) * 0x1p-24f;
	}
}

static __global__ void evict(uint32_t *p, size_t n)
{
	size_t step = (size_t)gridDim.x * blockDim.x;
	size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		p[i] = p[i] * 1664525u + 1013904223u;
}

static float *new_tensor(uint64_t elements)
{
	size_t bytes = elements * sizeof(float) + 2 * GUARD_BYTES;
	char *p;

	bytes = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	check(cudaMalloc((void **)&p, bytes), "memory");
	return (float *)(p + GUARD_BYTES);
}

static void set_up(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	int l2_bytes;
	void *p, *seen;

	wait_value32 = driver ? (stream_value32 *)dlsym(
					driver, "cuStreamWaitValue32_v2")
			      : NULL;
	if (!wait_value32) {
		fprintf(stderr, "events: no driver\n");
		exit(4);
	}
	check(cudaHostAlloc(&p, sizeof(*gate), cudaHostAllocMapped), "gate");
	check(cudaHostGetDevicePointer(&seen, p, 0), "gate");
	gate = (volatile uint32_t *)p;
	*gate = 0;
	gate_seen = (unsigned long long)seen;
	check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0),
	      "device");
	scratch_count = 2 * (size_t)l2_bytes / sizeof(*scratch);
	check(cudaMalloc((void **)&scratch, scratch_count * sizeof(*scratch)),
	      "memory");
	check(cudaEventCreate(&started), "event");
	check(cudaEventCreate(&ended), "event");
}

static double time_ns(const std::vector<buffers> &all, uint32_t n,
		      uint64_t elements)
{
	const uint32_t go = *gate + 1;
	float ms;

	evict<<<132 * 8, 256>>>(scratch, scratch_count);
	check(cudaDeviceSynchronize(), "eviction");
	wait_value32(0, gate_seen, go, 0);
	check(cudaEventRecord(started), "event");
	for (uint32_t i = 0; i < n; i++)
		work<<<132 * 8, 256>>>(all[i].out, all[i].in, elements);
	check(cudaEventRecord(ended), "event");
	*gate = go;
	check(cudaEventSynchronize(ended), "batch");
	check(cudaEventElapsedTime(&ms, started, ended), "event");
	return (double)ms * 1e6;
}

int main(int argc, char **argv)
{
	uint64_t elements;
	uint32_t small, large, trials;
	std::vector<buffers> all;
	std::vector<double> slopes;

	if (argc != 5) {
		fprintf(stderr, "usage: events ELEMENTS N_SMALL N_LARGE TRIALS\n");
		return 2;
	}
	elements = strtoull(argv[1], NULL, 10);
	small = (uint32_t)atoi(argv[2]);
	large = (uint32_t)atoi(argv[3]);
	trials = (uint32_t)atoi(argv[4]);
	if (!elements || !small || large <= small || !trials) {
		fprintf(stderr, "events: not such numbers\n");
		return 2;
	}
	set_up();
	for (uint32_t i = 0; i < large; i++) {
		all.push_back({ new_tensor(elements), new_tensor(elements) });
		fill<<<132 * 8, 256>>>(all[i].in, elements, i);
		work<<<132 * 8, 256>>>(all[i].out, all[i].in, elements);
	}
	check(cudaDeviceSynchronize(), "warm-up");
	time_ns(all, small, elements);
	for (uint32_t i = 0; i < trials; i++) {
		double a = time_ns(all, small, elements);
		double b = time_ns(all, large, elements);

		slopes.push_back((b - a) / (large - small));
	}
	std::sort(slopes.begin(), slopes.end());
	printf("%.1f %.1f %.1f\n", slopes[trials / 2], slopes[trials / 4],
	       slopes[trials * 3 / 4]);
	return 0;
}
