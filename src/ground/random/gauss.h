#ifndef KB_RANDOM_GAUSS_H
#define KB_RANDOM_GAUSS_H

#include <stddef.h>

/*
 * Normal numbers from uniform ones by the method of Box and Muller (1958),
 * the same to the last bit on every machine.
 *
 *	z[2j]     = sqrt(-2 ln u[j]) cos(2 pi v[j])
 *	z[2j + 1] = sqrt(-2 ln u[j]) sin(2 pi v[j])
 *
 * A libm's logarithm, sine and cosine differ between libraries in the last
 * digit. These are Taylor series made of IEEE 754 double additions,
 * multiplications, divisions and square roots in a fixed order, each
 * rounded to nearest, none fused. doc/spec-inputs.md writes them out. They are
 * within 4 units in the last place of the true values, except that a sine
 * or cosine next to its zero has an absolute error of 2^-52.
 *
 * `u` in [2^-53, 1), `v` in [0, 1); `z` has room for 2 * `pairs` and does
 * not overlap them.
 */
void kb_gauss_pairs(double *z, const double *u, const double *v, size_t pairs);

#endif
