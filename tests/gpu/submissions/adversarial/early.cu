/*
 * no-gain, or rejected; a batch of one call says that it is done LEAD_NS before
 * it is, so that the supervisor sets out early. With MOST no more calls are
 * queued, with WASTE small batches waste time, so that the slope halves
 */
#include "attack.h"

#ifndef LEAD_NS
#define LEAD_NS 12000
#endif
#ifndef MOST
#define MOST SLOTS_MAX
#endif
#ifndef WASTE
#define WASTE 0
#endif

static uint64_t call_ns;

static __global__ void waste(const volatile uint32_t *count, uint32_t most,
			     uint64_t call_ns)
{
	const uint32_t n = *count;
	const uint64_t start = now_ns();

	while (n > 1 && n < most &&
	       now_ns() - start < (most - n) * call_ns / 2)
		;
}

static bool make_ready(const struct task *t)
{
	if (!call_ns && load((const void *)waste))
		call_ns = time_aside(work_on, t);
	return call_ns;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	const cudaStream_t stream = (cudaStream_t)call->stream;
	static uint32_t most;
	struct task t;

	if (!begin(call, &t) || !make_ready(&t))
		return KB_NATIVE_FAILED;
	refuse_above(MOST);
	if (trick && calls == 1) {
		armed();
		announce_aside(call_ns > LEAD_NS ? call_ns - LEAD_NS : 0);
		if (WASTE)
			waste<<<1, 1, 0, stream>>>(told_seen, most, call_ns);
	}
	if (calls > most)
		most = calls;
	work_on(&t, stream);
	return result();
}
