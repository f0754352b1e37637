#include <kb_native.h>

/*
 * y = alpha * x + z, with alpha a plain number.
 *
 * inputs: alpha, x[n], z[n]; output: y[n].
 */

#define N (1u << 17)

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 0,
	  .draw = KB_NATIVE_UNIFORM, .low = 0.5, .high = 2.0 },
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { N },
	  .draw = KB_NATIVE_NORMAL, .low = 0.0, .high = 1.0 },
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { N },
	  .draw = KB_NATIVE_NORMAL, .low = 0.0, .high = 1.0 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { N } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 3, .inputs = inputs,
	.output_count = 1, .outputs = outputs,
};

int kb_forward(const struct kb_native_call *call)
{
	const float alpha = *(const float *)call->inputs[0].data;
	const float *x = call->inputs[1].data;
	const float *z = call->inputs[2].data;
	float *y = call->outputs[0].data;
	uint64_t n = call->inputs[1].dims[0];

	for (uint64_t i = 0; i < n; i++)
		y[i] = alpha * x[i] + z[i];
	return KB_NATIVE_OK;
}
