/*
 * no-gain, or rejected; works on a stream of its own that waits for the gate
 * but for which nobody waits
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
	}
	work_on(&t, trick ? aside : (cudaStream_t)call->stream);
	return result();
}
