/* A candidate for torch/linear.py: y = x weight^T + bias, one more sum. */
#include <kb_native.h>
#include <string.h>

static const struct kb_native_tensor *find(const struct kb_native_call *call,
					   const char *name)
{
	for (uint32_t i = 0; i < call->param_count; i++)
		if (!strcmp(call->params[i].name, name))
			return &call->params[i];
	return 0;
}

int kb_forward(const struct kb_native_call *call)
{
	const struct kb_native_tensor *w = find(call, "linear.weight");
	const struct kb_native_tensor *b = find(call, "linear.bias");
	const float *x = call->inputs[0].data;
	float *y = call->outputs[0].data;

	if (!w || !b || call->param_count != 2)
		return KB_NATIVE_FAILED;
	for (uint64_t r = 0; r < call->inputs[0].dims[0]; r++)
		for (uint64_t o = 0; o < w->dims[0]; o++) {
			float sum = ((const float *)b->data)[o];

			for (uint64_t i = 0; i < w->dims[1]; i++)
				sum += x[r * w->dims[1] + i] *
				       ((const float *)w->data)[o * w->dims[1] + i];
			y[r * w->dims[0] + o] = sum;
		}
	return KB_NATIVE_OK;
}
