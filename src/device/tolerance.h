#ifndef KB_DEVICE_TOLERANCE_H
#define KB_DEVICE_TOLERANCE_H

#include <stdint.h>

#include "base/dtype.h"

struct kb_err;
struct kb_fp64_error_output;

/*
 * How far a value may be from the expected one: a is near b if
 * |a - b| <= atol + rtol |b|.
 */
struct kb_tolerance {
	double atol;		/* in the unit of the values */
	double rtol;		/* a ratio */
};

/*
 * How far the values of an output may be from the expected ones, in one
 * call: each of them, and all together. Policies differ in floats; integers
 * and booleans are exact under every one.
 *
 *	kernelbench	KernelBench's since version 0.2: atol = rtol = 1e-4,
 *			for floats of 16 bits or 8 1e-2
 *	paper		that of its paper and of versions before: 1e-2 for
 *			all floats
 *	v3		KernelBench v3's: atol = rtol = 1e-3, for 16 bits
 *			1e-2, for 8 bits atol 0.1 and rtol 0.05
 *	precise		as near as the reference's own precision brings it:
 *			with E the reference's error against float64, S what
 *			it is an error of, and u the unit roundoff of the type,
 *				|a - b| <= M (max(E_max, u S_max) + u |b|)
 *				rms(a - b) <= M max(E_rms, u S_rms)
 *			where M is KB_PRECISE_MULTIPLE. The last term is for
 *			values larger than any of which S was taken. Where
 *			that error is not known, it is kernelbench's
 *
 * If the candidate is within M - 1 times the reference's error of what
 * float64 gives, the two are within M of each other.
 */
struct kb_error_limits {
	struct kb_tolerance element;
	double rms;		/* of a - b; infinite for no limit */
};

#define KB_PRECISE_MULTIPLE 8

struct kb_tolerance_policy;	/* static data, never freed */

/* Fails with KB_ERR_USAGE; the message lists the names there are. */
int kb_tolerance_policy_find(const struct kb_tolerance_policy **out,
			     const char *name, struct kb_err *err);

const char *kb_tolerance_policy_name(const struct kb_tolerance_policy *policy);

/* KB_PRECISE_MULTIPLE, or 0 under policies that have no such thing. */
int64_t
kb_tolerance_policy_multiple(const struct kb_tolerance_policy *policy);

/* `own` is the reference's error in this output, or NULL if it is not
 * known. */
struct kb_error_limits
kb_error_limits_of(const struct kb_tolerance_policy *policy,
		   enum kb_dtype dtype, const struct kb_fp64_error_output *own);

/*
 * How far the reference may be from itself, run in another mode or once
 * more: as far as a candidate, or M max(E_max, u S_max) if that is further.
 * Where a tolerance is less than the reference's own error it accepts one
 * way to compute the thing, and there is another.
 */
struct kb_error_limits
kb_reference_limits_of(const struct kb_tolerance_policy *policy,
		       enum kb_dtype dtype,
		       const struct kb_fp64_error_output *own);

#endif
