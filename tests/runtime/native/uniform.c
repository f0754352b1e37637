/* y = x. */
#include <kb_native.h>
#include <string.h>

static const struct kb_native_spec x = {
	.dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { 1000 },
	.draw = KB_NATIVE_UNIFORM, .low = -1, .high = 1,
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1,
	.output_count = 1,
	.inputs = &x,
	.outputs = &x,
};

int kb_forward(const struct kb_native_call *call)
{
	memcpy(call->outputs[0].data, call->inputs[0].data,
	       1000 * sizeof(float));
	return KB_NATIVE_OK;
}
