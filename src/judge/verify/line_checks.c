#include "verify/line_checks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "score/judge.h"
#include "verify/lineage.h"

static void begin_judging(struct kb_line_checks *x, const struct kb_lineage *l)
{
	if (l->kind != KB_KIND_SCORE || !l->baseline)
		return;
	x->ret = kb_judging_begin_again(&x->judging, l->score,
					&(struct kb_judge_input){
		.evaluation = l->evaluation,
		.evaluation_id = l->score->evaluation,
		.baseline = l->baseline,
		.baseline_id = l->score->baseline,
		.suite = l->suite,
	}, &x->err);
}

static void take_result(void *into, struct kb_result *r)
{
	struct kb_line_checks *x = into;

	kb_candidate_lines_take(&x->candidates, r);
	kb_derived_lines_take(&x->derived, r);
	kb_plausible_lines_take(&x->plausible, r);
	kb_baseline_lines_take(&x->baseline_lines, r);
	kb_plausible_lines_take_seeds(&x->plausible, r);
	if (x->judging)
		kb_judging_take(x->judging, r);
}

int kb_line_checks_make(struct kb_lineage *l, const struct kb_bundle *b,
			struct kb_err *err)
{
	const struct kb_evaluation *e = l->evaluation;
	struct kb_line_checks *x;

	if (!e)
		return 0;
	x = l->lines = kb_xcalloc(1, sizeof(*x));
	kb_candidate_lines_begin(&x->candidates, e, l->submission,
				 &l->submission_bundle);
	kb_derived_lines_begin(&x->derived, &e->conditions, l->suite);
	kb_plausible_lines_begin(&x->plausible, e, l->suite);
	kb_baseline_lines_begin(&x->baseline_lines, e, l->kind == KB_KIND_SCORE ?
				l->baseline : NULL,
				l->score && !l->score->allowed.count);
	begin_judging(x, l);
	return kb_evaluation_each(e, b, take_result, x, err);
}

int kb_line_checks_judge(struct kb_line_checks *x, struct kb_score *out,
			 struct kb_err *err)
{
	if (x->ret < 0)
		return kb_err_take(err, &x->err);
	return kb_judging_end(x->judging, out, err);
}

void kb_line_checks_free(struct kb_line_checks *x)
{
	if (!x)
		return;
	kb_candidate_lines_release(&x->candidates);
	kb_derived_lines_release(&x->derived);
	kb_plausible_lines_release(&x->plausible);
	kb_baseline_lines_release(&x->baseline_lines);
	kb_judging_free(x->judging);
	free(x);
}
