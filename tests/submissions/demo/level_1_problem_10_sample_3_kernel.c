/* expected: correct; prints more than is kept of it */
#include <math.h>
#include <stdio.h>

#include <kb_native.h>

static void softmax(float *y, const float *x, uint64_t n)
{
	float max = x[0], sum = 0;

	for (uint64_t i = 0; i < n; i++)
		max = x[i] > max ? x[i] : max;
	for (uint64_t i = 0; i < n; i++)
		sum += y[i] = expf(x[i] - max);
	for (uint64_t i = 0; i < n; i++)
		y[i] /= sum;
}

int kb_forward(const struct kb_native_call *call)
{
	const uint64_t rows = call->inputs[0].dims[0];
	const uint64_t columns = call->inputs[0].dims[1];
	const float *x = call->inputs[0].data;
	float *y = call->outputs[0].data;

	for (uint64_t i = 0; i < rows; i++, x += columns, y += columns) {
		softmax(y, x, columns);
		printf("row %ju of %ju begins with %g\n", (uintmax_t)i,
		       (uintmax_t)rows, (double)y[0]);
	}
	return KB_NATIVE_OK;
}
