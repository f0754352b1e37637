#include "device/tolerance.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

struct kb_tolerance_policy {
	const char *name;
	double wide;		/* float64, float32 */
	double narrow;		/* float16, bfloat16, 8 bits */
};

static const struct kb_tolerance_policy policies[] = {
	{ "kernelbench", 1e-4, 1e-2 },
	{ "paper", 1e-2, 1e-2 },
};

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

struct kb_tolerance kb_tolerance_of(const struct kb_tolerance_policy *policy,
				    enum kb_dtype dtype)
{
	double both = 0;

	if (kb_dtype_class(dtype) == KB_CLASS_FLOAT)
		both = kb_dtype_size_bytes(dtype) <= 2 ? policy->narrow :
			policy->wide;
	return (struct kb_tolerance){ .atol = both, .rtol = both };
}
