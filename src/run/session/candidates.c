#include "session/candidates.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/pause.h"
#include "manifest/suite.h"
#include "measure/alternate.h"
#include "measure/plan_facts.h"
#include "session/environment.h"
#include "source/code_backend.h"
#include "store/bundle.h"

bool kb_candidates_use(const struct kb_session *s,
		       const struct kb_submission *x, enum kb_runtime runtime)
{
	for (size_t i = 0; i < s->run.selected_count; i++) {
		const struct kb_candidate *c;
		size_t count;

		c = kb_submission_find(x, s->run.selected[i], &count);
		for (size_t k = 0; k < count; k++)
			if (c[k].runtime == runtime)
				return true;
	}
	return false;
}

static int add_modules(uint32_t *modules, const struct kb_bundle *bundle,
		       const struct kb_candidate *c, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	int ret;

	if (c->runtime != KB_RUNTIME_TORCH)
		return 0;
	ret = kb_bundle_read(&code, bundle, c->file, KB_CANDIDATE_BYTES_MAX,
			     err);
	if (ret >= 0)
		*modules |= kb_modules_of(code.data, code.len);
	return ret;
}

int kb_candidates_note_modules(struct kb_session *s,
			       const struct kb_submission *submission,
			       const struct kb_bundle *bundle,
			       struct kb_err *err)
{
	const uint32_t all = (1u << KB_MODULE_COUNT) - 1;
	uint32_t *modules = &s->machine.launcher.modules;
	int ret = 0;

	for (size_t i = 0; i < s->run.selected_count; i++) {
		const struct kb_candidate *c;
		size_t count;

		c = kb_submission_find(submission, s->run.selected[i], &count);
		for (size_t k = 0; k < count && *modules != all && ret >= 0; k++)
			ret = add_modules(modules, bundle, &c[k], err);
	}
	return ret < 0 ? ret : 0;
}

int kb_candidates_note_conditions(struct kb_session *s,
				  const struct kb_submission *submission,
				  struct kb_err *err)
{
	const bool torch = kb_candidates_use(s, submission, KB_RUNTIME_TORCH);
	const int ret = kb_session_note_conditions(
		s, torch, kb_candidates_use(s, submission, KB_RUNTIME_NATIVE),
		err);

	return ret < 0 || !torch ? ret : kb_session_check_memory(s, err);
}

int kb_problem_bench_open(struct kb_problem_bench *p, struct kb_session *s,
			  struct kb_key key, struct kb_err *err)
{
	const struct kb_problem *problem = kb_suite_find(&s->run.suite, key);
	const enum kb_precision precision =
		kb_precision_find(s->asked.precision);

	p->session = s;
	p->problem = problem;
	p->policy = s->run.policy;
	p->runtime = problem->runtime;
	p->is_stated = kb_tolerance_stated(&p->stated, problem->facts,
					   precision);
	p->alternate = kb_alternate_argument(kb_problem_remedies(problem),
					     kb_precision_largest(precision));
	return kb_bundle_read(&p->source, &s->run.bundle, problem->file,
			      KB_PROBLEM_BYTES_MAX, err);
}

void kb_problem_bench_close(struct kb_problem_bench *p)
{
	kb_bench_close(&p->bench);
	kb_buf_release(&p->source);
	free(p->alternate);
	*p = (struct kb_problem_bench)KB_PROBLEM_BENCH_INIT;
}

/* A reference that cannot even be loaded fails all its candidates alike. */
static void blame_reference(struct kb_result *r, const struct kb_outcome *o)
{
	r->outcome.status = KB_STATUS_REFERENCE_FAILED;
	r->outcome.detail = kb_xasprintf("the reference: %s%s%s",
					 kb_status_name(o->status),
					 o->detail ? ": " : "",
					 o->detail ? o->detail : "");
	r->outcome.log = kb_xstrdup(o->log ? o->log : "");
	r->outcome.log_truncated = o->log_truncated;
	r->outcome.wall_ns = o->wall_ns;
}

static struct kb_source source_of(const struct kb_problem_bench *p)
{
	return (struct kb_source){
		.runtime = p->runtime, .data = p->source.data,
		.len = p->source.len, .alternate = p->alternate,
		.stated = p->is_stated ? &p->stated : NULL,
	};
}

/* Open the bench unless it is. Returns as kb_bench_open(), or fails with
 * KB_ERR_INPUT. */
static int need_bench(struct kb_problem_bench *p, struct kb_outcome *outcome,
		      struct kb_err *err)
{
	const struct kb_source problem = source_of(p);
	int ret;

	/* A record of a full verdict has the error against float64. */
	if (p->bench.has_omitted && !p->policy.is_quick)
		kb_bench_close(&p->bench);
	if (p->bench.launcher)
		return 1;
	ret = kb_bench_open(&p->bench, &p->session->machine.launcher, &p->policy,
			    kb_session_gpu(p->session), &problem, outcome, err);
	if (ret > 0 && kb_plan_check_facts(
			       &p->bench.plan, p->problem,
			       kb_precision_find(p->session->asked.precision),
			       err) < 0)
		return -KB_ERR_INPUT;
	return ret;
}

/* The compiler would say that a header is missing. */
static void explain_backend(struct kb_result *r)
{
	const enum kb_status status = r->outcome.status;

	if (strcmp(r->backend, "hip") || (status != KB_STATUS_BUILD_FAILED &&
					  status != KB_STATUS_LOAD_FAILED))
		return;
	free(r->outcome.detail);
	r->outcome.detail = kb_xstrdup("written in HIP, for AMD GPUs, of which "
				       "none can be measured on");
}

/* By a function of the bench: with times, or without. NULL: in a screen, in one process
 * with the reference. */
typedef int judge_on_bench(struct kb_bench *b, const struct kb_source *candidate,
			   struct kb_result *r, struct kb_err *err);

/* Returns 0, or fails as kb_bench_screen(). */
static int screen_in_one(struct kb_problem_bench *p,
			 const struct kb_source *candidate, struct kb_result *r,
			 struct kb_err *err)
{
	const struct kb_source problem = source_of(p);

	kb_bench_close(&p->bench);
	return kb_bench_screen(&p->bench, &p->session->machine.launcher,
			       &p->policy, kb_session_gpu(p->session), &problem,
			       candidate, r, err);
}

static int judge_code(struct kb_problem_bench *p, const struct kb_source *code,
		      struct kb_result *r, judge_on_bench *judge_on,
		      struct kb_err *err)
{
	struct kb_outcome reference = KB_OUTCOME_INIT;
	int ret;

	if (!judge_on)
		return screen_in_one(p, code, r, err);
	ret = need_bench(p, &reference, err);
	if (ret > 0)
		ret = judge_on(&p->bench, code, r, err);
	else if (!ret)
		blame_reference(r, &reference);
	kb_outcome_release(&reference);
	return ret;
}

static int judge_once(struct kb_problem_bench *p, struct kb_result *r,
		      const struct kb_bundle *submission,
		      const struct kb_candidate *c, judge_on_bench *judge_on,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf source = KB_BUF_INIT;
	struct kb_source code;
	int ret;

	ret = kb_bundle_read(&source, submission, c->file,
			     KB_CANDIDATE_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	code = (struct kb_source){
		.runtime = c->runtime, .data = source.data, .len = source.len,
	};

	r->key = c->key;
	r->sample_id = c->sample_id;
	r->candidate = c->digest;
	r->backend = kb_code_backend(c->runtime, source.data, source.len);
	ret = judge_code(p, &code, r, judge_on, err);
	if (ret >= 0)
		explain_backend(r);
	if (!ret) {
		kb_bench_close(&p->bench);
		if (!p->policy.others)
			ret = kb_session_device_check_alone(p->session, err);
	}
	if (ret < 0)
		kb_result_release(r);
	return ret < 0 ? ret : 0;
}

/* What fails while there is a pause may have failed by it: what is spoken to
 * elsewhere has time-outs of its own. Then it is judged anew, with a new
 * reference. */
static int judge_again(struct kb_problem_bench *p, struct kb_result *r,
		       const struct kb_bundle *submission,
		       const struct kb_candidate *c, judge_on_bench *judge_on,
		       struct kb_err *err)
{
	for (int i = 0;; i++) {
		const uint32_t pauses = kb_pause_count();
		const int ret = judge_once(p, r, submission, c, judge_on, err);

		if (ret < 0 || r->outcome.status == KB_STATUS_CORRECT ||
		    kb_pause_count() == pauses || i == KB_PAUSED_TRIES_MAX)
			return ret;
		kb_bench_close(&p->bench);
		kb_result_release(r);
	}
}

/*
 * The bench is anew under each seed: one reference at a time, as each may fill
 * the device. Trials on alternate inputs come between timed ones, which there are
 * only under the session's own seed.
 */
static void use_seed(struct kb_problem_bench *p, int64_t seed)
{
	const struct kb_policy *policy = &p->session->run.policy;

	if (p->policy.weights_seed == seed)
		return;
	kb_bench_close(&p->bench);
	p->policy.weights_seed = seed;
	p->policy.alternate_trials =
		seed == policy->weights_seed ? policy->alternate_trials : 0;
}

static int judge_under_first(struct kb_problem_bench *p, struct kb_result *r,
			     const struct kb_bundle *submission,
			     const struct kb_candidate *c,
			     judge_on_bench *judge_on, struct kb_err *err)
{
	use_seed(p, p->session->run.policy.weights_seed);
	return judge_again(p, r, submission, c, judge_on, err);
}

int kb_problem_bench_judge(struct kb_problem_bench *p, struct kb_result *r,
			   const struct kb_bundle *submission,
			   const struct kb_candidate *c, struct kb_err *err)
{
	const struct kb_seeds *seeds = &p->session->run.policy.seeds;
	int ret = judge_under_first(p, r, submission, c, kb_bench_candidate, err);

	if (ret >= 0 && seeds->count && r->outcome.status == KB_STATUS_CORRECT)
		r->seeds.items[r->seeds.count++] = seeds->items[0];
	return ret;
}

int kb_problem_bench_verify(struct kb_problem_bench *p, struct kb_result *r,
			    const struct kb_bundle *submission,
			    const struct kb_candidate *c, struct kb_err *err)
{
	return judge_under_first(p, r, submission, c, kb_bench_verify, err);
}

int kb_problem_bench_screen(struct kb_problem_bench *p, struct kb_result *r,
			    const struct kb_bundle *submission,
			    const struct kb_candidate *c, struct kb_err *err)
{
	const bool in_one = p->runtime == KB_RUNTIME_TORCH &&
			    c->runtime == KB_RUNTIME_TORCH;

	return judge_under_first(p, r, submission, c,
				 in_one ? NULL : kb_bench_verify, err);
}

int kb_problem_bench_profile(struct kb_problem_bench *p, struct kb_result *r,
			     const struct kb_bundle *submission,
			     const struct kb_candidate *c,
			     struct kb_device_profile *profile,
			     struct kb_err *err)
{
	int ret;

	use_seed(p, p->session->run.policy.weights_seed);
	p->bench.profile = profile;
	ret = judge_again(p, r, submission, c, kb_bench_verify, err);
	p->bench.profile = NULL;
	return ret;
}

/* Replace the result by the failing one under another seed, `again`; keep the
 * seeds, alternate trials and costs of the first. */
static void replace_result(struct kb_result *r, struct kb_result *again, int64_t seed)
{
	kb_auto(mem) char *detail = again->outcome.detail;

	again->outcome.detail =
		kb_xasprintf("under seed %" PRId64 "%s%s", seed,
			     detail ? ": " : "", detail ? detail : "");
	again->outcome.wall_ns += r->outcome.wall_ns;
	again->cpu_ms += r->cpu_ms;
	again->seeds = r->seeds;
	again->alternates = kb_steal(r->alternates);
	kb_result_release(r);
	*r = *again;
	*again = (struct kb_result)KB_RESULT_INIT;
}

static int confirm_one(struct kb_problem_bench *p, struct kb_result *r,
		       const struct kb_bundle *submission,
		       const struct kb_candidate *c, struct kb_err *err)
{
	kb_auto(result) struct kb_result again = KB_RESULT_INIT;
	const int64_t seed = p->policy.weights_seed;
	int ret = judge_again(p, &again, submission, c, kb_bench_verify, err);

	if (ret < 0)
		return ret;
	if (again.outcome.status != KB_STATUS_CORRECT) {
		replace_result(r, &again, seed);
		return 0;
	}
	r->seeds.items[r->seeds.count++] = seed;
	r->outcome.wall_ns += again.outcome.wall_ns;
	r->cpu_ms += again.cpu_ms;
	return 0;
}

int kb_problem_bench_confirm(struct kb_problem_bench *p,
			     struct kb_result results[],
			     const struct kb_candidate *const candidates[],
			     size_t count, const struct kb_bundle *submission,
			     struct kb_err *err)
{
	const struct kb_seeds *seeds = &p->session->run.policy.seeds;
	int ret = 0;

	for (size_t k = 1; k < seeds->count && ret >= 0; k++) {
		use_seed(p, seeds->items[k]);
		for (size_t i = 0; i < count && ret >= 0; i++)
			if (results[i].outcome.status == KB_STATUS_CORRECT)
				ret = confirm_one(p, &results[i], submission,
						  candidates[i], err);
	}
	return ret;
}
