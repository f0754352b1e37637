#include "runs/remeasure.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "crew/candidate_builds.h"
#include "crew/crew.h"
#include "crew/eval_lane.h"
#include "device/division.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "score/preset.h"
#include "score/sample.h"
#include "session/policy.h"
#include "session/recorded.h"
#include "store/store.h"
#include "tables/remeasure_table.h"
#include "verify/gpus.h"
#include "verify/lineage.h"

/* The candidates to measure again, and their source. */
struct remeasure_run {
	const struct kb_remeasure_options *options;
	const char *store;
	struct kb_recorded recorded;
	size_t *places;				/* of the sample */
	bool *is_done;				/* of the same */
	struct kb_remeasurement *out;
	struct kb_progress progress;
	struct kb_crew crew;
	struct kb_eval_lane lane;
};

#define RUN_INIT { .recorded = KB_RECORDED_INIT, .crew = KB_CREW_INIT,	\
		   .progress = { .events_fd = -1 }, .lane = KB_EVAL_LANE_INIT }

static void release_run(struct remeasure_run *run)
{
	kb_crew_close(&run->crew);
	kb_recorded_release(&run->recorded);
	free(run->places);
	free(run->is_done);
}

int kb_remeasure_check_options(const struct kb_remeasure_options *o,
			       struct kb_err *err)
{
	const struct {
		const char *name;
		bool is_given;
	} others[] = {
		{ "sample-size", o->sample_count },
		{ "sample-seed", o->sample_seed >= 0 },
		{ "allow-mismatch", o->allowed.count },
		{ "device", o->device },
		{ "python", o->python },
		{ "cc", o->cc },
		{ "nvcc", o->nvcc },
		{ "weights", o->weights },
		{ "salt-file", o->salt_file },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(others) && !o->wanted; i++)
		if (others[i].is_given)
			return kb_err(err, KB_ERR_USAGE,
				      "option '--%s' is for --remeasure",
				      others[i].name);
	return 0;
}

static bool has_device_times(const struct kb_evaluation *e)
{
	for (size_t i = 0; i < e->result_count; i++)
		if (e->results[i].device_timing)
			return true;
	return false;
}

/* A score's evaluation, and the clock that counts in it. */
static int load_score(struct remeasure_run *run, const struct kb_bundle *b,
		      struct kb_err *err)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(bundle) struct kb_bundle eb = KB_BUNDLE_INIT;
	struct kb_choice choice;
	int ret = kb_score_load(&s, b, err);

	if (ret >= 0)
		ret = kb_preset_read(&choice, s.definition, err);
	if (ret < 0)
		return ret;
	run->out->clock = choice.clock;
	run->out->evaluation = s.evaluation;
	ret = kb_store_open_id(&eb, run->store, &s.evaluation, err);
	if (ret >= 0)
		ret = kb_evaluation_load(&run->recorded.evaluation, &eb, err);
	return ret < 0 ? kb_err_wrap(err, "its evaluation") : ret;
}

static int load_evaluation(struct remeasure_run *run,
			   const struct kb_bundle *b, enum kb_kind kind,
			   struct kb_err *err)
{
	int ret;

	if (kind == KB_KIND_SCORE)
		return load_score(run, b, err);
	if (kind != KB_KIND_EVALUATION)
		return kb_err(err, KB_ERR_INPUT,
			      "no candidates have been timed for it");
	run->out->evaluation = b->id;
	ret = kb_evaluation_load(&run->recorded.evaluation, b, err);
	if (ret < 0)
		return ret;
	run->out->clock = has_device_times(&run->recorded.evaluation) ? KB_CLOCK_DEVICE
							    : KB_CLOCK_CALL;
	return 0;
}

static const struct kb_result *claimed_result(const struct remeasure_run *run,
					      size_t i)
{
	return &run->recorded.evaluation.results[run->places[i]];
}

static int draw_sample(struct remeasure_run *run, struct kb_err *err)
{
	const struct kb_remeasure_options *o = run->options;
	struct kb_remeasurement *out = run->out;

	out->sample_seed = o->sample_seed >= 0 ?
		o->sample_seed : kb_sample_seed_of(&out->evaluation);
	out->count = kb_sample_draw(&run->places, &out->correct_count,
				    &run->recorded.evaluation, out->clock,
				    (size_t)o->sample_count, out->sample_seed);
	if (!out->count)
		return kb_err(err, KB_ERR_INPUT, "no candidate is correct");
	out->items = kb_xcalloc(out->count, sizeof(*out->items));
	run->is_done = kb_xcalloc(out->count, sizeof(*run->is_done));
	for (size_t i = 0; i < out->count; i++)
		kb_remeasure_claim(&out->items[i], claimed_result(run, i),
				   out->clock);
	return 0;
}

static int check_claims(const struct remeasure_run *run, struct kb_err *err)
{
	for (size_t i = 0; i < run->out->count; i++) {
		const struct kb_result *r = claimed_result(run, i);
		char key[KB_KEY_SIZE];
		int ret = kb_remeasure_check(r, err);

		if (ret < 0)
			return ret;
		kb_key_format(key, r->key);
		if (!kb_recorded_candidate(&run->recorded, r))
			return kb_err(err, KB_ERR_INPUT,
				      "its submission has no such candidate "
				      "for problem '%s', sample %d", key,
				      r->sample_id);
	}
	return 0;
}

/* All that there is to be known without running anything. */
static int read_claims(struct remeasure_run *run, const struct kb_bundle *b,
		       enum kb_kind kind, struct kb_err *err)
{
	int ret = load_evaluation(run, b, kind, err);

	if (ret >= 0)
		ret = kb_recorded_open_parents(&run->recorded, run->store, err);
	if (ret >= 0)
		ret = draw_sample(run, err);
	return ret < 0 ? ret : check_claims(run, err);
}

static bool is_allowed(const struct kb_option_list *allowed, const char *field)
{
	for (int i = 0; i < allowed->count; i++)
		if (!strcmp(allowed->items[i], field))
			return true;
	return false;
}

/* References run in eager mode, now as then. */
static struct kb_division division_of(const struct remeasure_run *run)
{
	const struct kb_evaluation *e = &run->recorded.evaluation;
	const struct kb_session_run *now = &run->recorded.session.run;

	return (struct kb_division){
		.left = { &e->conditions, e->problems, e->problem_count },
		.right = { &now->conditions, now->selected,
			   now->selected_count },
		.mode = KB_MODE_EAGER,
		.suite = &now->suite,
	};
}

/* Refuse unknown fields as typing mistakes, as kb_judge() does. */
static int check_allowed(const struct remeasure_run *run, struct kb_err *err)
{
	const struct kb_option_list *allowed = &run->options->allowed;
	const struct kb_division d = division_of(run);

	for (int i = 0; i < allowed->count; i++)
		if (!kb_division_knows(&d, allowed->items[i]))
			return kb_err(err, KB_ERR_INPUT,
				      "no match key has a field '%s': "
				      "kb-manifest(5) lists them",
				      allowed->items[i]);
	return 0;
}

static void add_mismatch(struct kb_mismatches *m, struct kb_mismatch *item)
{
	m->items = kb_xreallocarray(m->items, m->count + 1, sizeof(*m->items));
	m->items[m->count++] = *item;
	*item = (struct kb_mismatch){ .field = NULL };
}

static void compare_stacks(struct remeasure_run *run)
{
	const struct kb_division d = division_of(run);
	kb_auto(mismatches) struct kb_mismatches all = KB_MISMATCHES_INIT;

	kb_division_diff(&all, &d);
	for (size_t i = 0; i < all.count; i++)
		add_mismatch(is_allowed(&run->options->allowed,
					all.items[i].field) ?
				     &run->out->allowed : &run->out->refused,
			     &all.items[i]);
}

/* Boards of one name may have memory of different speed. */
static void note_board(struct remeasure_run *run)
{
	const struct kb_division d = division_of(run);
	struct kb_mismatch item;

	if (!kb_conditions_differ_in_board(d.left.conditions,
					   d.right.conditions))
		return;
	item = (struct kb_mismatch){
		.field = kb_xstrdup("gpu.board_part_number"),
		.left = kb_xstrdup(kb_conditions_board(d.left.conditions)),
		.right = kb_xstrdup(kb_conditions_board(d.right.conditions)),
	};
	add_mismatch(&run->out->noted, &item);
}

/* Compare the GPUs that took part. Other GPUs measured nothing. */
static void compare_gpus(struct remeasure_run *run)
{
	const struct kb_session_run *now = &run->recorded.session.run;
	const struct kb_json *environment =
		run->recorded.evaluation.conditions.environment;

	kb_gpus_compare(&run->out->gpus, kb_json_find(environment, "gpu"),
			(const char *const *)now->gpu_ids, now->gpu_id_count,
			run->options->salt_file);
}

/* --- what a lane says --------------------------------------------------- */

/* Where the sample has it. */
static size_t place_of(const struct remeasure_run *run,
		       const struct kb_result *r)
{
	for (size_t i = 0; i < run->out->count; i++)
		if (!kb_key_compare(claimed_result(run, i)->key, r->key) &&
		    claimed_result(run, i)->sample_id == r->sample_id)
			return i;
	KB_BUG("a lane did what it was not asked for");
}

static int take_said(void *context, const struct kb_job *job, size_t device,
		     const struct kb_json *said, struct kb_err *err)
{
	struct remeasure_run *run = context;
	kb_auto(result) struct kb_result now = KB_RESULT_INIT;
	kb_auto(json) struct kb_json *event = kb_json_object();
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_remeasured *r;
	int ret = kb_result_from_json(&now, said, "a lane", err);
	size_t i;

	(void)job;
	(void)device;
	if (ret < 0)
		return ret;
	i = place_of(run, &now);
	r = &run->out->items[i];
	kb_remeasure_compare(r, claimed_result(run, i), &now, run->out->clock);
	run->is_done[i] = true;
	kb_remeasured_print(&line, r);
	kb_progress_item(&run->progress, now.outcome.status, line.data, event);
	return 0;
}

/* --- what is to be done ------------------------------------------------ */

/* One problem's candidates lie together; each is a job of its own. */
static void add_jobs(struct remeasure_run *run)
{
	struct kb_jobs *jobs = &run->crew.jobs;
	struct kb_job_group *g = NULL;

	for (size_t i = 0; i < run->out->count; i++) {
		const struct kb_result *r = claimed_result(run, i);
		struct kb_job *job;

		if (!g || kb_key_compare(g->key, r->key))
			g = kb_jobs_add_group(jobs, r->key, KB_UNKNOWN);
		job = kb_jobs_add(jobs, g, 1, 2);
		job->candidates[job->candidate_count++] =
			kb_recorded_candidate(&run->recorded, r);
		kb_crew_add_candidate_builds(&run->crew, job,
					     &run->recorded.bundle);
	}
}

static int run_all(struct remeasure_run *run, struct kb_err *err)
{
	int ret = kb_progress_begin(&run->progress, run->out->count, NULL, err);

	add_jobs(run);
	if (ret >= 0)
		ret = kb_crew_run(&run->crew, err);
	kb_progress_end(&run->progress);
	return ret;
}

/* Called only if there is something to measure. */
static int open_crew(struct remeasure_run *run, struct kb_err *err)
{
	run->lane.session = &run->recorded.session;
	run->lane.bundle = &run->recorded.bundle;
	run->lane.submission = &run->recorded.submission;
	run->lane.wants_rooms = true;
	return kb_crew_open(&run->crew, run->lane.session, &(struct kb_crew_work){
			.kind = &kb_eval_lane_kind, .lane = &run->lane,
			.take = take_said, .context = run,
			.progress = &run->progress,
		}, err);
}

static int measure_sample(struct remeasure_run *run, struct kb_err *err)
{
	const struct kb_recorded_asked asked = {
		.store = run->store, .device = run->options->device,
		.python = run->options->python, .cc = run->options->cc,
		.nvcc = run->options->nvcc, .weights = run->options->weights,
		.salt_file = run->options->salt_file,
	};
	struct kb_session *session = &run->recorded.session;
	int ret;

	/* A check of a store must not write into it. */
	session->asked.no_build_cache = true;
	session->say = kb_stderr_say;
	ret = kb_recorded_prepare_session(&run->recorded, "kb-verify", &asked,
					  err);
	if (ret >= 0)
		ret = kb_candidates_note_modules(session,
						 &run->recorded.submission,
						 &run->recorded.bundle, err);
	if (ret >= 0)
		ret = open_crew(run, err);
	if (ret >= 0)
		ret = check_allowed(run, err);
	if (ret < 0)
		return ret;
	compare_stacks(run);
	note_board(run);
	if (run->out->refused.count)
		return 0;
	ret = kb_session_check_policy(
		session, run->recorded.evaluation.conditions.policy, err);
	return ret < 0 ? ret : run_all(run, err);
}

/* Skip candidates that an interruption left unmeasured. */
static void keep_done(const struct remeasure_run *run)
{
	struct kb_remeasurement *out = run->out;
	size_t kept = 0;

	for (size_t i = 0; i < out->count; i++)
		if (run->is_done[i])
			out->items[kept++] = out->items[i];
	out->count = kept;
	out->is_interrupted = true;
}

int kb_remeasure(struct kb_remeasurement *out, const struct kb_bundle *b,
		 enum kb_kind kind, const char *store,
		 const struct kb_remeasure_options *o, struct kb_err *err)
{
	struct remeasure_run run = RUN_INIT;
	int ret;

	*out = (struct kb_remeasurement)KB_REMEASUREMENT_INIT;
	run.options = o;
	run.store = store;
	run.out = out;
	/* Before anything runs, the bundle and its parents are read. */
	ret = read_claims(&run, b, kind, err);
	if (kb_is_answer(ret)) {
		out->why_not = kb_xstrdup(err->msg);
		ret = 0;
	} else if (ret >= 0) {
		ret = measure_sample(&run, err);
		compare_gpus(&run);
		if (ret == -KB_ERR_INTERRUPTED)
			keep_done(&run);
	}
	release_run(&run);
	return ret < 0 ? ret : 0;
}
