#ifndef KB_RANDOM_GAUSS_PAIR_H
#define KB_RANDOM_GAUSS_PAIR_H

#include <math.h>
#include <stdint.h>

#include "base/float_bits.h"

/*
 * The arithmetic of random/gauss.h for one pair, for the loop there and for
 * kernels. Inline, so that the loop can be vectorised.
 */

/* Both have their last bit right; the rest of ln 2 is 2^-55 away. */
#define KB_GAUSS_LN_2 0x1.62e42fefa39efp-1
#define KB_GAUSS_HALF_PI 0x1.921fb54442d18p+0

#define KB_GAUSS_SQRT_HALF_BITS UINT64_C(0x3fe6a09e667f3bcd)

/* Adding 3 * 2^51 leaves the nearest integer in a double's last bits. */
#define KB_GAUSS_ROUNDER 0x1.8p52

/*
 * ln u = e ln 2 + ln m with m in [sqrt(1/2), sqrt(2)), and then
 * ln m = 2 artanh(s) with s = (m - 1) / (m + 1), so |s| < 0.172.
 *
 * The exponent is offset by 64 to keep it positive, which spares an
 * arithmetic shift that AVX2 does not have.
 */
static inline double kb_gauss_log(double u)
{
	uint64_t bits = kb_double_bits(u);
	uint64_t offset = bits - KB_GAUSS_SQRT_HALF_BITS +
		(UINT64_C(64) << 52);
	uint64_t exponent = offset >> 52;
	double e = kb_double_from_bits(exponent | kb_double_bits(0x1p52)) -
		0x1p52 - 64;
	double m = kb_double_from_bits(bits - (exponent << 52) +
				       (UINT64_C(64) << 52));
	double s = (m - 1) / (m + 1);
	double t = s * s;
	double p = 1.0 / 21;

	p = p * t + 1.0 / 19;
	p = p * t + 1.0 / 17;
	p = p * t + 1.0 / 15;
	p = p * t + 1.0 / 13;
	p = p * t + 1.0 / 11;
	p = p * t + 1.0 / 9;
	p = p * t + 1.0 / 7;
	p = p * t + 1.0 / 5;
	p = p * t + 1.0 / 3;
	return e * KB_GAUSS_LN_2 + 2 * (s + s * (t * p));
}

/* For |x| <= pi/4. */
static inline double kb_gauss_sin(double x)
{
	double t = x * x;
	double p = 1.0 / 355687428096000;	/* 1/17! */

	p = p * t - 1.0 / 1307674368000;
	p = p * t + 1.0 / 6227020800;
	p = p * t - 1.0 / 39916800;
	p = p * t + 1.0 / 362880;
	p = p * t - 1.0 / 5040;
	p = p * t + 1.0 / 120;
	p = p * t - 1.0 / 6;
	return x + x * (t * p);
}

/* For |x| <= pi/4. */
static inline double kb_gauss_cos(double x)
{
	double t = x * x;
	double p = 1.0 / 20922789888000;	/* 1/16! */

	p = p * t - 1.0 / 87178291200;
	p = p * t + 1.0 / 479001600;
	p = p * t - 1.0 / 3628800;
	p = p * t + 1.0 / 40320;
	p = p * t - 1.0 / 720;
	p = p * t + 1.0 / 24;
	p = p * t - 1.0 / 2;
	return 1 + t * p;
}

/*
 * The angle is 2 pi v = (quarter + rest) pi/2, the quarter the nearest
 * integer to 4 v. Odd quarters swap sine and cosine.
 */
static inline void kb_gauss_pair(double *even, double *odd, double u, double v)
{
	double radius = sqrt(-2 * kb_gauss_log(u));
	double rounded = 4 * v + KB_GAUSS_ROUNDER;
	uint64_t quarter = kb_double_bits(rounded);
	double x = (4 * v - (rounded - KB_GAUSS_ROUNDER)) * KB_GAUSS_HALF_PI;
	uint64_t s = kb_double_bits(kb_gauss_sin(x));
	uint64_t c = kb_double_bits(kb_gauss_cos(x));
	uint64_t swap = (s ^ c) & (0 - (quarter & 1));

	c ^= swap ^ ((quarter + 1) & 2) << 62;
	s ^= swap ^ (quarter & 2) << 62;
	*even = radius * kb_double_from_bits(c);
	*odd = radius * kb_double_from_bits(s);
}

#endif
