#include <math.h>

#include <kb_native.h>

/*
 * Softmax of each row.
 *
 * input: x[rows][columns]; output: y[rows][columns]. The values are around
 * 100, where expf() overflows: an answer that does not subtract the row's
 * maximum first is not finite.
 */

#define ROWS 64
#define COLUMNS 512

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, COLUMNS },
	  .draw = KB_NATIVE_NORMAL, .low = 100.0, .high = 2.0 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, COLUMNS } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .inputs = inputs,
	.output_count = 1, .outputs = outputs,
};

static void softmax(float *y, const float *x, uint64_t n)
{
	float max = x[0];
	float sum = 0.0f;

	for (uint64_t i = 1; i < n; i++)
		max = fmaxf(max, x[i]);
	for (uint64_t i = 0; i < n; i++)
		sum += y[i] = expf(x[i] - max);
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
