/* kb-eval: build, judge and time the candidates of a submission. */

#include "cmd/cmd.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/progress.h"
#include "cmd/profile.h"
#include "cmd/result_line.h"
#include "crew/crew.h"
#include "crew/eval_lane.h"
#include "crew/shown.h"
#include "import/open.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/match_key.h"
#include "score/baseline_v1.h"
#include "score/times.h"
#include "session/candidates.h"
#include "session/done.h"
#include "session/journaled.h"
#include "session/session.h"
#include "tables/evaluation_table.h"
#include "tables/score_table.h"

static struct kb_session session = KB_SESSION_INIT;
static const char *submission_name, *baseline_name, *profile_name;

static const struct kb_option options[] = {
	KB_SESSION_TEXT(MEASUREMENT, "device", "DEVICE",
			"where kernels run: cpu, cuda:N, cuda:N,cuda:M, cuda:all",
			session.asked.device, .letter = 'd'),
	KB_SESSION_PLACE(MEASUREMENT, "baseline", "BUNDLE",
			 "refuse to start unless this baseline matches",
			 baseline_name, .letter = 'b'),
	KB_SESSION_PLACE(MEASUREMENT, "profile", "EVALUATION",
			 "read a GPU's counters while its correct candidates run,"
			 " untimed", profile_name),
	KB_SESSION_JUDGE_OPTIONS(session.asked),
	KB_SESSION_BUILD_OPTIONS(session.asked),
	KB_SESSION_OPTIONS(session.asked),
	KB_OPTION_END
};

#define FORM "kb-eval SUITE SUBMISSION"

static const struct kb_former_option former[] = {
	{ "submission", 'x', "is now an operand: " FORM },
	KB_SESSION_FORMER(FORM),
	KB_FORMER_END
};

/* One run: what is judged, by what, and what came of it so far. */
struct evaluation_run {
	struct kb_bundle bundle;
	struct kb_submission submission;
	struct kb_baseline baseline;		/* empty if none was named */
	struct kb_evaluation evaluation;
	size_t capacity;			/* of evaluation.results */
	struct kb_journaled journaled;
	struct kb_crew crew;

	struct kb_eval_lane lane;
};

#define RUN_INIT { .bundle = KB_BUNDLE_INIT, \
		   .submission = KB_SUBMISSION_INIT, \
		   .baseline = KB_BASELINE_INIT, \
		   .evaluation = KB_EVALUATION_INIT, .journaled = KB_JOURNALED_INIT, \
		   .crew = KB_CREW_INIT, .lane = KB_EVAL_LANE_INIT }

static void release_run(struct evaluation_run *run)
{
	kb_crew_close(&run->crew);
	kb_evaluation_release(&run->evaluation);
	kb_cleanup_journaled(&run->journaled);
	kb_baseline_release(&run->baseline);
	kb_submission_release(&run->submission);
	kb_bundle_release(&run->bundle);
}

/* The problems that have no candidate are results as well. */
static size_t count_results(const struct evaluation_run *run)
{
	size_t total = 0;

	for (size_t i = 0; i < session.run.selected_count; i++) {
		size_t count;

		kb_submission_find(&run->submission, session.run.selected[i],
				   &count);
		if (kb_session_owns_problem(&session, i))
			total += count ? count : 1;
	}
	return total;
}

/* Every candidate is for a problem of the suite: a wrong suite would show
 * only as a score of missing candidates. */
static int check_submission(const struct kb_submission *s, struct kb_err *err)
{
	for (size_t i = 0; i < s->candidate_count; i++) {
		char key[KB_KEY_SIZE];

		if (kb_suite_find(&session.run.suite, s->candidates[i].key))
			continue;
		kb_key_format(key, s->candidates[i].key);
		return kb_err(err, KB_ERR_INPUT,
			      "the submission has a candidate for '%s', which "
			      "suite '%s' lacks", key, session.run.suite.name);
	}
	return 0;
}

static int check_baseline(struct evaluation_run *run, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!baseline_name)
		return 0;
	ret = kb_store_open(&b, session.asked.store, baseline_name, err);
	if (ret >= 0)
		ret = kb_baseline_load(&run->baseline, &b, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", baseline_name);
	ret = kb_baseline_v1_refuse(&run->baseline, &b.id, err);
	if (ret < 0)
		return ret;
	if (!kb_digest_equal(&run->baseline.suite, &session.run.bundle.id))
		return kb_err(err, KB_ERR_INPUT,
			      "baseline '%s' is of another suite",
			      baseline_name);
	kb_match_key_diff(&m, session.run.conditions.match_key,
			  run->baseline.conditions.match_key);
	if (!m.count)
		return 0;
	kb_score_table_print_mismatches(&text, &m);
	fputs(text.data, stderr);
	return kb_err(err, KB_ERR_INPUT,
		      "baseline '%s' was made under other conditions",
		      baseline_name);
}

static int open_submission(struct evaluation_run *run, struct kb_err *err)
{
	int ret = kb_submission_open_or_pack(&run->bundle, &run->submission,
					     session.asked.store,
					     submission_name, err);

	if (ret < 0)
		return kb_err_wrap(err, "submission '%s'", submission_name);
	return check_submission(&run->submission, err);
}

static const struct kb_crew_work work;

static int open_run(struct evaluation_run *run, struct kb_err *err)
{
	int ret = kb_session_prepare(&session, "kb-eval", options, err);

	session.machine.launcher.closed[2] = submission_name;
	if (ret >= 0)
		ret = open_submission(run, err);
	if (ret >= 0)
		ret = kb_crew_open(&run->crew, &session, &work, run, err);
	if (ret >= 0)
		ret = check_baseline(run, err);
	return ret;
}

static struct kb_result *new_result(struct evaluation_run *run)
{
	struct kb_evaluation *e = &run->evaluation;
	struct kb_result *r;

	e->results = kb_grow(e->results, e->result_count, &run->capacity,
			     sizeof(*e->results));
	r = &e->results[e->result_count];
	*r = (struct kb_result)KB_RESULT_INIT;
	return r;
}

static struct kb_journaled_item item_of(const struct kb_result *r)
{
	return (struct kb_journaled_item){
		.key = r->key, .sample_id = r->sample_id,
		.status = r->outcome.status,
	};
}

static int take_line(void *context, const struct kb_json *line,
		     const char *path, struct kb_err *err)
{
	struct evaluation_run *run = context;
	struct kb_result *r = new_result(run);
	struct kb_journaled_item item;
	int ret = kb_result_from_json(r, line, path, err);

	if (ret < 0)
		return ret;
	item = item_of(r);
	if (kb_journaled_resume(&run->journaled, &item))
		run->evaluation.result_count++;
	else
		kb_result_release(r);
	return 0;
}

/* Moves `done` to the run's results. */
static int finish(struct evaluation_run *run, struct kb_result *done,
		  struct kb_err *err)
{
	const struct kb_journaled_item item = item_of(done);
	struct kb_result *r = new_result(run);
	kb_auto(json) struct kb_json *line = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	run->evaluation.result_count++;
	*r = *done;
	*done = (struct kb_result)KB_RESULT_INIT;
	line = kb_result_to_json(r);
	kb_result_line_print(&text, kb_baseline_find(&run->baseline, r->key),
			     r);
	return kb_journaled_add(&run->journaled, &item, line, "candidate",
				item.status == KB_STATUS_MISSING ? NULL :
								   text.data,
				err);
}

static int note_missing(struct evaluation_run *run, struct kb_key key,
			struct kb_err *err)
{
	struct kb_result r = KB_RESULT_INIT;

	if (kb_done_has(&run->journaled.done, key, 0))
		return 0;
	r.key = key;
	r.outcome.status = KB_STATUS_MISSING;
	return finish(run, &r, err);
}

/* --- in a lane --------------------------------------------------------- */

static int note_conditions(void *context, struct kb_err *err)
{
	struct evaluation_run *run = context;

	run->lane.session = &session;
	run->lane.bundle = &run->bundle;
	run->lane.submission = &run->submission;
	return kb_candidates_note_conditions(&session, &run->submission, err);
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *samples, int fd, struct kb_err *err)
{
	struct evaluation_run *run = context;

	return kb_eval_lane_do_job(&run->lane, key, samples, fd, err);
}

static int warm(void *context, struct kb_key key,
		const struct kb_json *samples, struct kb_err *err)
{
	struct evaluation_run *run = context;

	return kb_eval_lane_warm(&run->lane, key, samples, err);
}

static void leave(void *context)
{
	struct evaluation_run *run = context;

	if (run->lane.session)
		kb_eval_lane_release(&run->lane);
}

/* --- what is to be done ------------------------------------------------ */

/* Its index among those of the job. */
static size_t candidate_of(const struct kb_job *job, const struct kb_result *r)
{
	for (size_t i = 0; i < job->candidate_count; i++)
		if (job->candidates[i]->sample_id == r->sample_id)
			return i;
	KB_BUG("a lane did what it was not asked for");
}

/* What the lane does not know. */
static void complete(struct kb_result *r, const struct evaluation_run *run,
		     const struct kb_job *job, size_t device)
{
	const char *why = kb_crew_in_place(&run->crew, job,
					   candidate_of(job, r));
	const char *id = kb_crew_device_id(&run->crew, device);

	r->built_in_place = why ? kb_xstrdup(why) : NULL;
	r->measured_on = id ? kb_xstrdup(id) : NULL;
}

static int take(void *context, const struct kb_job *job, size_t device,
		const struct kb_json *said, struct kb_err *err)
{
	struct evaluation_run *run = context;
	kb_auto(result) struct kb_result r = KB_RESULT_INIT;
	int ret = kb_result_from_json(&r, said, "a lane", err);

	if (ret < 0)
		return ret;
	complete(&r, run, job, device);
	return finish(run, &r, err);
}

static int move(void *context, const struct kb_job *job, enum kb_stage from,
		enum kb_stage to, size_t device, struct kb_err *err)
{
	struct evaluation_run *run = context;

	return kb_crew_show_move(&run->crew, &run->journaled.progress, job,
				 from, to, device, err);
}

static int take_out(void *context, size_t device, const char *reason,
		    const char *key, struct kb_err *err)
{
	struct evaluation_run *run = context;

	return kb_crew_show_taken_out(&run->crew, &run->journaled.progress,
				      device, reason, key, err);
}

static const struct kb_crew_work work = {
	.note_conditions = note_conditions, .do_job = do_job, .warm = warm,
	.leave = leave,
	.take = take, .move = move, .take_out = take_out,
};

/* Code that is compiled: a candidate's, and a reference's if it is native. */
static void add_builds(struct evaluation_run *run, struct kb_job *job)
{
	const struct kb_problem *p =
		kb_suite_find(&session.run.suite, job->key);
	struct kb_builds *b = &run->crew.builds;
	const struct kb_code_file problem = {
		.runtime = p->runtime, .digest = p->digest,
		.bundle = &session.run.bundle, .file = p->file,
		.bytes_max = KB_PROBLEM_BYTES_MAX,
	};

	if (!run->crew.builders)
		return;
	if (p->runtime != KB_RUNTIME_TORCH)
		job->builds[job->build_count++] =
			kb_builds_add(b, &problem, NULL);
	for (size_t i = 0; i < job->candidate_count; i++) {
		const struct kb_candidate *c = job->candidates[i];
		const struct kb_code_file code = {
			.runtime = c->runtime, .digest = c->digest,
			.bundle = &run->bundle, .file = c->file,
			.bytes_max = KB_CANDIDATE_BYTES_MAX,
		};

		job->builds[job->build_count++] = kb_builds_add(
			b, &code,
			c->runtime == KB_RUNTIME_TORCH ? &problem : NULL);
	}
}

/* With one seed each candidate is a job of its own, so that no more than one is
 * lost if a lane is killed. */
static void add_problem(struct evaluation_run *run, struct kb_key key,
			const struct kb_candidate *candidates, size_t count)
{
	const struct kb_reference_result *baseline =
		kb_baseline_find(&run->baseline, key);
	const size_t most = session.run.policy.seeds.count ? count : 1;
	struct kb_job_group *g = kb_jobs_add_group(
		&run->crew.jobs, key,
		kb_times_median_ns(baseline ? baseline->timing : NULL));
	struct kb_job *job = NULL;

	for (size_t i = 0; i < count; i++) {
		if (kb_done_has(&run->journaled.done, key, candidates[i].sample_id))
			continue;
		if (!job || job->candidate_count == most)
			job = kb_jobs_add(&run->crew.jobs, g, most, most + 1);
		job->candidates[job->candidate_count++] = &candidates[i];
	}
	for (size_t i = 0; i < g->count; i++)
		add_builds(run, &g->jobs[i]);
}

static int add_jobs(struct evaluation_run *run, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < session.run.selected_count && ret >= 0; i++) {
		const struct kb_key key = session.run.selected[i];
		const struct kb_candidate *candidates;
		size_t count;

		if (!kb_session_owns_problem(&session, i))
			continue;
		candidates = kb_submission_find(&run->submission, key, &count);
		if (count)
			add_problem(run, key, candidates, count);
		else
			ret = note_missing(run, key, err);
	}
	kb_jobs_sort(&run->crew.jobs);
	return ret;
}

/* Said once, at the start: it may be that problems are numbered otherwise
 * than the suite's. */
static void say_missing(const struct evaluation_run *run)
{
	size_t missing = 0;

	for (size_t i = 0; i < session.run.selected_count; i++) {
		size_t count;

		kb_submission_find(&run->submission, session.run.selected[i],
				   &count);
		missing += kb_session_owns_problem(&session, i) && !count;
	}
	if (missing)
		fprintf(stderr, "%zu of %zu problems have no candidate\n",
			missing, kb_session_problem_count(&session));
}

static int do_jobs(void *context, struct kb_err *err)
{
	struct evaluation_run *run = context;
	int ret;

	say_missing(run);
	ret = add_jobs(run, err);
	return ret < 0 ? ret : kb_crew_run(&run->crew, err);
}

static const struct kb_journaled_work results = {
	.items = "candidates", .take = take_line, .make = do_jobs,
};

static int write_bundle(struct kb_evaluation *e, struct kb_digest *id,
			struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret = kb_bundle_writer_new(&w, session.asked.store, err);

	if (ret >= 0)
		ret = kb_evaluation_write(w, e, err);
	return ret < 0 ? ret : kb_session_commit(&session, w, id, err);
}

static int evaluate(struct evaluation_run *run, struct kb_digest *id,
		    struct kb_err *err)
{
	struct kb_evaluation *e = &run->evaluation;
	int ret = open_run(run, err);

	if (ret < 0)
		return ret;
	e->suite = session.run.bundle.id;
	e->submission = run->bundle.id;

	const struct kb_digest parents[] = { e->suite, e->submission };

	ret = kb_session_resume(&session, KB_KIND_EVALUATION, parents, err);
	if (ret >= 0)
		ret = kb_journaled_run(&run->journaled, &session,
				       count_results(run), &results, run, err);
	if (ret < 0 || session.asked.shard)
		return ret;
	kb_session_copy_conditions(&session, &e->problems, &e->problem_count,
				   &e->conditions);
	return write_bundle(e, id, err);
}

static int print_evaluation(const struct kb_evaluation *e,
			    const struct kb_digest *id, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_evaluation_table_print(&text, e);
	printf("%s\n", text.data);
	return kb_made_print(&session.asked.made, session.asked.store,
			     KB_KIND_EVALUATION, id, err);
}

static bool wants_profile(void)
{
	return profile_name;
}

static int profile(int argc, struct kb_err *err)
{
	int ret;

	if (argc || baseline_name)
		return kb_err(err, KB_ERR_USAGE,
			      "--profile goes by the evaluation alone: it wants "
			      "no %s", argc ? "SUITE and no SUBMISSION" :
					      "--baseline");
	ret = kb_profile_run(profile_name, &session.asked, options, err);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static int run(int argc, char *argv[], struct kb_err *err)
{
	struct evaluation_run run_state = RUN_INIT;
	struct kb_digest id;
	int ret;

	if (profile_name)
		return profile(argc, err);
	session.asked.suite_name = argv[0];
	submission_name = argv[1];
	ret = evaluate(&run_state, &id, err);
	if (ret >= 0 && session.asked.shard)
		kb_session_print_shard(&session);
	else if (ret >= 0)
		ret = print_evaluation(&run_state.evaluation, &id, err);
	release_run(&run_state);
	kb_session_release(&session);
	return ret < 0 ? ret : KB_EXIT_OK;
}

static const struct kb_verb verbs[] = {
	{ .operands = "SUITE SUBMISSION", .options = options,
	  .former = former, .without_operands = wants_profile, .run = run },
};

const struct kb_command kb_command = {
	.name = "kb-eval",
	.about = "Build, judge and time the candidates of a submission on this "
		 "machine, and write\nthe evaluation into the store.",
	.verbs = verbs,
	.verb_count = 1,
	.can_be_interrupted = true,
};
