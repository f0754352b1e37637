#include "verify/bound.h"

#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "verify/ceiling.h"

int64_t kb_device_bound_ns(const void *context, struct kb_key key)
{
	const struct kb_bound *b = context;
	const struct kb_problem *p = kb_suite_find(b->suite, key);
	struct kb_ceiling c;

	kb_ceiling_of(&c, &b->evaluation->conditions);
	return kb_ceiling_bound(&c, p ? p->facts : NULL, KB_UNKNOWN).bound_ns;
}
