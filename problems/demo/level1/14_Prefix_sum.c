#include <kb_native.h>

/*
 * Sum of every element and all before it.
 *
 * input: x[n], int32; output: sum[n], int32.
 */

#define N (1u << 17)

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_INT32, .ndim = 1, .dims = { N },
	  .draw = KB_NATIVE_INTEGERS, .low = -1000, .high = 1000 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_INT32, .ndim = 1, .dims = { N } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .inputs = inputs,
	.output_count = 1, .outputs = outputs,
};

int kb_forward(const struct kb_native_call *call)
{
	const int32_t *x = call->inputs[0].data;
	int32_t *y = call->outputs[0].data;
	uint64_t n = call->inputs[0].dims[0];
	int32_t sum = 0;

	for (uint64_t i = 0; i < n; i++)
		y[i] = sum += x[i];
	return KB_NATIVE_OK;
}
