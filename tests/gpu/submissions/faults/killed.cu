/* rejected; kills itself, with work under way */
#include <cuda_runtime.h>
#include <kb_native.h>
#include <signal.h>
#include <unistd.h>

#define HONEST_CALLS 20

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	static int calls;

	work<<<132 * 8, 256, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data,
		(const float *)call->inputs[0].data,
		call->inputs[0].dims[0]);
	if (++calls > HONEST_CALLS)
		kill(getpid(), SIGKILL);
	return KB_NATIVE_OK;
}
