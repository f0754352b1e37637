#include "verify/layers.h"

#include "verify/arithmetic.h"
#include "verify/chain.h"
#include "verify/checks.h"
#include "verify/derivation.h"
#include "verify/known_suites.h"
#include "verify/line_checks.h"
#include "verify/lineage.h"
#include "verify/parents.h"

/* Bytes that are others than a moment ago are no failure of the machine. */
static int ask_lines(struct kb_checks *c, struct kb_lineage *l,
		     const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	int ret = kb_line_checks_make(l, kb_lineage_results(l, b), &why);

	if (ret < 0 && !kb_is_answer(ret))
		return kb_err_take(err, &why);
	if (ret < 0)
		kb_checks_add(c, KB_LAYER_BYTES, "record", KB_ANSWER_NO, "%s",
			      why.msg);
	return 0;
}

int kb_layers_check_record(struct kb_checks *c, struct kb_lineage *l,
			   const struct kb_bundle *b, const char *store,
			   struct kb_err *err)
{
	int ret = kb_lineage_find_parents(l, c, b, store, err);

	if (ret == 0)
		ret = ask_lines(c, l, b, err);
	if (ret < 0)
		return ret;
	kb_chain_check(c, l);
	kb_known_suites_check(c, l, b);
	kb_parents_check_chain(c, l);
	ret = kb_derivation_check(c, l, b, err);
	if (ret == 0)
		ret = kb_arithmetic_check(c, l, b, err);
	return ret < 0 ? ret : kb_parents_check_arithmetic(c, l, err);
}
