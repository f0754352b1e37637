/* expected: correct; an exponential that the compiler can vectorise */
#include <kb_native.h>

#define LOG2_E 1.44269504f

/*
 * e^x for -87 < x <= 0, otherwise 0, to a few units in the last place:
 * 2^(k + f) with k an integer and |f| <= 1/2, the power of f by its Taylor
 * series and the power of k by writing the exponent.
 */
static inline float exp_of_negative(float x)
{
	const float magic = 0x1.8p23f;	/* adding it rounds to an integer */
	float scaled = x * LOG2_E;
	float k = (scaled + magic) - magic;
	float f = scaled - k;
	union {
		int32_t bits;
		float value;
	} two_to_k = { .bits = ((int32_t)k + 127) << 23 };
	float power = 1.5403530e-4f;

	power = power * f + 1.3333558e-3f;
	power = power * f + 9.6181291e-3f;
	power = power * f + 5.5504109e-2f;
	power = power * f + 2.4022651e-1f;
	power = power * f + 6.9314718e-1f;
	power = power * f + 1.0f;
	power *= two_to_k.value;
	return x > -87.0f ? power : 0.0f;
}

static void softmax(float *y, const float *x, uint64_t n)
{
	float max = x[0];
	float sum = 0.0f;

#pragma omp simd reduction(max : max)
	for (uint64_t i = 0; i < n; i++)
		max = x[i] > max ? x[i] : max;
#pragma omp simd reduction(+ : sum)
	for (uint64_t i = 0; i < n; i++)
		sum += y[i] = exp_of_negative(x[i] - max);

	float scale = 1.0f / sum;

	for (uint64_t i = 0; i < n; i++)
		y[i] *= scale;
}

int kb_forward(const struct kb_native_call *call)
{
	const float *x = call->inputs[0].data;
	float *y = call->outputs[0].data;
	uint64_t rows = call->inputs[0].dims[0];
	uint64_t columns = call->inputs[0].dims[1];

	for (uint64_t row = 0; row < rows; row++)
		softmax(y + row * columns, x + row * columns, columns);
	return KB_NATIVE_OK;
}
