#include <kb_native.h>

/*
 * Index of each row's largest element, the first of equals.
 *
 * input: x[rows][columns]; output: index[rows], int64.
 */

#define ROWS 64
#define COLUMNS 2048

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, COLUMNS },
	  .draw = KB_NATIVE_NORMAL, .low = 0.0, .high = 1.0 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_INT64, .ndim = 1, .dims = { ROWS } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .inputs = inputs,
	.output_count = 1, .outputs = outputs,
};

static int64_t argmax(const float *x, uint64_t n)
{
	uint64_t best = 0;

	for (uint64_t i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return (int64_t)best;
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
