/* legal; times its own batches with CUDA events and prints what it saw */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <stdio.h>
#include <time.h>

/*
 * A candidate sees one call at a time and is not told which is the last of
 * a batch. So it learns how many calls batches have, and records an event
 * after every call that was the last of one before, beside the one that it
 * records before the first call. When the next batch begins the last one is
 * over, and its time is known. What the events cost is between the same two
 * ends for the supervisor as for them.
 *
 * Prints "events N NS" for each batch of N calls that was queued before the
 * device began with it.
 */

#define SIZES_MAX 16
#define PATIENCE_NS 50000

struct size {
	uint32_t calls;
	cudaEvent_t ended;
	bool recorded;
	bool queued_first;		/* nothing had run when all was queued */
};

static struct size sizes[SIZES_MAX];
static uint32_t sizes_count;
static cudaEvent_t started;
static uint32_t calls;			/* of this batch, with this one */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static struct size *find_size(uint32_t n)
{
	for (uint32_t i = 0; i < sizes_count; i++)
		if (sizes[i].calls == n)
			return &sizes[i];
	return NULL;
}

/* Is a gate closed? Without one the device is past `started` in no time. */
static bool is_waiting(void)
{
	const uint64_t until_ns = now_ns() + PATIENCE_NS;

	while (cudaEventQuery(started) == cudaErrorNotReady) {
		cudaGetLastError();
		if (now_ns() > until_ns)
			return true;
	}
	return false;
}

static void end_batch(void)
{
	struct size *s = find_size(calls);
	float ms;

	if (!s && sizes_count < SIZES_MAX) {
		s = &sizes[sizes_count++];
		s->calls = calls;
		cudaEventCreate(&s->ended);
	} else if (s && s->recorded && s->queued_first &&
		   cudaEventElapsedTime(&ms, started, s->ended) == cudaSuccess) {
		fprintf(stderr, "events %u %.0f\n", calls, (double)ms * 1e6);
	}
	for (uint32_t i = 0; i < sizes_count; i++)
		sizes[i].recorded = false;
	calls = 0;
}

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	const float *in = (const float *)call->inputs[0].data;
	static const float *first;
	struct size *s;

	if (!first) {
		first = in;
		cudaEventCreate(&started);
	} else if (in == first) {
		end_batch();
	}
	if (!calls)
		cudaEventRecord(started, stream);
	calls++;
	work<<<132 * 8, 256, 0, stream>>>((float *)call->outputs[0].data, in,
					  call->inputs[0].dims[0]);
	if (cudaGetLastError() != cudaSuccess)
		return KB_NATIVE_FAILED;
	s = find_size(calls);
	if (s) {
		cudaEventRecord(s->ended, stream);
		s->recorded = true;
		s->queued_first = is_waiting();
	}
	return KB_NATIVE_OK;
}
