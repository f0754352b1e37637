/* expected: crashed; SIGSEGV, reads through a null pointer */
#include <kb_native.h>

/* Volatile, so that the compiler cannot know that it is null. */
static const float *volatile table;

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[1].data;
	float *y = call->outputs[0].data;
	uint64_t n = call->inputs[1].dims[0];

	for (uint64_t i = 0; i < n; i++)
		y[i] = table[i] * x[i];
	return KB_NATIVE_OK;
}
