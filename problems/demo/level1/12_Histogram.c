#include <string.h>

#include <kb_native.h>

/*
 * How often each value occurs.
 *
 * input: values[n], uint8, 0 <= value < BINS; output: count[BINS], int64.
 */

#define N (1u << 17)
#define BINS 8

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_UINT8, .ndim = 1, .dims = { N },
	  .draw = KB_NATIVE_INTEGERS, .low = 0, .high = BINS },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_INT64, .ndim = 1, .dims = { BINS } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .inputs = inputs,
	.output_count = 1, .outputs = outputs,
};

int kb_forward(const struct kb_native_call *call)
{
	const uint8_t *values = call->inputs[0].data;
	int64_t *count = call->outputs[0].data;
	uint64_t n = call->inputs[0].dims[0];

	memset(count, 0, BINS * sizeof(*count));
	for (uint64_t i = 0; i < n; i++)
		count[values[i]]++;
	return KB_NATIVE_OK;
}
