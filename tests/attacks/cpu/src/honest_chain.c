#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	float s = 0;

	for (int i = 0; i < 1048576; i++)
		s = s * 0.9999f + x[i] - s * s * 1e-6f;
	*(float *)call->outputs[0].data = s;
	return KB_NATIVE_OK;
}
