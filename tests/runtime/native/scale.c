/* y = x * weight + bias[index], count = how many of mask are set. */
#include <kb_native.h>

enum { ROWS = 100, COLUMNS = 7 };

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, COLUMNS },
	  .draw = KB_NATIVE_NORMAL, .low = 0, .high = 1 },
	{ .dtype = KB_NATIVE_INT64, .ndim = 1, .dims = { ROWS },
	  .draw = KB_NATIVE_INTEGERS, .low = 0, .high = COLUMNS },
	{ .dtype = KB_NATIVE_BOOL, .ndim = 1, .dims = { ROWS },
	  .draw = KB_NATIVE_INTEGERS, .low = 0, .high = 2 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, COLUMNS } },
	{ .dtype = KB_NATIVE_INT32, .ndim = 0 },
};

static const struct kb_native_spec params[] = {
	{ .name = "weight", .dtype = KB_NATIVE_FLOAT32, .ndim = 1,
	  .dims = { COLUMNS }, .draw = KB_NATIVE_UNIFORM, .low = -1, .high = 1 },
	{ .name = "bias", .dtype = KB_NATIVE_FLOAT32, .ndim = 1,
	  .dims = { COLUMNS }, .draw = KB_NATIVE_NORMAL, .low = 0, .high = 1 },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 3,
	.output_count = 2,
	.param_count = 2,
	.inputs = inputs,
	.outputs = outputs,
	.params = params,
};

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	const int64_t *index = call->inputs[1].data;
	const uint8_t *mask = call->inputs[2].data;
	const float *weight = call->params[0].data;
	const float *bias = call->params[1].data;
	float *y = call->outputs[0].data;
	int32_t *count = call->outputs[1].data;

	*count = 0;
	for (int r = 0; r < ROWS; r++) {
		*count += mask[r];
		for (int c = 0; c < COLUMNS; c++)
			y[r * COLUMNS + c] = x[r * COLUMNS + c] * weight[c] +
					     bias[index[r]];
	}
	return KB_NATIVE_OK;
}
