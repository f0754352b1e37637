#include "runs/turn_steps.h"

#include <stdio.h>
#include <string.h>

#include "asking/work.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "cli/made.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "runs/find_evaluation.h"
#include "runs/stage_run.h"
#include "store/store.h"
#include "turns/submit.h"
#include "turns/turns.h"
#include "verify/bound.h"

/* --- telling ----------------------------------------------------------- */

static int load_evaluation(struct kb_evaluation *e, struct kb_digest *id,
			   const char *store, const char *name,
			   struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_store_open(&b, store, name, err);

	*id = b.id;
	if (ret == 0)
		ret = kb_evaluation_load(e, &b, err);
	return ret < 0 ? kb_err_wrap(err, "evaluation '%s'", name) : 0;
}

static int judge_by(struct kb_work *w, const char *store,
		    const struct kb_evaluation *e, const struct kb_digest *id,
		    struct kb_err *err)
{
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	const struct kb_asked *a = &w->g.asked;
	const struct kb_bound bound = { .suite = &suite, .evaluation = e };
	const struct kb_turn_judge judge = {
		.evaluation = e,
		.baseline = a->has_baseline ? &baseline : NULL,
		.suite = &suite,
		.bound_ns = kb_device_bound_ns, .context = &bound,
	};
	int ret = kb_suite_load_id(&suite, store, &a->suite, err);

	if (ret == 0 && a->has_baseline)
		ret = kb_baseline_load_id(&baseline, store, &a->baseline, err);
	return ret < 0 ? ret : kb_work_tell(w, &judge, id, err);
}

/* The same command twice, as after a kill, tells of a turn once. */
static bool was_judged_by(const struct kb_generation *g,
			  const struct kb_digest *id)
{
	for (size_t i = 0; i < g->evaluation_count; i++)
		if (kb_digest_equal(&g->evaluations[i], id))
			return true;
	return false;
}

static int tell_by(struct kb_work *w, const char *store, const char *name,
		   struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	struct kb_digest id;
	int ret = load_evaluation(&e, &id, store, name, err);

	if (ret < 0)
		return ret;
	return was_judged_by(&w->g, &id) ? 0 : judge_by(w, store, &e, &id, err);
}

/* A later turn of which nothing is answered yet: the one before was told of by
 * a command that was killed, and this is the same one again. */
static bool has_just_begun(const struct kb_generation *g, int turn)
{
	for (size_t i = 0; i < g->line_count; i++)
		if (g->lines[i].turn == turn && g->lines[i].answer)
			return false;
	return turn > 1;
}

int kb_turn_step_tell(struct kb_work *w, const char *store,
		      const char *evaluation, struct kb_err *err)
{
	const int turn = kb_turn_in_hand(&w->g);
	const size_t count = kb_turn_code_count(&w->g, turn);

	if (evaluation)
		return tell_by(w, store, evaluation, err);
	if (kb_turns_are_over(&w->g) || has_just_begun(&w->g, turn))
		return 0;
	if (count)
		return kb_err(err, KB_ERR_USAGE,
			      "%zu attempts of turn %d have code: name their evaluation",
			      count, turn);
	return kb_work_tell(w, &(struct kb_turn_judge){ .evaluation = NULL },
			    NULL, err);
}

/* --- a submission of the turn ------------------------------------------ */

int kb_turn_step_submit(struct kb_work *w, const char *store, bool porcelain,
			struct kb_err *err)
{
	const int turn = kb_turn_in_hand(&w->g);
	const size_t count = kb_turn_code_count(&w->g, turn);
	const size_t open = kb_work_open_count(w);
	struct kb_digest id;
	int ret = 0;

	fprintf(stderr, "turn %d: %zu attempts with code, %zu requests without an answer\n",
		turn, count, open);
	if (count)
		ret = kb_turn_submit(&w->g, turn, store, &id,
				     err);
	if (ret == 0 && count)
		ret = kb_made_print(&(struct kb_made_options){
				.porcelain = porcelain },
				store, KB_KIND_SUBMISSION,
				&id, err);
	if (ret < 0)
		return ret;
	return open > 0;
}

/* --- an evaluation ----------------------------------------------------- */

#define WORDS_MAX 128		/* of a command line */

/* "1/19,2/3": what the turn has code for. */
static char *problems_of(const struct kb_generation *g, int turn)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_key last = { 0, 0 };

	for (size_t i = 0; i < g->line_count; i++) {
		const struct kb_generated *l = &g->lines[i];
		char key[KB_KEY_SIZE];

		if (l->turn != turn || l->reply.outcome != KB_REPLY_CODE ||
		    !kb_key_compare(l->key, last))
			continue;
		last = l->key;
		kb_key_format(key, l->key);
		kb_buf_addf(&out, "%s%s", out.len ? "," : "", key);
	}
	return kb_buf_detach(&out);
}

static int run_eval(struct kb_digest *out, const struct kb_generation *g,
		    int turn, const char *store,
		    const struct kb_digest *submission, char *const more[],
		    struct kb_err *err)
{
	kb_auto(mem) char *problems = problems_of(g, turn);
	char suite[KB_DIGEST_HEX_SIZE], candidates[KB_DIGEST_HEX_SIZE];
	char baseline[KB_DIGEST_HEX_SIZE];
	const char *argv[WORDS_MAX + 1] = {
		"kb-eval", suite, candidates, "--problems", problems,
		"--store", store,
	};
	size_t count = 7;

	kb_digest_format(&g->asked.suite, suite);
	kb_digest_format(submission, candidates);
	kb_digest_format(&g->asked.baseline, baseline);
	if (g->asked.has_baseline) {
		argv[count++] = "--baseline";
		argv[count++] = baseline;
	}
	for (size_t i = 0; more[i]; i++) {
		if (count == WORDS_MAX)
			return kb_err(err, KB_ERR_USAGE,
				      "more than %d words for 'kb-eval'",
				      WORDS_MAX);
		argv[count++] = more[i];
	}
	/* kb-eval is run as a program, and an interrupt is its own: it stops
	 * its workers and says how to go on. */
	kb_interrupt_leave();
	return kb_stage_run(argv, out, err);
}

/* One that a run before this was killed after is in the store. */
static int find_or_evaluate(struct kb_digest *out,
			    const struct kb_generation *g, int turn,
			    const char *store, char *const more[],
			    struct kb_err *err)
{
	struct kb_digest submission;
	int ret = kb_turn_submit(g, turn, store, &submission,
				 err);

	if (ret == 0)
		ret = kb_find_evaluation(out, store,
					 &g->asked.suite, &submission, err);
	if (ret)
		return ret < 0 ? ret : 0;
	return run_eval(out, g, turn, store, &submission, more, err);
}

int kb_turn_step(struct kb_work *w, const char *store, char *const more[],
		 struct kb_err *err)
{
	const int turn = kb_turn_in_hand(&w->g);
	const size_t count = kb_turn_code_count(&w->g, turn);
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;
	int ret = 0;

	fprintf(stderr, "turn %d of %d: %zu attempts with code\n", turn,
		w->g.asked.refinement.turns, count);
	if (count)
		ret = find_or_evaluate(&id, &w->g, turn, store, more, err);
	if (ret)
		return ret;
	if (count)
		kb_digest_format(&id, hex);
	return kb_turn_step_tell(w, store, count ? hex : NULL, err);
}
