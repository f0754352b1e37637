#ifndef KB_DEVICE_COMPARE_ELEMENTS_CUH
#define KB_DEVICE_COMPARE_ELEMENTS_CUH

#include "cuda/cuda_kernel.h"

#include "base/dtype.h"
#include "base/float8.h"
#include "base/float_bits.h"
#include "base/half.h"
#include "device/compare_quick.cuh"
#include "device/kernels.h"
#include "device/quad.cuh"

/* The comparison of one element, with all the cases of device/compare.h, and
 * what a block has found so far. */

struct block {
	double square_sum[THREADS];
	uint64_t mismatched[THREADS];
	uint64_t not_finite[THREADS];
	uint64_t first[THREADS];
	/* As bits, of which the largest are those of the largest number. */
	unsigned long long max_abs, max_rel;
};

static inline double float_at(uint64_t data, enum kb_dtype dtype, uint64_t i)
{
	switch (dtype) {
	case KB_FLOAT64:
		return ((const double *)data)[i];
	case KB_FLOAT32:
		return (double)((const float *)data)[i];
	case KB_FLOAT16:
		return (double)float_from_float16(((const uint16_t *)data)[i]);
	case KB_BFLOAT16:
		return (double)kb_float_from_bfloat16(
			((const uint16_t *)data)[i]);
	default:
		return (double)float_from_float8(((const uint8_t *)data)[i],
						 dtype);
	}
}

static inline int64_t integer_at(uint64_t data, enum kb_dtype dtype,
				 uint64_t i)
{
	switch (dtype) {
	case KB_INT64:
		return ((const int64_t *)data)[i];
	case KB_INT32:
		return ((const int32_t *)data)[i];
	case KB_INT16:
		return ((const int16_t *)data)[i];
	case KB_INT8:
		return ((const int8_t *)data)[i];
	default:
		return ((const uint8_t *)data)[i];
	}
}

static inline void raise_to(unsigned long long *most, double x)
{
	unsigned long long bits = kb_double_bits(x);

	if (bits > *(volatile unsigned long long *)most)
		atomicMax(most, bits);
}

/* error / size, rounded up. */
static inline double ratio_above(double error, double size)
{
	double q = error / size;
	uint32_t sign = sign_of(fma(q, size, -error));	/* also of -0 */

	if (q < DBL_MAX && sign >> 31)
		return kb_double_from_bits(kb_double_bits(q) + 1);
	return q;
}

/*
 * The same, with the digits of a float32. These are above 0 and no product
 * of such a number and a size is so close to an error as a double is to
 * the next, so it does not matter that the quotient was rounded before.
 */
static inline double narrow_ratio_above(double error, double size)
{
	const uint64_t low = ((uint64_t)1 << (DBL_MANT_DIG - FLT_MANT_DIG)) - 1;

	return kb_double_from_bits((kb_double_bits(error / size) + low) & ~low);
}

static inline double add_errors(struct block *s, double error, double size)
{
	raise_to(&s->max_abs, error);
	if (size > 0)
		raise_to(&s->max_rel, ratio_above(error, size));
	return error * error;
}

/* Errors as in look_narrow(), unless float32 has no such number. */
static inline double add_narrow_errors(struct block *s, double a, double b)
{
	double error = (double)fabsf((float)a - (float)b), size = fabs(b);

	if (error > FLT_MAX)
		error = fabs(a - b);
	raise_to(&s->max_abs, error);
	if (size > 0)
		raise_to(&s->max_rel, narrow_ratio_above(error, size));
	return error * error;
}

static inline void add_mismatch(struct block *s, uint64_t index)
{
	s->mismatched[threadIdx.x]++;
	if (index < s->first[threadIdx.x])
		s->first[threadIdx.x] = index;
}

static inline bool is_finite(double x)
{
	return fabs(x) <= DBL_MAX;
}

/* As kb_tolerance_of_tensor() has it, where it is of a tensor. */
static inline double atol_of(const struct kb_kernel_comparison *item)
{
	const double atol = item->atol + item->rtol * item->largest;

	if (!item->of_tensor)
		return item->atol;
	return atol > 0 ? kb_double_from_bits(kb_double_bits(atol) - 1) : 0;
}

static inline double rtol_of(const struct kb_kernel_comparison *item)
{
	return item->of_tensor ? 0 : item->rtol;
}

static inline double look_at_floats(struct block *s,
				    const struct kb_kernel_comparison *item,
				    enum kb_dtype dtype, uint64_t index)
{
	double a = float_at(item->candidate, dtype, index);
	double b = float_at(item->expected, dtype, index);
	double error = fabs(a - b), size = fabs(b);

	if (is_finite(a) && is_finite(b)) {
		if (error - (atol_of(item) + rtol_of(item) * size) > 0)
			add_mismatch(s, index);
		return is_narrow(dtype) ? add_narrow_errors(s, a, b) :
			add_errors(s, error, size);
	}
	if (is_finite(b)) {
		s->not_finite[threadIdx.x]++;
		add_mismatch(s, index);
	} else if (a != b && !(a != a && b != b)) {
		add_mismatch(s, index);
	}
	return 0;
}

static inline double look_at_integers(struct block *s,
				      const struct kb_kernel_comparison *item,
				      uint64_t index)
{
	const enum kb_dtype dtype = (enum kb_dtype)item->dtype;
	int64_t a = integer_at(item->candidate, dtype, index);
	int64_t b = integer_at(item->expected, dtype, index);
	uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b :
		(uint64_t)b - (uint64_t)a;

	if (a == b)
		return 0;
	add_mismatch(s, index);
	return add_errors(s, (double)distance, fabs((double)b));
}

static inline bool is_float(enum kb_dtype dtype)
{
	return dtype <= KB_BFLOAT16 || dtype >= KB_FLOAT8_E4M3FN;
}

/* `n` elements, one after the other. Returns the sum of their squares. */
static inline double look_closely(struct block *s,
				  const struct kb_kernel_comparison *item,
				  enum kb_dtype dtype, uint64_t first,
				  unsigned n)
{
	double squares = 0;

	KB_NOT_UNROLLED
	for (unsigned i = 0; i < n; i++)
		squares += is_float(dtype) ?
			look_at_floats(s, item, dtype, first + i) :
			look_at_integers(s, item, first + i);
	return squares;
}

#endif
