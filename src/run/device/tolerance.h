#ifndef KB_DEVICE_TOLERANCE_H
#define KB_DEVICE_TOLERANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"
#include "manifest/tensor_facts.h"

struct kb_err;
struct kb_fp64_error_output;
struct kb_problem_facts;

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
 *	v3		KernelBench v3's, which is of an output as a whole:
 *				max |a - b| < atol + rtol max |b|
 *			where the first input that is a tensor decides: for
 *			float32 atol = rtol = 1e-3, for 16 bits 1e-2, for 8
 *			bits atol 0.1 and rtol 0.05, for any other type atol
 *			0.05 and rtol 0.02. Two runs on the same inputs must
 *			give the same
 *	suite		each problem's own, where the suite states one; else
 *			kernelbench's
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
	bool of_tensor;		/* `element` is of an output as a whole: see
				   kb_tolerance_of_tensor() */
};

/* The facts that decide the limits under a policy. */
struct kb_limited {
	enum kb_dtype dtype;	/* of the output */
	enum kb_dtype input;	/* of the first input that is a tensor;
				   KB_FLOAT32 if there is none */
	const struct kb_tolerance *stated;	/* by the suite, for this problem
				   and precision; or NULL */
	const struct kb_fp64_error_output *own;	/* the reference's error in this
				   output; or NULL: not known */
};

#define KB_PRECISE_MULTIPLE 8

/* In records whose tolerance is of outputs as a whole: their member
 * "tolerance_of". Those of policy v3 without it compared each element, with
 * |a - b| <= atol + rtol |b|, by the type of the output. */
#define KB_TOLERANCE_OF_TENSOR "tensor"

struct kb_tolerance_policy;	/* static data, never freed */

/* Fails with KB_ERR_USAGE; the message lists the names there are. */
int kb_tolerance_policy_find(const struct kb_tolerance_policy **out,
			     const char *name, struct kb_err *err);

const char *kb_tolerance_policy_name(const struct kb_tolerance_policy *policy);

/* KB_PRECISE_MULTIPLE, or 0 under policies that have no such thing. */
int64_t
kb_tolerance_policy_multiple(const struct kb_tolerance_policy *policy);

/* Is it of outputs as a whole? */
bool kb_tolerance_policy_is_of_tensor(const struct kb_tolerance_policy *policy);

/* Does the type of an output alone decide its limits? */
bool kb_tolerance_policy_is_fixed(const struct kb_tolerance_policy *policy);

/* The suite's own tolerance for a problem with these facts (or NULL) in this
 * precision. Returns false if it states none. */
bool kb_tolerance_stated(struct kb_tolerance *out,
			 const struct kb_problem_facts *facts,
			 enum kb_precision precision);

struct kb_error_limits
kb_error_limits_of(const struct kb_tolerance_policy *policy,
		   const struct kb_limited *of);

/* How far each element may be from the expected one if each must be nearer than
 * atol + rtol times `largest`, the largest |b|. */
struct kb_tolerance kb_tolerance_of_tensor(struct kb_tolerance t,
					   double largest);

/*
 * How far the reference may be from itself, run in another mode or once
 * more: as far as a candidate, or M max(E_max, u S_max) if that is further.
 * Where a tolerance is less than the reference's own error it accepts one
 * way to compute the thing, and there is another.
 */
struct kb_error_limits
kb_reference_limits_of(const struct kb_tolerance_policy *policy,
		       const struct kb_limited *of);

#endif
