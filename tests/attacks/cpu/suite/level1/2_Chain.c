#include <kb_native.h>

#define N 1048576

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { N },
	  .draw = KB_NATIVE_UNIFORM, .low = 0, .high = 1 },
};
static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { 1 } },
};
const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .output_count = 1,
	.inputs = inputs, .outputs = outputs,
};

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	float s = 0;

	for (int i = 0; i < N; i++)
		s = s * 0.9999f + x[i] - s * s * 1e-6f;
	*(float *)call->outputs[0].data = s;
	return KB_NATIVE_OK;
}
