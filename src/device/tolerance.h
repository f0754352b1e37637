#ifndef KB_DEVICE_TOLERANCE_H
#define KB_DEVICE_TOLERANCE_H

#include "base/dtype.h"

struct kb_err;

/*
 * How far a value may be from the expected one: a is near b if
 * |a - b| <= atol + rtol |b|.
 *
 * Policies are KernelBench's, where atol = rtol: "kernelbench" is that of
 * its version 0.2, 1e-4 and for floats of 16 bits or 8 1e-2; "paper" is that
 * of the paper and of versions before 0.2, 1e-2 for all floats. Integers and
 * booleans are exact under every policy.
 */
struct kb_tolerance {
	double atol;		/* in the unit of the values */
	double rtol;		/* a ratio */
};

struct kb_tolerance_policy;	/* static data, never freed */

/* Fails with KB_ERR_USAGE; the message lists the names there are. */
int kb_tolerance_policy_find(const struct kb_tolerance_policy **out,
			     const char *name, struct kb_err *err);

const char *kb_tolerance_policy_name(const struct kb_tolerance_policy *policy);

struct kb_tolerance kb_tolerance_of(const struct kb_tolerance_policy *policy,
				    enum kb_dtype dtype);

#endif
