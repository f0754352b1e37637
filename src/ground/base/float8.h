#ifndef KB_BASE_FLOAT8_H
#define KB_BASE_FLOAT8_H

#include <stdint.h>

#include "base/half.h"

/*
 * The two 8-bit floating-point formats of the Open Compute Project, as
 * bits, widened exactly. float8_e5m2 is the upper half of a float16.
 * float8_e4m3fn has 4 bits of exponent with a bias of 7 and 3 of fraction;
 * it has no infinities, and one NaN of each sign: it reaches to 448.
 *
 * Inline, so that loops over them can be vectorised.
 */

static inline float kb_float_from_float8_e5m2(uint8_t b)
{
	return kb_float_from_float16((uint16_t)(b << 8));
}

static inline float kb_float_from_float8_e4m3fn(uint8_t b)
{
	uint32_t sign = (uint32_t)(b & 0x80) << 24;
	uint32_t magnitude = b & 0x7f;
	/* The exponent's bias goes from 7 to 127, subnormals included. */
	float scaled = kb_float_from_bits(magnitude << 20) * 0x1p120f;

	return kb_float_from_bits(sign | (magnitude < 0x7f ?
					  kb_float_bits(scaled) : 0x7fc00000));
}

#endif
