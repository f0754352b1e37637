#include <kb_native.h>
#include <math.h>

int kb_forward(const struct kb_native_call *call)
{
	const float *restrict x = call->inputs[0].data;
	float *restrict y = call->outputs[0].data;
	uint64_t n = 1;

	for (uint32_t i = 0; i < call->inputs[0].ndim; i++)
		n *= call->inputs[0].dims[i];
#pragma omp parallel for simd
	for (uint64_t i = 0; i < n; i++)
		y[i] = 1.5f * x[i] / (1.0f + expf(-x[i]));
	return KB_NATIVE_OK;
}
