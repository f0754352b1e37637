#include "base/gauss.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clones.h"

_Static_assert(FLT_EVAL_METHOD == 0, "doubles must be computed as doubles");

/* Both have their last bit right; the rest of ln 2 is 2^-55 away. */
#define LN_2 0x1.62e42fefa39efp-1
#define HALF_PI 0x1.921fb54442d18p+0

#define SQRT_HALF_BITS UINT64_C(0x3fe6a09e667f3bcd)

/* Adding 3 * 2^51 leaves the nearest integer in a double's last bits. */
#define ROUNDER 0x1.8p52

static inline uint64_t double_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static inline double from_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * ln u = e ln 2 + ln m with m in [sqrt(1/2), sqrt(2)), and then
 * ln m = 2 artanh(s) with s = (m - 1) / (m + 1), so |s| < 0.172.
 *
 * The exponent is offset by 64 to keep it positive, which spares an
 * arithmetic shift that AVX2 does not have.
 */
static inline double log_of(double u)
{
	uint64_t offset = double_bits(u) - SQRT_HALF_BITS + (UINT64_C(64) << 52);
	uint64_t exponent = offset >> 52;
	double e = from_bits(exponent | double_bits(0x1p52)) - 0x1p52 - 64;
	double m = from_bits(double_bits(u) - (exponent << 52) +
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
	return e * LN_2 + 2 * (s + s * (t * p));
}

/* For |x| <= pi/4. */
static inline double sin_of(double x)
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
static inline double cos_of(double x)
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
KB_CLONES static void pairs_generate(double *restrict z,
				     const double *restrict u,
				     const double *restrict v, size_t pairs)
{
	for (size_t j = 0; j < pairs; j++) {
		double radius = sqrt(-2 * log_of(u[j]));
		double rounded = 4 * v[j] + ROUNDER;
		uint64_t quarter = double_bits(rounded);
		double x = (4 * v[j] - (rounded - ROUNDER)) * HALF_PI;
		uint64_t s = double_bits(sin_of(x)), c = double_bits(cos_of(x));
		uint64_t swap = (s ^ c) & (0 - (quarter & 1));

		c ^= swap ^ ((quarter + 1) & 2) << 62;
		s ^= swap ^ (quarter & 2) << 62;
		z[2 * j] = radius * from_bits(c);
		z[2 * j + 1] = radius * from_bits(s);
	}
}

void kb_gauss_pairs(double *z, const double *u, const double *v, size_t pairs)
{
	pairs_generate(z, u, v, pairs);
}
