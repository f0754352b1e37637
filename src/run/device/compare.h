#ifndef KB_DEVICE_COMPARE_H
#define KB_DEVICE_COMPARE_H

#include <stdint.h>

#include "base/dtype.h"
#include "device/tolerance.h"

/*
 * Is what a candidate computed what the reference computed?
 *
 * Element by element, a from the candidate and b the expected:
 *
 *	both finite		a match if |a - b| <= atol + rtol |b|, which
 *				is computed in float64
 *	b finite, a is not	a mismatch, and counted in `not_finite`
 *	b infinite		a match if a is the same infinity
 *	b a NaN			a match if a is any NaN
 *	integer, bool		a match if all bits are equal: a byte of 2
 *				is not the true that a 1 is
 *
 * Errors are those of pairs of finite elements, matching or not, and of
 * integers. The relative error is |a - b| / |b| and leaves out b = 0. The
 * RMS is sqrt(sum |a - b|^2 / elements), so pairs that are not finite add
 * nothing to the sum. An error that exceeds float64 is infinite, and so is
 * the RMS if a square does.
 *
 * The result depends on nothing but the elements: squares are summed up in
 * a fixed order, whatever the machine's vectors are.
 */

struct kb_compare_result {
	uint64_t elements;
	uint64_t mismatched;
	uint64_t not_finite;
	uint64_t first_mismatch;	/* index; `elements` if there is none */
	double max_abs_error;
	double max_rel_error;
	double rms_error;
};

/*
 * Compare `count` elements. Both arrays are aligned for `dtype`. The
 * tolerance does not matter to integers; its members are finite and not
 * negative.
 */
void kb_compare(struct kb_compare_result *out, const void *candidate,
		const void *expected, enum kb_dtype dtype, uint64_t count,
		struct kb_tolerance tolerance);

/* The largest |b| of the finite elements of an array of floats, aligned for
 * `dtype`; 0 if there are none. */
double kb_compare_largest(const void *expected, enum kb_dtype dtype,
			  uint64_t count);

#endif
