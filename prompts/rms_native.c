#include <kb_native.h>
#include <math.h>

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	const float *weight = call->params[0].data;
	float *y = call->outputs[0].data;
	const uint64_t rows = call->inputs[0].dims[0];
	const uint64_t n = call->inputs[0].dims[1];

#pragma omp parallel for
	for (uint64_t row = 0; row < rows; row++) {
		const float *from = x + row * n;
		float sum = 0.0f;

#pragma omp simd reduction(+ : sum)
		for (uint64_t i = 0; i < n; i++)
			sum += from[i] * from[i];
		sum = 1.0f / sqrtf(sum / n + 1e-5f);
		for (uint64_t i = 0; i < n; i++)
			y[row * n + i] = from[i] * sum * weight[i];
	}
	return KB_NATIVE_OK;
}
