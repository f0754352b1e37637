#ifndef KB_DEVICE_COMPARE_QUICK_CUH
#define KB_DEVICE_COMPARE_QUICK_CUH

#include "cuda/cuda_kernel.h"

#include "base/dtype.h"
#include "base/float8.h"
#include "base/float_bits.h"
#include "base/half.h"
#include "device/quad.cuh"

/* A quick look at the elements of a quad: is none of them far from what is
 * expected, not finite, or the worst so far? device/compare.cuh says when. */

struct bounds {
	double max_abs, max_rel;	/* so far */
	double atol, rtol;
	struct {
		float max_abs, max_rel;
		float atol, rtol;
	} narrow;			/* the same for narrow types */
};

/* What became of the quick look at a quad. */
struct look {
	double squares;			/* not finite: look again */
	uint32_t signs;			/* highest bit set: look again */
};

static inline uint32_t sign_of(double x)
{
	return (uint32_t)(kb_double_bits(x) >> 32);
}

/*
 * Relative errors are rounded up. So error / size exceeds max_rel only if
 * error exceeds the product of the two, and whoever set max_rel does not; a
 * fused operation gets the sign of that difference right.
 */
static inline void look_wide(struct look *l, double a, double b,
			     const struct bounds *m)
{
	double error = fabs(a - b), size = fabs(b);

	l->squares = fma(error, error, l->squares);
	l->signs |= sign_of(m->max_abs - error) |
		sign_of(fma(m->max_rel, size, -error)) |
		sign_of(m->atol + m->rtol * size - error);
}

/*
 * The same in float32, for float32 and types of 8 bits. Here an error is the
 * difference rounded to float32, so these are the numbers of which max_abs
 * is one, and max_rel has as many digits.
 */
struct narrow_look {
	float squares;
	uint32_t signs;
};

static inline bool is_narrow(enum kb_dtype dtype)
{
	return dtype == KB_FLOAT32 || dtype >= KB_FLOAT8_E4M3FN;
}

/*
 * Less than the tolerance `x`, which is not negative, by so much that what
 * rounding does is made up for; 0 for what float32 may lack digits for.
 */
static inline float narrow_tolerance(double x)
{
	float f = (float)(x * (1 - 0x1p-20));

	return f < 0x1p-100f ? 0 : fminf(f, FLT_MAX);
}

static inline void look_narrow(struct narrow_look *l, float a, float b,
			       const struct bounds *m)
{
	float error = fabsf(a - b), size = fabsf(b);

	l->squares = fmaf(error, error, l->squares);
	l->signs |= kb_float_bits(m->narrow.max_abs - error) |
		kb_float_bits(fmaf(m->narrow.max_rel, size, -error)) |
		kb_float_bits(fmaf(m->narrow.rtol, size,
				   m->narrow.atol - error));
}

/* What the chip converts, it converts as base/half.h does. */
static inline float float_from_float16(uint32_t bits)
{
#ifdef __CUDA_ARCH__
	float x;

	asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"((uint16_t)bits));
	return x;
#else
	return kb_float_from_float16((uint16_t)bits);
#endif
}

static inline float float_from_float8(uint32_t bits, enum kb_dtype dtype)
{
	return dtype == KB_FLOAT8_E5M2 ? float_from_float16(bits << 8) :
		kb_float_from_float8_e4m3fn((uint8_t)bits);
}

/* Two float8 in the lower half of `bits`. */
static inline void widen_float8(float x[2], uint32_t bits, enum kb_dtype dtype)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
	uint32_t halves;

	if (dtype == KB_FLOAT8_E5M2)
		asm("cvt.rn.f16x2.e5m2x2 %0, %1;"
		    : "=r"(halves) : "h"((uint16_t)bits));
	else
		asm("cvt.rn.f16x2.e4m3x2 %0, %1;"
		    : "=r"(halves) : "h"((uint16_t)bits));
	x[0] = float_from_float16(halves & 0xffff);
	x[1] = float_from_float16(halves >> 16);
#else
	x[0] = float_from_float8(bits & 0xff, dtype);
	x[1] = float_from_float8(bits >> 8 & 0xff, dtype);
#endif
}

static inline struct look look_at_float8(const struct quad *a,
					 const struct quad *b,
					 const struct bounds *m,
					 enum kb_dtype dtype)
{
	struct narrow_look n = { 0, 0 };
	struct look l;

	for (int i = 0; i < 8; i++) {
		float x[2], y[2];

		widen_float8(x, a->word[i / 2] >> 16 * (i % 2), dtype);
		widen_float8(y, b->word[i / 2] >> 16 * (i % 2), dtype);
		look_narrow(&n, x[0], y[0], m);
		look_narrow(&n, x[1], y[1], m);
	}
	l.squares = (double)n.squares;
	l.signs = n.signs;
	return l;
}

/* Squares that float32 has the exponents for are added up in it. */
static inline struct look look_at_float32(const struct quad *a,
					  const struct quad *b,
					  const struct bounds *m)
{
	struct narrow_look n = { 0, 0 };
	struct look l;

	for (int i = 0; i < 4; i++)
		look_narrow(&n, kb_float_from_bits(a->word[i]),
			    kb_float_from_bits(b->word[i]), m);
	l.squares = (double)n.squares;
	l.signs = n.signs;
	if (n.squares >= 0x1p-100f && n.squares <= FLT_MAX)
		return l;
	l.squares = 0;
	for (int i = 0; i < 4; i++) {
		double error = (double)(kb_float_from_bits(a->word[i]) -
					kb_float_from_bits(b->word[i]));

		l.squares = fma(error, error, l.squares);
	}
	return l;
}

static inline double quad_double(const struct quad *q, int i)
{
	return kb_double_from_bits(q->word[2 * i] |
				   (uint64_t)q->word[2 * i + 1] << 32);
}

/* The lower half of a word comes first. */
static inline double quad_half(const struct quad *q, int i,
			       enum kb_dtype dtype)
{
	uint32_t word = q->word[i / 2];
	uint32_t half = i % 2 ? word >> 16 : word & 0xffff;

	return dtype == KB_FLOAT16 ? (double)float_from_float16(half) :
		(double)kb_float_from_bits(half << 16);
}

static inline struct look look_quickly(const struct quad *a,
				       const struct quad *b,
				       const struct bounds *m,
				       enum kb_dtype dtype)
{
	struct look l = { 0, 0 };

	switch (dtype) {
	case KB_FLOAT64:
		for (int i = 0; i < 2; i++)
			look_wide(&l, quad_double(a, i), quad_double(b, i), m);
		return l;
	case KB_FLOAT32:
		return look_at_float32(a, b, m);
	case KB_FLOAT16:
	case KB_BFLOAT16:
		for (int i = 0; i < 8; i++)
			look_wide(&l, quad_half(a, i, dtype),
				  quad_half(b, i, dtype), m);
		return l;
	case KB_FLOAT8_E4M3FN:
	case KB_FLOAT8_E5M2:
		return look_at_float8(a, b, m, dtype);
	default:	/* integers that differ */
		l.squares = HUGE_VAL;
		return l;
	}
}

#endif
