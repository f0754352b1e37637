#include "runs/eval_run.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "crew/candidate_builds.h"
#include "runs/fits_suite.h"
#include "runs/result_line.h"
#include "score/times.h"
#include "session/done.h"
#include "session/session.h"

void kb_eval_run_release(struct kb_eval_run *run)
{
	kb_crew_close(&run->crew);
	kb_evaluation_release(&run->evaluation);
	kb_cleanup_journaled(&run->journaled);
	kb_baseline_release(&run->baseline);
	kb_submission_release(&run->submission);
	kb_bundle_release(&run->bundle);
}

/* The problems that have no candidate are results as well. */
static size_t count_results(const struct kb_eval_run *run)
{
	const struct kb_session_run *asked = &run->session->run;
	size_t total = 0;

	for (size_t i = 0; i < asked->selected_count; i++) {
		size_t count;

		kb_submission_find(&run->submission, asked->selected[i],
				   &count);
		if (kb_session_owns_problem(run->session, i))
			total += count ? count : 1;
	}
	return total;
}

static struct kb_result *new_result(struct kb_eval_run *run)
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
		.status = r->outcome.status, .is_timed = kb_result_has_time(r),
	};
}

static int take_line(void *context, const struct kb_json *line,
		     const char *path, struct kb_err *err)
{
	struct kb_eval_run *run = context;
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
static int finish_result(struct kb_eval_run *run, struct kb_result *done,
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

static int note_missing(struct kb_eval_run *run, struct kb_key key,
			struct kb_err *err)
{
	struct kb_result r = KB_RESULT_INIT;

	if (kb_done_has(&run->journaled.done, key, 0))
		return 0;
	r.key = key;
	r.outcome.status = KB_STATUS_MISSING;
	return finish_result(run, &r, err);
}

/* Its index among those of the job. */
static size_t candidate_of(const struct kb_job *job, const struct kb_result *r)
{
	for (size_t i = 0; i < job->candidate_count; i++)
		if (job->candidates[i]->sample_id == r->sample_id)
			return i;
	KB_BUG("a lane did what it was not asked for");
}

static int take_said(void *context, const struct kb_job *job, size_t device,
		     const struct kb_json *said, struct kb_err *err)
{
	struct kb_eval_run *run = context;
	kb_auto(result) struct kb_result r = KB_RESULT_INIT;
	int ret = kb_result_from_json(&r, said, "a lane", err);

	if (ret < 0)
		return ret;
	kb_crew_complete_result(&run->crew, job, candidate_of(job, &r), device,
				&r);
	if (!job->is_screened)
		kb_crew_note_look(&run->crew, kb_eval_is_final(&r));
	return finish_result(run, &r, err);
}

/* With one seed each candidate is a job of its own, so that no more than one is
 * lost if a lane is killed. */
static void add_problem(struct kb_eval_run *run, struct kb_key key,
			const struct kb_candidate *candidates, size_t count)
{
	const struct kb_reference_result *baseline =
		kb_baseline_find(&run->baseline, key);
	const size_t most = run->session->run.policy.seeds.count ? count : 1;
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
		kb_crew_add_candidate_builds(&run->crew, g->jobs[i],
					     &run->bundle);
}

static int add_jobs(struct kb_eval_run *run, struct kb_err *err)
{
	const struct kb_session_run *asked = &run->session->run;
	int ret = 0;

	for (size_t i = 0; i < asked->selected_count && ret >= 0; i++) {
		const struct kb_key key = asked->selected[i];
		const struct kb_candidate *candidates;
		size_t count;

		if (!kb_session_owns_problem(run->session, i))
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
 * than the suite's. Who selects problems knows that there are others. */
static void say_missing(const struct kb_eval_run *run)
{
	const struct kb_session_run *asked = &run->session->run;
	const struct kb_session_options *o = &run->session->asked;
	size_t missing = 0;

	if (!o->problem_list && !o->level_list)
		kb_print_lacking(&run->submission, &asked->suite);

	for (size_t i = 0; i < asked->selected_count; i++) {
		size_t count;

		kb_submission_find(&run->submission, asked->selected[i],
				   &count);
		missing += kb_session_owns_problem(run->session, i) && !count;
	}
	if (missing)
		fprintf(stderr, "%zu of %zu problems have no candidate\n",
			missing, kb_session_problem_count(run->session));
}

/* "precise" tells zeros apart wherever the reference's own error does. */
static void say_trivial(const struct kb_eval_run *run)
{
	const struct kb_session_run *asked = &run->session->run;

	if (strcmp(run->session->asked.tolerance, "precise"))
		kb_print_trivial(&asked->suite, asked->selected,
				 asked->selected_count,
				 asked->policy.alternate_trials);
}

static int do_jobs(void *context, struct kb_err *err)
{
	struct kb_eval_run *run = context;
	int ret;

	kb_print_derived(&run->session->run.suite);
	say_missing(run);
	say_trivial(run);
	ret = add_jobs(run, err);
	kb_crew_screen(&run->crew);
	return ret < 0 ? ret : kb_crew_run(&run->crew, err);
}

static const struct kb_journaled_work results = {
	.items = "candidates", .take = take_line, .make = do_jobs,
};

int kb_eval_run_open(struct kb_eval_run *run, struct kb_err *err)
{
	int ret = kb_candidates_note_modules(run->session, &run->submission,
					     &run->bundle, err);

	if (ret >= 0)
		ret = kb_session_device_count(run->session, err);
	if (ret < 0)
		return ret;
	kb_crew_choose_screeners(&run->crew, run->session);
	/* For builds, while lanes start. */
	if (run->session->machine.gpu.is_cuda &&
	    kb_candidates_use(run->session, &run->submission, KB_RUNTIME_TORCH))
		kb_launcher_begin_server(&run->session->machine.launcher);
	run->lane.session = run->session;
	run->lane.bundle = &run->bundle;
	run->lane.submission = &run->submission;
	return kb_crew_open(&run->crew, run->session, &(struct kb_crew_work){
			.kind = &kb_eval_lane_kind, .lane = &run->lane,
			.take = take_said, .context = run,
			.progress = &run->journaled.progress,
		}, err);
}

int kb_eval_run_do(struct kb_eval_run *run, struct kb_err *err)
{
	return kb_journaled_run(&run->journaled, run->session,
				count_results(run), &results, run, err);
}
