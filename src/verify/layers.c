#include "verify/layers.h"

#include "verify/arithmetic.h"
#include "verify/chain.h"
#include "verify/lineage.h"
#include "verify/parents.h"

int kb_layers_check_record(struct kb_checks *c, struct kb_lineage *l,
			   const struct kb_bundle *b, const char *store,
			   struct kb_err *err)
{
	int ret = kb_lineage_find_parents(l, c, b, store, err);

	if (ret < 0)
		return ret;
	kb_chain_check(c, l);
	kb_parents_check_chain(c, l);
	ret = kb_arithmetic_check(c, l, b, err);
	return ret < 0 ? ret : kb_parents_check_arithmetic(c, l, err);
}
