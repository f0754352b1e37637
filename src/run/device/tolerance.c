#include "device/tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/fp64_error.h"
#include "manifest/problem_facts.h"

struct kb_tolerance_policy {
	const char *name;
	struct kb_tolerance wide;	/* float64, float32 */
	struct kb_tolerance narrow;	/* float16, bfloat16 */
	struct kb_tolerance narrowest;	/* 8 bits */
	struct kb_tolerance other;	/* of_tensor: no type above */
	bool precise;			/* for want of an fp64 error */
	bool of_tensor;			/* and by the first input */
	bool of_suite;			/* for want of a stated one */
};

#define KERNELBENCH							\
	.wide = { 1e-4, 1e-4 }, .narrow = { 1e-2, 1e-2 },		\
	.narrowest = { 1e-2, 1e-2 }

/* Each is { atol, rtol }. doc/spec-comparison.md has their sources. */
static const struct kb_tolerance_policy policies[] = {
	{ .name = "kernelbench", KERNELBENCH },
	{ .name = "paper", .wide = { 1e-2, 1e-2 }, .narrow = { 1e-2, 1e-2 },
	  .narrowest = { 1e-2, 1e-2 } },
	{ .name = "v3", .wide = { 1e-3, 1e-3 }, .narrow = { 1e-2, 1e-2 },
	  .narrowest = { 0.1, 0.05 }, .other = { 0.05, 0.02 },
	  .of_tensor = true },
	{ .name = "precise", KERNELBENCH, .precise = true },
	{ .name = "suite", KERNELBENCH, .of_suite = true },
};

/* Bits of a float's significand, the hidden one included. */
static int significand_bits(enum kb_dtype dtype)
{
	switch (dtype) {
	case KB_FLOAT64:
		return 53;
	case KB_FLOAT32:
		return 24;
	case KB_FLOAT16:
		return 11;
	case KB_BFLOAT16:
		return 8;
	case KB_FLOAT8_E4M3FN:
		return 4;
	case KB_FLOAT8_E5M2:
		return 3;
	default:
		KB_BUG("not a floating type");
	}
}

int kb_tolerance_policy_find(const struct kb_tolerance_policy **out,
			     const char *name, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(policies); i++) {
		if (!strcmp(policies[i].name, name)) {
			*out = &policies[i];
			return 0;
		}
		kb_buf_addf(&names, "%s%s", i ? ", " : "", policies[i].name);
	}
	return kb_err(err, KB_ERR_USAGE,
		      "unknown tolerance policy '%s', there are: %s", name,
		      names.data);
}

const char *kb_tolerance_policy_name(const struct kb_tolerance_policy *policy)
{
	return policy->name;
}

int64_t
kb_tolerance_policy_multiple(const struct kb_tolerance_policy *policy)
{
	return policy->precise ? KB_PRECISE_MULTIPLE : 0;
}

static double unit_roundoff(enum kb_dtype dtype)
{
	return ldexp(1, -significand_bits(dtype));
}

/* An error of the reference's of `error` where values are as large as
 * `size`. No float is better than its roundoff, even if the reference was
 * lucky. */
static double precise_limit(double error, double size, enum kb_dtype dtype)
{
	return KB_PRECISE_MULTIPLE * fmax(error, size * unit_roundoff(dtype));
}

bool kb_tolerance_policy_is_of_tensor(const struct kb_tolerance_policy *policy)
{
	return policy->of_tensor;
}

bool kb_tolerance_policy_is_fixed(const struct kb_tolerance_policy *policy)
{
	return !policy->precise && !policy->of_tensor && !policy->of_suite;
}

bool kb_tolerance_stated(struct kb_tolerance *out,
			 const struct kb_problem_facts *facts,
			 enum kb_precision precision)
{
	const struct kb_tolerance_facts *t;

	if (!facts)
		return false;
	t = &facts->tolerance[precision];
	if (!t->atol)
		return false;
	*out = (struct kb_tolerance){ strtod(t->atol, NULL),
				      strtod(t->rtol, NULL) };
	return true;
}

struct kb_tolerance kb_tolerance_of_tensor(struct kb_tolerance t,
					   double largest)
{
	/* Less than, and not equal. */
	return (struct kb_tolerance){
		.atol = nextafter(t.atol + t.rtol * largest, 0),
	};
}

static const struct kb_tolerance *
fixed_tolerance(const struct kb_tolerance_policy *policy, enum kb_dtype dtype)
{
	/* v3 has a name for the precision of each type that it knows. */
	if (policy->of_tensor && (kb_dtype_class(dtype) != KB_CLASS_FLOAT ||
				  dtype == KB_FLOAT64))
		return &policy->other;
	switch (kb_dtype_size_bytes(dtype)) {
	case 1:
		return &policy->narrowest;
	case 2:
		return &policy->narrow;
	default:
		return &policy->wide;
	}
}

struct kb_error_limits
kb_error_limits_of(const struct kb_tolerance_policy *policy,
		   const struct kb_limited *of)
{
	const struct kb_fp64_error_output *own = of->own;
	struct kb_error_limits limits = { .rms = HUGE_VAL };

	if (kb_dtype_class(of->dtype) != KB_CLASS_FLOAT)
		return limits;
	if (policy->precise && own) {
		limits.element.atol = precise_limit(own->max_abs_error,
						    own->max_abs, of->dtype);
		limits.element.rtol = KB_PRECISE_MULTIPLE *
				      unit_roundoff(of->dtype);
		limits.rms = precise_limit(own->rms_error, own->rms,
					   of->dtype);
	} else if (policy->of_suite && of->stated) {
		limits.element = *of->stated;
	} else {
		limits.of_tensor = policy->of_tensor;
		limits.element = *fixed_tolerance(
			policy, policy->of_tensor ? of->input : of->dtype);
	}
	return limits;
}

struct kb_error_limits
kb_reference_limits_of(const struct kb_tolerance_policy *policy,
		       const struct kb_limited *of)
{
	struct kb_error_limits limits = kb_error_limits_of(policy, of);

	if (of->own && kb_dtype_class(of->dtype) == KB_CLASS_FLOAT)
		limits.element.atol = fmax(limits.element.atol,
					   precise_limit(of->own->max_abs_error,
							 of->own->max_abs,
							 of->dtype));
	return limits;
}
