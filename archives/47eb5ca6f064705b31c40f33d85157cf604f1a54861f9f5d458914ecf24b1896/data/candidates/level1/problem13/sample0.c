/* expected: mismatch; looks at the first half of each row only */
#include <kb_native.h>

static int64_t argmax(const float *x, uint64_t n)
{
	uint64_t best = 0;

	for (uint64_t i = 1; i < n; i++)
		if (x[i] > x[best])
			best = i;
	return (int64_t)best;
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	int64_t *index = call->outputs[0].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++)
		index[row] = argmax(x + row * columns, columns / 2);
	return KB_NATIVE_OK;
}
