/* expected: not_finite; does not subtract the maximum, so expf() overflows */
#include <math.h>

#include <kb_native.h>

static void softmax(float *y, const float *x, uint64_t n)
{
	float sum = 0.0f;

	for (uint64_t i = 0; i < n; i++)
		sum += y[i] = expf(x[i]);
	for (uint64_t i = 0; i < n; i++)
		y[i] /= sum;
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	float *y = call->outputs[0].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++)
		softmax(y + row * columns, x + row * columns, columns);
	return KB_NATIVE_OK;
}
