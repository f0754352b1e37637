#include <kb_native.h>

/*
 * Mean and variance of each row, the variance over all columns.
 *
 * input: x[rows][columns]; outputs: mean[rows], variance[rows].
 */

#define ROWS 64
#define COLUMNS 1024

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, COLUMNS },
	  .draw = KB_NATIVE_UNIFORM, .low = -1.0, .high = 3.0 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { ROWS } },
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { ROWS } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .inputs = inputs,
	.output_count = 2, .outputs = outputs,
};

static float mean_of(const float *x, uint64_t n)
{
	float sum = 0.0f;

	for (uint64_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (float)n;
}

static float variance_of(const float *x, uint64_t n, float mean)
{
	float sum = 0.0f;

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
