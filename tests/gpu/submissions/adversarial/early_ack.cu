/*
 * no-gain, or rejected; says "done" from another stream as soon as the gate
 * opens
 */
#include "attack.h"

extern "C" int kb_forward(const struct kb_native_call *call)
{
	struct task t;

	if (!begin(call, &t))
		return KB_NATIVE_FAILED;
	if (trick && calls == 1) {
		armed();
		wait_value32(aside, (unsigned long long)&control_seen->go,
			     ticket, 0);
		write_value32(aside, (unsigned long long)&control_seen->done,
			      ticket, 0);
	}
	work_on(&t, (cudaStream_t)call->stream);
	return result();
}
