#include "runs/judge_bundles.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/baseline.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/submission_head.h"
#include "manifest/suite.h"
#include "manifest/tool.h"
#include "score/judge.h"
#include "score/times.h"
#include "sheet/format.h"
#include "store/one_member.h"
#include "store/store.h"
#include "tables/score_table.h"
#include "verify/ancestors.h"
#include "verify/baseline_lines.h"
#include "verify/chain.h"
#include "verify/checks.h"
#include "verify/conditions.h"
#include "verify/derived.h"
#include "verify/plausible.h"
#include "verify/submitted.h"

/* The parents of a score. The evaluation's results stay in its bundle until
 * they are judged. */
struct parents {
	struct kb_bundle bundle;	/* the evaluation's */
	struct kb_evaluation evaluation;
	struct kb_baseline baseline;
	struct kb_suite suite;
	struct kb_mismatches refused;
};

#define PARENTS_INIT { .bundle = KB_BUNDLE_INIT, \
		       .evaluation = KB_EVALUATION_INIT, \
		       .baseline = KB_BASELINE_INIT, .suite = KB_SUITE_INIT, \
		       .refused = KB_MISMATCHES_INIT }

static void kb_cleanup_parents(struct parents *p)
{
	kb_mismatches_release(&p->refused);
	kb_suite_release(&p->suite);
	kb_baseline_release(&p->baseline);
	kb_evaluation_release(&p->evaluation);
	kb_bundle_release(&p->bundle);
}

static int blame_evaluation(const struct kb_judge_bundles *r,
			    struct kb_err *err)
{
	return kb_err_wrap(err, "evaluation '%s'", r->evaluation);
}

/* The record: results are hashed when they are read, and then as they are. */
static int load_evaluation(struct kb_evaluation *e, struct kb_bundle *b,
			   const struct kb_judge_bundles *r,
			   struct kb_err *err)
{
	int ret = kb_store_open_unread(b, r->store, r->evaluation,
				       KB_RESULTS_MEMBER, err);

	if (ret < 0)
		return ret;
	ret = kb_evaluation_load_record(e, b, err);
	return ret < 0 ? blame_evaluation(r, err) : 0;
}

/* --- what kb-verify would refuse -------------------------------------- */

static int check_evaluation(const struct kb_evaluation *e,
			    const struct kb_suite *suite,
			    const struct kb_judge_bundles *r,
			    struct kb_err *err)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	int ret;

	kb_chain_check_problems(&c, &(struct kb_selection){
		e->problems, e->problem_count, e->conditions.options }, suite);
	kb_conditions_verify(&c, &e->conditions, KB_KIND_EVALUATION);
	ret = kb_checks_refuse(&c, err);
	return ret < 0 ? blame_evaluation(r, err) : 0;
}

static int check_baseline(const struct kb_baseline *b,
			  const struct kb_suite *suite,
			  const struct kb_judge_bundles *r, struct kb_err *err)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	int ret;

	kb_chain_check_problems(&c, &(struct kb_selection){
		b->problems, b->problem_count, b->conditions.options }, suite);
	kb_chain_check_mode(&c, b);
	kb_conditions_verify(&c, &b->conditions, KB_KIND_BASELINE);
	kb_derived_check_baseline(&c, b, suite);
	kb_plausible_check_baseline(&c, b, suite);
	ret = kb_checks_refuse(&c, err);
	return ret < 0 ? kb_err_wrap(err, "baseline '%s'", r->baseline) : 0;
}

/* Check the parents of a score. A baseline that is of no use to this evaluation
 * is refused for that, which the judge says. */
static int check_parents(const struct parents *p, const struct kb_suite *suite,
			 const struct kb_judge_bundles *r, struct kb_err *err)
{
	int ret = check_evaluation(&p->evaluation, suite, r, err);

	if (ret < 0 || !kb_digest_equal(&p->baseline.suite, &p->evaluation.suite))
		return ret;
	return check_baseline(&p->baseline, suite, r, err);
}

static int load_baseline(struct kb_baseline *baseline, struct kb_digest *id,
			 const struct kb_judge_bundles *r, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_store_open(&b, r->store, r->baseline, err);

	if (ret < 0)
		return ret;
	*id = b.id;
	ret = kb_baseline_load(baseline, &b, err);
	return ret < 0 ? kb_err_wrap(err, "baseline '%s'", r->baseline) : 0;
}

/* The score records what a grandparent says, and if it is absent. Returns 1 if
 * it is there, else 0. */
static int open_if_there(struct kb_bundle *b, const char *store,
			 const struct kb_digest *id, struct kb_err *err)
{
	int ret = kb_store_open_id(b, store, id, err);

	if (ret == -KB_ERR_MISSING)
		return 0;
	return ret < 0 ? ret : 1;
}

static int blame_parent(const char *kind, const struct kb_digest *id,
			struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	return kb_err_wrap(err, "%s '%s'", kind, hex);
}

/* The suite tells which problems were left out and, by its audit, which are
 * sound. Returns as open_if_there(). */
static int load_suite(struct kb_suite *suite, const char *store,
		      const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	const int there = open_if_there(&b, store, id, err);
	const int ret = there > 0 ? kb_suite_load(suite, &b, err) : there;

	return ret < 0 ? blame_parent("suite", id, err) : there;
}

/* The generation tells what the answers cost. */
static int name_spent(struct kb_score *s, const char *store,
		      const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	kb_auto(spent) struct kb_spent spent = KB_SPENT_INIT;
	int ret = kb_store_open_member(&b, store, id, KB_BUNDLE_RECORD, err);

	if (ret == -KB_ERR_MISSING)
		return 0;
	if (ret == 0)
		ret = kb_generation_load_record(&g, &b, err);
	if (ret < 0)
		return blame_parent("generation", id, err);
	kb_spent_of(&spent, &g, id);
	kb_score_name_spent(s, &spent);
	return 0;
}

/* All of both, since something is wrong, to say what. */
static int explain_candidates(const struct parents *p,
			      const struct kb_judge_bundles *r,
			      struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	int ret = kb_store_open_id(&b, r->store, &p->evaluation.submission,
				   err);

	if (ret == 0)
		ret = kb_submission_load(&s, &b, err);
	if (ret < 0)
		return blame_parent("submission", &p->evaluation.submission, err);
	ret = kb_evaluation_load(&e, &p->bundle, err);
	if (ret == 0) {
		kb_chain_check_candidates(&c, &e, &s);
		ret = kb_checks_refuse(&c, err);
	}
	return ret < 0 ? blame_evaluation(r, err) : 0;
}

/* The submission names the model and the candidates. Open its record alone,
 * once, because there may be a million candidates. */
static int ask_submission(struct kb_score *s, const struct parents *p,
			  struct kb_submitted *submitted, bool *has_generation,
			  const struct kb_judge_bundles *r, struct kb_err *err)
{
	const struct kb_digest *id = &p->evaluation.submission;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(submission_head) struct kb_submission_head head =
		KB_SUBMISSION_HEAD_INIT;
	int ret = kb_store_open_member(&b, r->store, id, KB_BUNDLE_RECORD,
				       err);

	if (ret == -KB_ERR_MISSING)
		return 0;
	if (ret == 0)
		ret = kb_submitted_compare(submitted, &b, &head, err);
	if (ret < 0)
		return blame_parent("submission", id, err);
	kb_score_name_model(s, head.provenance.model);
	*has_generation = head.has_generation;
	if (!ret)
		return explain_candidates(p, r, err);
	return head.has_generation ?
		       name_spent(s, r->store, &head.generation, err) : 0;
}

/* Check the parents of suite and submission, as far as that is in the store. */
static int check_ancestors(const struct parents *p,
			   const struct kb_suite *suite, bool has_generation,
			   const struct kb_judge_bundles *r,
			   struct kb_err *err)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_parent from[2];
	size_t count = 0;
	int ret;

	if (suite && kb_suite_is_derived(suite))
		from[count++] = (struct kb_parent){ KB_KIND_SUITE,
						    p->evaluation.suite };
	if (has_generation)
		from[count++] = (struct kb_parent){ KB_KIND_SUBMISSION,
						    p->evaluation.submission };
	ret = kb_ancestors_check_from(&c, from, count, r->store, err);
	return ret < 0 ? ret : kb_checks_refuse(&c, err);
}

/* The reason in full, before main() says in one line that there is one. */
static void explain_refusal(const struct kb_mismatches *refused)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (!refused->count)
		return;
	kb_score_table_print_mismatches(&text, refused);
	fputs(text.data, stderr);
}

/* The checks of an evaluation's results. The first fault is enough. */
struct results {
	struct kb_judging *judging;	/* NULL: there is no judge */
	struct kb_derived_lines derived;
	struct kb_plausible_lines plausible;
	struct kb_submitted submitted;
	struct kb_baseline_lines baseline_lines;
};

static void begin_results(struct results *s, const struct kb_evaluation *e,
			  const struct kb_suite *suite)
{
	kb_derived_lines_begin(&s->derived, &e->conditions, suite);
	kb_derived_lines_want_first_no(&s->derived);
	kb_plausible_lines_begin(&s->plausible, e, suite);
	kb_plausible_lines_want_first_no(&s->plausible);
	kb_submitted_init(&s->submitted, e);
}

static void kb_cleanup_results(struct results *s)
{
	kb_judging_free(s->judging);
	kb_derived_lines_release(&s->derived);
	kb_plausible_lines_release(&s->plausible);
	kb_submitted_release(&s->submitted);
	kb_baseline_lines_release(&s->baseline_lines);
}

static void take_result(void *into, struct kb_result *r)
{
	struct results *s = into;

	kb_derived_lines_take(&s->derived, r);
	kb_plausible_lines_take(&s->plausible, r);
	kb_submitted_take(&s->submitted, r);
	kb_baseline_lines_take(&s->baseline_lines, r);
	if (s->judging)
		kb_judging_take(s->judging, r);
}

static int check_results(struct results *s, const struct kb_judge_bundles *r,
			 struct kb_err *err)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	int ret;

	kb_derived_lines_end(&s->derived, &c);
	kb_baseline_lines_end_errors(&s->baseline_lines, &c);
	kb_plausible_lines_end(&s->plausible, &c);
	ret = kb_checks_refuse(&c, err);
	return ret < 0 ? blame_evaluation(r, err) : 0;
}

/* Everything but results: what is wrong with these is said first. */
static int begin_judging(struct results *results, struct parents *p,
			 struct kb_judge_input *in, const struct kb_judge_bundles *r,
			 struct kb_err *err)
{
	int ret = load_baseline(&p->baseline, &in->baseline_id, r, err);

	if (ret < 0)
		return ret;
	if (r->by_usual_clock)
		in->choice.clock = kb_usual_clock(&p->baseline);
	kb_baseline_lines_begin(&results->baseline_lines, &p->evaluation, &p->baseline,
				!r->allowed_count);
	ret = check_parents(p, in->suite, r, err);
	return ret < 0 ? ret : kb_judging_begin(&results->judging, &p->refused,
						in, err);
}

/* Boards of one name may have memory of different speed, and no match key has
 * them: speedups are of two boards then. */
static void note_boards(const struct parents *p)
{
	const struct kb_conditions *left = &p->evaluation.conditions;
	const struct kb_conditions *right = &p->baseline.conditions;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (!kb_conditions_differ_in_board(left, right))
		return;
	kb_buf_addstr(&text, "note: the evaluation's GPU is board ");
	kb_format_text(&text, kb_conditions_board(left));
	kb_buf_addstr(&text, ", the baseline's ");
	kb_format_text(&text, kb_conditions_board(right));
	fprintf(stderr, "%s: they may differ in the speed of their memory\n",
		text.data);
}

static int judge_results(struct kb_score *s, struct results *results,
			 struct parents *p, struct kb_judge_input *in,
			 const struct kb_judge_bundles *r, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	const int begun = begin_judging(results, p, in, r, &why);
	/* Even without a judge. */
	int ret = kb_evaluation_each(&p->evaluation, &p->bundle, take_result,
				     results, err);

	if (ret < 0)
		return blame_evaluation(r, err);
	explain_refusal(&p->refused);
	if (begun < 0)
		return kb_err_take(err, &why);
	note_boards(p);
	ret = check_results(results, r, err);
	return ret < 0 ? ret : kb_judging_end(results->judging, s, err);
}

static int judge_parents(struct kb_score *s, struct parents *p,
			 struct kb_judge_input *in,
			 const struct kb_judge_bundles *r, struct kb_err *err)
{
	kb_auto(results) struct results results = { .judging = NULL };
	bool has_generation = false;
	int ret = load_suite(&p->suite, r->store, &p->evaluation.suite, err);

	if (ret < 0)
		return ret;
	in->suite = ret ? &p->suite : NULL;
	begin_results(&results, &p->evaluation, in->suite);
	ret = judge_results(s, &results, p, in, r, err);
	if (ret == 0)
		ret = ask_submission(s, p, &results.submitted, &has_generation,
				     r, err);
	return ret < 0 ? ret : check_ancestors(p, in->suite, has_generation, r,
					       err);
}

int kb_judge_bundles(struct kb_score *out, const struct kb_judge_bundles *r,
		     struct kb_err *err)
{
	kb_auto(parents) struct parents p = PARENTS_INIT;
	kb_auto(json) struct kb_json *tool = kb_tool_json("kb-score");
	struct kb_judge_input in = {
		.evaluation = &p.evaluation, .baseline = &p.baseline,
		.tool = tool, .choice = r->choice,
		.allowed_fields = r->allowed_fields,
		.allowed_count = r->allowed_count,
	};
	int ret = load_evaluation(&p.evaluation, &p.bundle, r, err);

	if (ret < 0)
		return ret;
	in.evaluation_id = p.bundle.id;
	return judge_parents(out, &p, &in, r, err);
}
