/* rejected; takes all memory that there is, and then wants more */
#include <cuda_runtime.h>
#include <kb_native.h>

#define PART ((size_t)1 << 30)

extern "C" int kb_forward(const struct kb_native_call *call)
{
	void *part;

	(void)call;
	while (cudaMalloc(&part, PART) == cudaSuccess)
		;
	return KB_NATIVE_NO_MEMORY;
}
