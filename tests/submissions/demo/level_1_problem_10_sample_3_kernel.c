/* expected: output_limit; prints without end */
#include <stdio.h>

#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t i = 0;; i = (i + 1) % columns)
		printf("x[%ju] = %g\n", (uintmax_t)i, (double)x[i]);
}
