#include <cuda_runtime.h>
#include <kb_native.h>

/* out = in, 16777216 floats: about 46 us on an H200; 1.2 ms each way over PCIe. */

#define SIZE 16777216

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { SIZE },
	  .draw = KB_NATIVE_UNIFORM, .low = 1, .high = 2 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { SIZE } },
};

extern "C" const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .output_count = 1,
	.inputs = inputs, .outputs = outputs,
};

static __global__ void copy(float4 *out, const float4 *in, uint64_t n4)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n4; i += step)
		out[i] = in[i];
}

extern "C" int kb_forward(const struct kb_native_call *call)
{
	copy<<<132 * 4, 256, 0, (cudaStream_t)call->stream>>>(
		(float4 *)call->outputs[0].data,
		(const float4 *)call->inputs[0].data, SIZE / 4);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}
