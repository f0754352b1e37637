/* expected: mismatch; skips the tile that the tile size does not divide */
#include <kb_native.h>

#define TILE 64

static float dot(const float *a, const float *b, uint64_t n)
{
	float sum = 0.0f;

	for (uint64_t start = 0; start + TILE <= n; start += TILE)
		for (uint64_t i = start; i < start + TILE; i++)
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
	uint64_t out = call->outputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++) {
		for (uint64_t col = 0; col < out; col++) {
			float sum = bias[col] + dot(x + row * in,
						    weight + col * in, in);

			y[row * out + col] = sum > 0.0f ? sum : 0.0f;
		}
	}
	return KB_NATIVE_OK;
}
