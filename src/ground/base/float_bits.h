#ifndef KB_BASE_FLOAT_BITS_H
#define KB_BASE_FLOAT_BITS_H

#include <stdint.h>
#include <string.h>

/*
 * The bits of a binary32 or binary64, as an integer of that size, and back.
 * Inline, for loops that are to be vectorised and for kernels.
 */

static inline uint32_t kb_float_bits(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline float kb_float_from_bits(uint32_t bits)
{
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

static inline uint64_t kb_double_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline double kb_double_from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

#endif
