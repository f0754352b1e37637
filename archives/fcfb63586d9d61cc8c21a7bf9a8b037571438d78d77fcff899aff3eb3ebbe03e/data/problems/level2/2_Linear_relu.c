#include <kb_native.h>

/*
 * A linear layer and a ReLU: y = max(0, x * weight^T + bias).
 *
 * input: x[rows][in]; parameters: weight[out][in], bias[out];
 * output: y[rows][out]. No size is a multiple of a round block.
 */

#define ROWS 60
#define IN 200
#define OUT 92

static const struct kb_native_spec inputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, IN },
	  .draw = KB_NATIVE_NORMAL, .low = 0.0, .high = 1.0 },
};

static const struct kb_native_spec params[] = {
	{ .name = "weight",
	  .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { OUT, IN },
	  .draw = KB_NATIVE_UNIFORM, .low = -0.1, .high = 0.1 },
	{ .name = "bias",
	  .dtype = KB_NATIVE_FLOAT32, .ndim = 1, .dims = { OUT },
	  .draw = KB_NATIVE_UNIFORM, .low = -0.1, .high = 0.1 },
};

static const struct kb_native_spec outputs[] = {
	{ .dtype = KB_NATIVE_FLOAT32, .ndim = 2, .dims = { ROWS, OUT } },
};

const struct kb_native_problem kb_problem = {
	.version = KB_NATIVE_VERSION,
	.input_count = 1, .inputs = inputs,
	.param_count = 2, .params = params,
	.output_count = 1, .outputs = outputs,
};

static float dot(const float *a, const float *b, uint64_t n)
{
	float sum = 0.0f;

	for (uint64_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	const float *weight = call->params[0].data;
	const float *bias = call->params[1].data;
	float *y = call->outputs[0].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t in = call->inputs[0].dims[1];
	uint64_t out = call->params[0].dims[0];

	for (uint64_t row = 0; row < rows; row++) {
		for (uint64_t col = 0; col < out; col++) {
			float sum = bias[col] + dot(x + row * in,
						    weight + col * in, in);

			y[row * out + col] = sum > 0.0f ? sum : 0.0f;
		}
	}
	return KB_NATIVE_OK;
}
