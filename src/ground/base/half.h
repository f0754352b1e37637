#ifndef KB_BASE_HALF_H
#define KB_BASE_HALF_H

#include <stdint.h>

#include "base/float_bits.h"

/*
 * The two 16-bit floating-point formats, as bits: float16 is IEEE 754
 * binary16 (5 bits of exponent, 10 of fraction), bfloat16 the upper half
 * of a float32. Widening is exact. Narrowing rounds to the nearest, ties
 * to even, overflows to infinity, and makes one quiet NaN of every NaN.
 *
 * Inline, so that loops over them can be vectorised.
 */

static inline float kb_float_from_bfloat16(uint16_t h)
{
	return kb_float_from_bits((uint32_t)h << 16);
}

static inline uint16_t kb_bfloat16_from_float(float x)
{
	uint32_t bits = kb_float_bits(x);
	uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
	uint32_t quiet_nan = (bits & 0x80000000) | 0x7fc00000;

	return (uint16_t)((x == x ? rounded : quiet_nan) >> 16);
}

static inline float kb_float_from_float16(uint16_t h)
{
	uint32_t sign = (uint32_t)(h & 0x8000) << 16;
	uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
	uint32_t special = magnitude | 0x7f800000;	/* Inf and NaN */
	/* The exponent's bias goes from 15 to 127, subnormals included. */
	float scaled = kb_float_from_bits(magnitude) * 0x1p112f;

	return kb_float_from_bits(sign | (magnitude < 0x0f800000 ?
					  kb_float_bits(scaled) : special));
}

static inline uint16_t kb_float16_from_float(float x)
{
	uint32_t bits = kb_float_bits(x);
	uint32_t sign = bits >> 16 & 0x8000;
	uint32_t magnitude = bits & 0x7fffffff;
	/* In [0.5, 1) the last place of a float is that of a subnormal
	 * float16, so the addition does the rounding. */
	float shifted = kb_float_from_bits(magnitude) + 0.5f;
	uint32_t subnormal = kb_float_bits(shifted) - 0x3f000000;
	/* A carry out of the fraction is the next exponent, as it should. */
	uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) -
			   (112u << 23)) >> 13;

	if (magnitude > 0x7f800000)
		return (uint16_t)(sign | 0x7e00);
	if (magnitude >= 0x47800000)			/* 65536 and more */
		return (uint16_t)(sign | 0x7c00);
	if (magnitude < 0x38800000)			/* below 2^-14 */
		return (uint16_t)(sign | subnormal);
	return (uint16_t)(sign | normal);
}

#endif
