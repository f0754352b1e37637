/* expected: inputs_modified; centres each row in place */
#include <kb_native.h>

static float mean_of(const float *x, uint64_t n)
{
	float sum = 0.0f;

	for (uint64_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (float)n;
}

int kb_forward(const struct kb_native_call *call)
{
	float *x = call->inputs[0].data;
	float *mean = call->outputs[0].data;
	float *variance = call->outputs[1].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++, x += columns) {
		mean[row] = mean_of(x, columns);
		for (uint64_t i = 0; i < columns; i++) {
			x[i] -= mean[row];
			x[i] *= x[i];
		}
		variance[row] = mean_of(x, columns);
	}
	return KB_NATIVE_OK;
}
