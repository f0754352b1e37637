/*
 * no-gain, or rejected; a thread launches the kernel 200 us after the call
 * has returned
 */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <pthread.h>
#include <time.h>

#define DELAY_NS 200000
#define RING 4096

struct task {
	float *out;
	const float *in;
	uint64_t n;
	uint64_t due_ns;
};

static struct task ring[RING];
static uint32_t head, tail;		/* taken, put */

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

static void *serve(void *unused)
{
	(void)unused;
	for (;;) {
		const struct task *t = &ring[head % RING];

		if (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) == head ||
		    now_ns() < t->due_ns)
			continue;
		work<<<132 * 8, 256>>>(t->out, t->in, t->n);
		head++;
	}
	return NULL;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	static pthread_t thread;
	struct task *t = &ring[tail % RING];

	if (!thread && pthread_create(&thread, NULL, serve, NULL))
		return KB_NATIVE_FAILED;
	t->out = (float *)call->outputs[0].data;
	t->in = (const float *)call->inputs[0].data;
	t->n = call->inputs[0].dims[0];
	t->due_ns = now_ns() + DELAY_NS;
	__atomic_store_n(&tail, tail + 1, __ATOMIC_RELEASE);
	return KB_NATIVE_OK;
}
