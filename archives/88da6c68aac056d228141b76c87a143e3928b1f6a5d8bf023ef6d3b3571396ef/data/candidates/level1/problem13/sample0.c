/* expected: correct; the largest value first, in lanes, then its place */
#include <kb_native.h>

static float max_of(const float *x, uint64_t n)
{
	float max = x[0];

#pragma omp simd reduction(max : max)
	for (uint64_t i = 0; i < n; i++)
		max = x[i] > max ? x[i] : max;
	return max;
}

static int64_t argmax(const float *x, uint64_t n)
{
	float max = max_of(x, n);
	int64_t i = 0;

	while (x[i] != max)
		i++;
	return i;
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	int64_t *index = call->outputs[0].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++)
		index[row] = argmax(x + row * columns, columns);
	return KB_NATIVE_OK;
}
