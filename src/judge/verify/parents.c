#include "verify/parents.h"

#include <stddef.h>

#include "base/cleanup.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "verify/arithmetic.h"
#include "verify/chain.h"
#include "verify/checks.h"
#include "verify/lineage.h"

/* Each with what there is of its own parents. */
struct parents {
	struct kb_lineage items[2];
	size_t count;
};

static struct parents parents_of(const struct kb_lineage *l)
{
	struct parents p = { .count = 0 };

	if (l->kind == KB_KIND_SCORE && l->evaluation)
		p.items[p.count++] = (struct kb_lineage){
			.kind = KB_KIND_EVALUATION, .suite = l->suite,
			.submission = l->submission,
			.evaluation = l->evaluation, .lines = l->lines,
		};
	/* The score's own chain tells if it is of another suite. */
	if (l->kind == KB_KIND_SCORE && l->baseline)
		p.items[p.count++] = (struct kb_lineage){
			.kind = KB_KIND_BASELINE, .baseline = l->baseline,
			.suite = !l->evaluation ||
				 kb_digest_equal(&l->evaluation->suite,
						 &l->baseline->suite) ?
				l->suite : NULL,
		};
	return p;
}

/* Take the checks of a parent; returns how many were more than a yes. */
static size_t take_checks(struct kb_checks *c, const struct kb_checks *of,
			  enum kb_kind kind)
{
	size_t taken = 0;

	for (size_t i = 0; i < of->count; i++) {
		const struct kb_check *check = &of->items[i];

		if (check->answer != KB_ANSWER_NO &&
		    check->answer != KB_ANSWER_NOT_CHECKED)
			continue;
		kb_checks_add(c, check->layer, check->what, check->answer,
			      "of the %s: %s", kb_kind_name(kind),
			      check->words);
		taken++;
	}
	return taken;
}

/* One line for all that holds: the checks one by one are there when the parent
 * itself is verified. */
static void sum_up(struct kb_checks *c, enum kb_layer layer, size_t asked,
		   size_t taken)
{
	if (asked && !taken)
		kb_checks_add(c, layer, "parents", KB_ANSWER_OK,
			      "what the score was made from holds as well");
}

void kb_parents_check_chain(struct kb_checks *c, const struct kb_lineage *l)
{
	const struct parents p = parents_of(l);
	size_t asked = 0, taken = 0;

	for (size_t i = 0; i < p.count; i++) {
		kb_auto(checks) struct kb_checks of = KB_CHECKS_INIT;

		kb_chain_check(&of, &p.items[i]);
		asked += of.count;
		taken += take_checks(c, &of, p.items[i].kind);
	}
	sum_up(c, KB_LAYER_CHAIN, asked, taken);
}

int kb_parents_check_arithmetic(struct kb_checks *c,
				const struct kb_lineage *l,
				struct kb_err *err)
{
	const struct parents p = parents_of(l);
	size_t asked = 0, taken = 0;

	for (size_t i = 0; i < p.count; i++) {
		kb_auto(checks) struct kb_checks of = KB_CHECKS_INIT;
		int ret = kb_arithmetic_check(&of, &p.items[i], NULL, err);

		if (ret < 0)
			return ret;
		asked += of.count;
		taken += take_checks(c, &of, p.items[i].kind);
	}
	sum_up(c, KB_LAYER_ARITHMETIC, asked, taken);
	return 0;
}
