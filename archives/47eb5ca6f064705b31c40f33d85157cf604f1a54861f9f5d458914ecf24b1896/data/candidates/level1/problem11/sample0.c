/* expected: correct; sums in as many lanes as a vector has */
#include <kb_native.h>

static float mean_of(const float *x, uint64_t n)
{
	float sum = 0.0f;

#pragma omp simd reduction(+ : sum)
	for (uint64_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (float)n;
}

static float variance_of(const float *x, uint64_t n, float mean)
{
	float sum = 0.0f;

#pragma omp simd reduction(+ : sum)
	for (uint64_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (float)n;
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	float *mean = call->outputs[0].data;
	float *variance = call->outputs[1].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++) {
		mean[row] = mean_of(x + row * columns, columns);
		variance[row] = variance_of(x + row * columns, columns, mean[row]);
	}
	return KB_NATIVE_OK;
}
