/* rejected; stores to an address that is nobody's */
#include <cuda_runtime.h>
#include <kb_native.h>

static __global__ void stray(float *nowhere)
{
	*nowhere = 1.0f;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	stray<<<1, 1, 0, (cudaStream_t)call->stream>>>((float *)0x1000);
	return KB_NATIVE_OK;
}
