/* expected: correct; four columns at a time, in as many lanes as fit */
#include <kb_native.h>

#define BLOCK 4

static inline float relu(float x)
{
	return x > 0.0f ? x : 0.0f;
}

/* sum[j] = a . b[j] for BLOCK consecutive rows of b. */
static void dot_block(float sum[BLOCK], const float *a, const float *b,
		      uint64_t n)
{
	float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;

#pragma omp simd reduction(+ : s0, s1, s2, s3)
	for (uint64_t i = 0; i < n; i++) {
		s0 += a[i] * b[i];
		s1 += a[i] * b[n + i];
		s2 += a[i] * b[2 * n + i];
		s3 += a[i] * b[3 * n + i];
	}
	sum[0] = s0;
	sum[1] = s1;
	sum[2] = s2;
	sum[3] = s3;
}

static float dot(const float *a, const float *b, uint64_t n)
{
	float sum = 0.0f;

#pragma omp simd reduction(+ : sum)
	for (uint64_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

static void linear_relu_row(float *y, const float *x, const float *weight,
			    const float *bias, uint64_t in, uint64_t out)
{
	float sum[BLOCK];
	uint64_t col = 0;

	for (; col + BLOCK <= out; col += BLOCK) {
		dot_block(sum, x, weight + col * in, in);
		for (uint64_t j = 0; j < BLOCK; j++)
			y[col + j] = relu(sum[j] + bias[col + j]);
	}
	for (; col < out; col++)
		y[col] = relu(dot(x, weight + col * in, in) + bias[col]);
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	float *y = call->outputs[0].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t in = call->inputs[0].dims[1];
	uint64_t out = call->outputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++)
		linear_relu_row(y + row * out, x + row * in,
				call->params[0].data, call->params[1].data,
				in, out);
	return KB_NATIVE_OK;
}
