/* expected: build_failed; a semicolon is missing */
#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	const float alpha = *(const float *)call->inputs[0].data;
	const float *x = call->inputs[1].data;
	const float *z = call->inputs[2].data;
	float *y = call->outputs[0].data
	uint64_t n = call->inputs[1].dims[0];

	for (uint64_t i = 0; i < n; i++)
		y[i] = alpha * x[i] + z[i];
	return KB_NATIVE_OK;
}
