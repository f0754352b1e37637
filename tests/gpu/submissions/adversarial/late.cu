/*
 * no-gain, or rejected; nothing is computed until the calls are said to be
 * done. Then a stream that nobody waits for does it: at once, after SPIN_NS,
 * after COPIES copies, or after the device was taken away GAPS times. With
 * RELEASED it waits until the process may go on, with CALL calls are not
 * queued behind a gate on the device, with MOST no more than so many are
 */
#include "attack.h"

#ifndef SPIN_NS
#define SPIN_NS 0
#endif
#ifndef GAPS
#define GAPS 0
#endif
#ifndef COPIES
#define COPIES 0
#endif
#ifndef RELEASED
#define RELEASED 0
#endif
#ifndef CALL
#define CALL 0
#endif
#ifndef MOST
#define MOST SLOTS_MAX
#endif

#define GAP_NS 8000
#define PATIENCE_NS 100000000u
#define COPY_BYTES ((size_t)64 << 20)

static void *from, *to;

/* Waits until it was off the device so often. */
static __global__ void spin_gaps(int gaps)
{
	const uint64_t start = now_ns();
	uint64_t last = start, now;

	do {
		now = now_ns();
		gaps -= now - last > GAP_NS;
		last = now;
	} while (gaps > 0 && now - start < PATIENCE_NS);
}

static bool make_ready(void)
{
	return from || (hook_sync() && load((const void *)spin_gaps) &&
			cudaMallocHost(&from, COPY_BYTES) == cudaSuccess &&
			cudaMalloc(&to, COPY_BYTES) == cudaSuccess);
}

static void work_late(void)
{
	volatile uint32_t *word = RELEASED ? &control_seen->go
					   : &control_seen->done;

	armed();
	wait_value32(aside, (unsigned long long)word, ticket + RELEASED,
		     WAIT_GEQ);
	for (int i = 0; i < COPIES; i++)
		cudaMemcpyAsync(to, from, COPY_BYTES, cudaMemcpyHostToDevice,
				aside);
	if (GAPS)
		spin_gaps<<<1, 1, 0, aside>>>(GAPS);
	if (SPIN_NS)
		spin<<<1, 1, 0, aside>>>(SPIN_NS);
	work_on_noted<<<132 * 8, 256, 0, aside>>>(noted_seen, told_seen);
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	struct task t;

	if (!begin(call, &t) || !make_ready())
		return KB_NATIVE_FAILED;
	refuse_above(CALL ? 0 : MOST);
	if (CALL ? !timed_call : !trick) {
		work_on(&t, stream);
		return result();
	}
	if (calls == 1)
		work_late();
	/* A slope that looks like one: a sixth of what the work takes. */
	spin<<<1, 1, 0, stream>>>((1000 + t.n * 8 / 4000) / 6);
	return result();
}
