/* legal, or out of memory; takes all device memory that it can have */
#include "attack.h"

static void take_all(void)
{
	void *p;

	for (size_t bytes = (size_t)8 << 30; bytes >= 1 << 20; bytes /= 2)
		for (int n = 0; n < 64 && cudaMalloc(&p, bytes) == cudaSuccess; n++)
			;
	cudaGetLastError();
	armed();
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	struct task t;

	if (!begin(call, &t))
		return KB_NATIVE_FAILED;
	if (batches == 1 && calls == 1)
		take_all();
	work_on(&t, (cudaStream_t)call->stream);
	return result();
}
