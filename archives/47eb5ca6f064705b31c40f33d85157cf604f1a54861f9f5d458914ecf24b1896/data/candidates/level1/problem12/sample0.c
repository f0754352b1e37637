/* expected: correct; compares whole vectors of values with one bin at a time */
#include <string.h>

#include <kb_native.h>

#define BINS 8
#define BLOCK 224	/* whole vectors, and few enough for a count in a byte */

static uint8_t count_equal(const uint8_t *values, uint64_t n, uint8_t bin)
{
	uint8_t equal = 0;

#pragma omp simd reduction(+ : equal)
	for (uint64_t i = 0; i < n; i++)
		equal += values[i] == bin;
	return equal;
}

static void count_block(int64_t *count, const uint8_t *values, uint64_t n)
{
	for (uint8_t bin = 0; bin < BINS; bin++)
		count[bin] += count_equal(values, n, bin);
}

int kb_forward(const struct kb_native_call *call)
{
	const uint8_t *values = call->inputs[0].data;
	int64_t *count = call->outputs[0].data;
	uint64_t left = call->inputs[0].dims[0];

	memset(count, 0, BINS * sizeof(*count));
	for (; left > BLOCK; left -= BLOCK, values += BLOCK)
		count_block(count, values, BLOCK);
	count_block(count, values, left);
	return KB_NATIVE_OK;
}
