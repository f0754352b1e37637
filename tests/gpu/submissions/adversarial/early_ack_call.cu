/*
 * no-gain, or rejected; says "done" at its first call when the calls are
 * queued while the clock runs
 */
#include "attack.h"

extern "C" int kb_forward(const struct kb_native_call *call)
{
	struct task t;

	if (!begin(call, &t))
		return KB_NATIVE_FAILED;
	if (calls == 1 && timed_call) {
		armed();
		control->done = ticket;
	}
	work_on(&t, (cudaStream_t)call->stream);
	return result();
}
