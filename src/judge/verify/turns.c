#include "verify/turns.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "turns/turns.h"
#include "turns/turns_again.h"
#include "verify/bound.h"
#include "verify/checks.h"
#include "verify/lineage.h"

#define add(c, answer, ...)						\
	kb_checks_add(c, KB_LAYER_CHAIN, "judged", answer, __VA_ARGS__)

static int check_line(const struct kb_generation *g, size_t i,
		      const struct kb_turn_judge *j, struct kb_err *err)
{
	const struct kb_generated *l = &g->lines[i];
	kb_auto(judged) struct kb_judged *again = NULL;
	int ret = kb_turn_judge_line(&again, g, i, j, err);

	if (ret < 0 || !again || kb_judged_equal(again, l->judged))
		return ret;
	return kb_generated_refuse(l, "the evaluation says something else",
				   err);
}

static int check_turn(const struct kb_generation *g, int turn,
		      const struct kb_turn_judge *j, struct kb_err *err)
{
	int ret = kb_turn_judge_check(j, g, err);

	for (size_t i = 0; ret == 0 && i < g->line_count; i++)
		if (g->lines[i].turn == turn && g->lines[i].judged)
			ret = check_line(g, i, j, err);
	return ret;
}

/* Returns whether it could be asked. */
static bool check_by(struct kb_checks *c, const struct kb_lineage *l, int turn,
		     const struct kb_evaluation *e)
{
	const struct kb_generation *g = l->generation;
	const struct kb_bound bound = { .suite = l->suite, .evaluation = e };
	const struct kb_turn_judge judge = {
		.evaluation = e, .baseline = l->baseline, .suite = l->suite,
		.bound_ns = kb_device_bound_ns, .context = &bound,
	};
	struct kb_err why = KB_ERR_INIT;

	if (!l->suite || (g->asked.has_baseline && !l->baseline))
		return false;
	if (check_turn(g, turn, &judge, &why) < 0)
		add(c, KB_ANSWER_NO, "%s", why.msg);
	return true;
}

void kb_turns_check(struct kb_checks *c, const struct kb_lineage *l)
{
	const struct kb_generation *g = l->generation;
	const int turns = kb_turns_judged(g);
	size_t asked = 0, next = 0;

	if (!g->asked.has_refinement)
		return;
	for (int turn = 1; turn <= turns; turn++) {
		const bool has_code = kb_turn_code_count(g, turn) > 0;
		const struct kb_evaluation *e = has_code &&
			next < l->turn_count ? l->turns[next] : NULL;

		next += has_code;
		if (!has_code || e)
			asked += check_by(c, l, turn, e);
	}
	if (asked < (size_t)turns)
		add(c, KB_ANSWER_NOT_CHECKED,
		    "what attempts are judged by is not there; turns: %zu of %d",
		    turns - asked, turns);
	else if (!kb_checks_count(c, "judged", KB_ANSWER_NO))
		add(c, KB_ANSWER_OK, "as their evaluations say; turns: %d",
		    turns);
}
