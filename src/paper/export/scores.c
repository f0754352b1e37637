/* KernelBench's analysis and leaderboard files, from scores. */

#include "export/job.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "export/analysis.h"
#include "export/kernelbench_eval.h"
#include "export/leaderboard_entry.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "score/preset.h"
#include "sheet/hardware.h"
#include "store/store.h"

static int load_evaluation(struct kb_evaluation *e, const struct kb_score *s,
			   const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_export_open_parent(&b, &s->evaluation, KB_KIND_EVALUATION,
					job, err);

	return ret < 0 ? ret : kb_evaluation_load(e, &b, err);
}

static int load_suite(struct kb_suite *suite, const struct kb_evaluation *e,
		      const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_export_open_parent(&b, &e->suite, KB_KIND_SUITE, job,
					err);

	return ret < 0 ? ret : kb_suite_load(suite, &b, err);
}

/* Their numbers are made by their definitions, and then not again here. */
static int load_by_preset(struct kb_score *s, const struct kb_bundle *b,
			  enum kb_preset preset,
			  const struct kb_export_job *job, struct kb_err *err)
{
	const char *want = kb_preset_rules(preset)->name, *name;
	struct kb_choice choice;
	int ret = kb_score_load(s, b, err);

	if (ret == 0)
		ret = kb_preset_read(&choice, s->definition, err);
	if (ret < 0)
		return ret;
	if (choice.is_of_sound)
		return kb_err(err, KB_ERR_INPUT,
			      "it is of the sound problems alone, which format "
			      "'%s' cannot say", job->e->format);
	ret = kb_export_check_derivation(s->stated.derivation, job, err);
	if (ret < 0)
		return ret;
	if (choice.backend)
		return kb_err(err, KB_ERR_INPUT,
			      "it is of candidates in %s alone, which format "
			      "'%s' cannot say", choice.backend,
			      job->e->format);
	if (choice.preset == preset)
		return 0;
	name = kb_preset_rules(choice.preset)->name;
	return kb_err(err, KB_ERR_INPUT,
		      "its preset is '%s', format '%s' needs '%s': make a "
		      "score with 'kb-score --preset %s'",
		      name ? name : "none", job->e->format, want, want);
}

static const char *hardware_of(const struct kb_evaluation *e,
			       const struct kb_export_job *job)
{
	return job->e->hardware ? job->e->hardware
				: kb_hardware_name(e->conditions.environment);
}

int kb_make_kernelbench_analysis(struct kb_made_files *out,
				 const struct kb_bundle *b,
				 const struct kb_export_job *job,
				 struct kb_err *err)
{
	kb_auto(score) struct kb_score score = KB_SCORE_INIT;
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	struct kb_analysis a = { .score = &score, .evaluation = &e };
	kb_auto(mem) char *run = NULL;
	int ret;

	ret = load_by_preset(&score, b, KB_PRESET_KERNELBENCH, job, err);
	if (ret == 0)
		ret = load_evaluation(&e, &score, job, err);
	if (ret == 0)
		ret = kb_export_name_run(&run, &e, job, err);
	if (ret < 0)
		return ret;
	a.run = run;
	a.hardware = hardware_of(&e, job);
	for (size_t i = 0; i < score.level_count; i++) {
		char *path = kb_kernelbench_run_path(run, score.levels[i].level,
						     KB_RUN_ANALYSIS);

		kb_analysis_print(kb_made_files_add(out, path), &a, i);
	}
	return 0;
}

static int add_entry(struct kb_made_files *out, struct kb_leaderboard_entry *e,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf id = KB_BUF_INIT;
	kb_auto(mem) char *both = kb_xasprintf("%s_%s", e->analysis.run,
					       e->analysis.hardware);

	kb_path_word_print(&id, both);
	e->unique_id = id.data;
	kb_leaderboard_metadata_print(
		kb_made_files_add(out, kb_xstrdup("data/metadata.json")), e);
	kb_leaderboard_results_print(
		kb_made_files_add(out, kb_xasprintf("data/results/%s.json",
						    id.data)), e);
	return kb_leaderboard_kernels_print(
		kb_made_files_add(out, kb_xstrdup("data/kernels.json")), e,
		err);
}

int kb_make_leaderboard(struct kb_made_files *out, const struct kb_bundle *b,
			const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(score) struct kb_score score = KB_SCORE_INIT;
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	kb_auto(bundle) struct kb_bundle sb = KB_BUNDLE_INIT;
	kb_auto(mem) char *run = NULL;
	struct kb_leaderboard_entry entry = {
		.analysis = { .score = &score, .evaluation = &e },
		.provenance = &s.provenance, .suite = &suite,
	};
	int ret;

	ret = load_by_preset(&score, b, KB_PRESET_LEADERBOARD, job, err);
	if (ret == 0)
		ret = load_evaluation(&e, &score, job, err);
	if (ret == 0)
		ret = load_suite(&suite, &e, job, err);
	if (ret == 0)
		ret = kb_export_load_submission(&sb, &s, &e, job, err);
	if (ret == 0)
		ret = kb_export_name_run(&run, &e, job, err);
	if (ret < 0)
		return ret;
	entry.analysis.run = run;
	entry.analysis.hardware = hardware_of(&e, job);
	return add_entry(out, &entry, err);
}
