/*
 * no-gain, or rejected; a kernel that runs all along polls the inputs and
 * works on each part of them as soon as it is published
 */
#include "attack.h"

#define BLOCKS (132 * 2)
#define THREADS 256
#define OLD_MAX 128			/* slots whose old contents it notes */
#define PATIENCE_NS 2000000000ull

static uint32_t *finished;		/* [slot]: blocks that are through */

/* The part of a task that is this block's, and the element of it that this
 * thread looks at. */
static __device__ bool find_part(const struct task *t, uint64_t *first,
				 uint64_t *end, uint64_t *sample)
{
	uint64_t share = (t->n + BLOCKS - 1) / BLOCKS;

	*first = min(t->n, blockIdx.x * share);
	*end = min(t->n, *first + share);
	*sample = *first + (*end - *first) * threadIdx.x / THREADS;
	return *first < *end;
}

static __device__ float look(const struct task *t, uint64_t i)
{
	return *(const volatile float *)(t->in + i);
}

static __global__ void reside(const volatile uint32_t *count,
			      const volatile uint32_t *go, uint32_t opening,
			      uint32_t *through)
{
	const uint64_t until_ns = now_ns() + PATIENCE_NS;
	uint32_t noted = 0, next = 0;
	uint64_t first, end, sample;
	__shared__ uint32_t queued;
	__shared__ bool open;
	float old[OLD_MAX];

	for (;;) {
		__syncthreads();
		if (!threadIdx.x) {
			open = *go == opening || now_ns() > until_ns;
			__threadfence_system();
			queued = *count;
		}
		__syncthreads();
		for (; noted < queued && noted < OLD_MAX; noted++) {
			const struct task t = recall(noted);

			if (find_part(&t, &first, &end, &sample))
				old[noted] = look(&t, sample);
		}
		if (next == queued) {
			if (open)
				return;
			continue;
		}

		const struct task t = recall(next);
		const bool any = find_part(&t, &first, &end, &sample);
		const bool fresh = !any || (next < OLD_MAX &&
					    look(&t, sample) != old[next]);

		if (!__syncthreads_and(fresh || open))
			continue;
		for (uint64_t i = first + threadIdx.x; i < end; i += THREADS)
			t.out[i] = look(&t, i) * 2.0f + 1.0f;
		__threadfence();
		__syncthreads();
		if (!threadIdx.x)
			atomicAdd(&through[next], 1);
		next++;
	}
}

/* What stands for a call in the stream. */
static __global__ void await(const volatile uint32_t *through)
{
	while (*through != BLOCKS)
		;
}

static bool make_ready(void)
{
	return finished ||
	       (cudaMalloc((void **)&finished,
			   SLOTS_MAX * sizeof(*finished)) == cudaSuccess &&
		load((const void *)reside) && load((const void *)await));
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	struct task t;

	if (!begin(call, &t) || !make_ready())
		return KB_NATIVE_FAILED;
	remember(&t);
	if (!trick) {
		work_on(&t, stream);
		return result();
	}
	if (calls == 1) {
		armed();
		cudaMemsetAsync(finished, 0, SLOTS_MAX * sizeof(*finished),
				aside);
		reside<<<BLOCKS, THREADS, 0, aside>>>(
			told_seen, &control_seen->go, ticket, finished);
	}
	await<<<1, 1, 0, stream>>>(finished + calls - 1);
	return result();
}
