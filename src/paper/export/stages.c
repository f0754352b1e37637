/* KernelBench's files of times, verdicts and runs, from what stages made. */

#include "export/job.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/division.h"
#include "export/kernelbench_baseline.h"
#include "export/kernelbench_eval.h"
#include "export/pass_at_k.h"
#include "export/turns_csv.h"
#include "import/kernelbench_runs.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "store/store.h"

static int load_suite(struct kb_suite *suite, const struct kb_digest *id,
		      const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_export_open_parent(&b, id, KB_KIND_SUITE, job, err);

	if (ret == 0)
		ret = kb_suite_load(suite, &b, err);
	return ret < 0 ? ret : kb_export_check_derivation(
				       kb_suite_derivation(suite), job, err);
}

static int make_baseline_file(struct kb_made_files *out,
			      const struct kb_baseline *baseline,
			      const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	struct kb_buf *text;
	int ret = load_suite(&suite, &baseline->suite, job, err);

	if (ret < 0)
		return ret;
	text = kb_made_files_add(out, kb_kernelbench_baseline_path(
					      baseline, job->e->hardware));
	return kb_kernelbench_baseline_print(text, baseline, &suite,
					     &job->choice, err);
}

int kb_make_kernelbench_baseline(struct kb_made_files *out,
				     const struct kb_bundle *b,
				     const struct kb_export_job *job,
				     struct kb_err *err)
{
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	int ret = kb_baseline_load(&baseline, b, err);

	return ret < 0 ? ret : make_baseline_file(out, &baseline, job, err);
}

/* KernelBench divides whatever it finds; so what it finds must be fit. */
static int check_match(const struct kb_evaluation *evaluation,
		       const struct kb_baseline *baseline,
		       const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	const struct kb_division d =
		kb_division_of(evaluation, baseline, &suite);
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;
	int ret;

	if (!kb_digest_equal(&evaluation->suite, &baseline->suite))
		return kb_err(err, KB_ERR_INPUT,
			      "is of another suite than the evaluation");
	ret = load_suite(&suite, &evaluation->suite, job, err);
	if (ret < 0)
		return ret;
	kb_division_diff(&m, &d);
	if (m.count)
		return kb_err(err, KB_ERR_INPUT,
			      "does not match the evaluation: %zu of their "
			      "conditions differ%s, '%s' first", m.count,
			      m.count == 1 ? "s" : "", m.items[0].field);
	return 0;
}

static int add_baseline(struct kb_made_files *out,
			const struct kb_evaluation *evaluation,
			const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	int ret;

	ret = kb_store_open(&b, job->e->store, job->e->baseline, err);
	if (ret < 0)
		return ret;
	ret = kb_baseline_load(&baseline, &b, err);
	if (ret == 0)
		ret = check_match(evaluation, &baseline, job, err);
	if (ret == 0)
		ret = make_baseline_file(out, &baseline, job, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", job->e->baseline);
	return 0;
}

/* An evaluation's levels, each once: the next one after `level`, or 0. */
static int next_level(const struct kb_evaluation *e, int level)
{
	for (size_t i = 0; i < e->problem_count; i++)
		if (e->problems[i].level > level)
			return e->problems[i].level;
	return 0;
}

static int add_evals(struct kb_made_files *out, const struct kb_evaluation *e,
		     const char *run, const struct kb_export_job *job,
		     struct kb_err *err)
{
	for (int level = 0; (level = next_level(e, level));) {
		struct kb_buf *text = kb_made_files_add(
			out, kb_kernelbench_run_path(run, level,
						     KB_RUN_EVAL_RESULTS));
		int ret = kb_kernelbench_eval_print(text, e, level,
						    &job->choice, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static void add_pass_at_k(struct kb_made_files *out,
			  const struct kb_pass_at_k *p, const char *run,
			  int level)
{
	struct kb_buf *text = kb_made_files_add(
		out, kb_kernelbench_run_path(run, level, KB_RUN_PASS_AT_K));

	kb_pass_at_k_print(text, p);
}

static int check_suite(const struct kb_evaluation *e,
		       const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;

	return load_suite(&suite, &e->suite, job, err);
}

static int load_evaluation(struct kb_evaluation *e, char **run,
			   const struct kb_bundle *b,
			   const struct kb_export_job *job, struct kb_err *err)
{
	int ret = kb_evaluation_load(e, b, err);

	if (ret == 0)
		ret = check_suite(e, job, err);
	return ret < 0 ? ret : kb_export_name_run(run, e, job, err);
}

int kb_make_kernelbench_eval(struct kb_made_files *out,
			     const struct kb_bundle *b,
			     const struct kb_export_job *job,
			     struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(mem) char *run = NULL;
	int ret = load_evaluation(&e, &run, b, job, err);

	if (ret == 0)
		ret = kb_kernelbench_eval_check(&e, &job->choice, err);
	if (ret == 0)
		ret = add_evals(out, &e, run, job, err);
	if (ret == 0 && job->e->baseline)
		ret = add_baseline(out, &e, job, err);
	return ret;
}

int kb_make_kernelbench_pass_at_k(struct kb_made_files *out,
				  const struct kb_bundle *b,
				  const struct kb_export_job *job,
				  struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(mem) char *run = NULL;
	int ret = load_evaluation(&e, &run, b, job, err);

	if (ret < 0)
		return ret;
	for (int level = 0; (level = next_level(&e, level));) {
		kb_auto(pass_at_k) struct kb_pass_at_k p = KB_PASS_AT_K_INIT;

		kb_pass_at_k_of(&p, &e, level);
		add_pass_at_k(out, &p, run, level);
	}
	return 0;
}

/* How the candidates were made, as far as the submission says, under the name
 * that the folder has. */
static void add_config(struct kb_made_files *out,
		       const struct kb_submission *s, const char *run,
		       int level)
{
	kb_auto(mem) char *folder = kb_kernelbench_run_folder(run, level);
	struct kb_provenance p = s->provenance;

	p.run_name = folder;
	kb_runs_config_print(
		kb_made_files_add(out, kb_kernelbench_run_path(
					       run, level, KB_RUNS_CONFIG)),
		&p, level);
}

static int add_kernel(struct kb_made_files *out, const struct kb_bundle *b,
		      const struct kb_candidate *c, const char *run,
		      struct kb_err *err)
{
	kb_auto(mem) char *name = kb_xasprintf(
		"level_%d_problem_%d_sample_%d_kernel%s", c->key.level,
		c->key.problem_id, c->sample_id,
		kb_runtime_extension(c->runtime));
	struct kb_buf *text = kb_made_files_add(
		out, kb_kernelbench_run_path(run, c->key.level, name));

	return kb_bundle_read(text, b, c->file, KB_CANDIDATE_BYTES_MAX, err);
}

static int add_run(struct kb_made_files *out, const struct kb_evaluation *e,
		   const struct kb_bundle *b, const struct kb_submission *s,
		   const char *run, struct kb_err *err)
{
	for (int level = 0; (level = next_level(e, level));) {
		kb_auto(pass_at_k) struct kb_pass_at_k p = KB_PASS_AT_K_INIT;

		kb_pass_at_k_of(&p, e, level);
		if (kb_pass_at_k_is_told(&p))
			add_pass_at_k(out, &p, run, level);
		add_config(out, s, run, level);
	}
	for (size_t i = 0; i < s->candidate_count; i++) {
		const struct kb_candidate *c = &s->candidates[i];
		size_t count;
		int ret = 0;

		if (kb_evaluation_find(e, c->key, &count))
			ret = add_kernel(out, b, c, run, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int kb_make_kernelbench_runs(struct kb_made_files *out,
			     const struct kb_bundle *b,
			     const struct kb_export_job *job,
			     struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	kb_auto(bundle) struct kb_bundle sb = KB_BUNDLE_INIT;
	kb_auto(mem) char *run = NULL;
	int ret = kb_make_kernelbench_eval(out, b, job, err);

	if (ret == 0)
		ret = load_evaluation(&e, &run, b, job, err);
	if (ret == 0)
		ret = kb_export_load_submission(&sb, &s, &e, job, err);
	return ret < 0 ? ret : add_run(out, &e, &sb, &s, run, err);
}

int kb_make_turns(struct kb_made_files *out, const struct kb_bundle *b,
		  const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	int ret = kb_generation_load(&g, b, err);

	(void)job;
	if (ret == 0 && !g.asked.has_refinement)
		ret = kb_err(err, KB_ERR_INPUT, "it has one turn");
	if (ret == 0)
		kb_turns_csv_print(kb_made_files_add(out, NULL), &g);
	return ret;
}
