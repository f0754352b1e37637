#include "crew/baseline_lane.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/pause.h"
#include "manifest/baseline.h"
#include "measure/bench.h"
#include "measure/plan_facts.h"
#include "session/session.h"
#include "store/bundle.h"

/* `bytes` is what `code` then borrows from. */
static int read_problem(struct kb_source *code, struct kb_buf *bytes,
			const struct kb_session *s,
			const struct kb_problem *problem, struct kb_err *err)
{
	int ret = kb_bundle_read(bytes, &s->run.bundle, problem->file,
				 KB_PROBLEM_BYTES_MAX, err);

	if (ret >= 0)
		*code = (struct kb_source){
			.runtime = problem->runtime, .data = bytes->data,
			.len = bytes->len,
		};
	return ret;
}

/* A reference that cannot be loaded has a status, and does not end the run. */
static int time_reference(struct kb_reference_result *r, struct kb_session *s,
			  struct kb_err *err)
{
	const struct kb_problem *problem = kb_suite_find(&s->run.suite, r->key);
	kb_auto(bench) struct kb_bench bench = KB_BENCH_INIT;
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	struct kb_tolerance stated;
	struct kb_source code;
	int ret = read_problem(&code, &bytes, s, problem, err);

	if (ret < 0)
		return ret;
	if (kb_tolerance_stated(&stated, problem->facts,
				kb_precision_find(s->asked.precision)))
		code.stated = &stated;
	ret = kb_bench_open(&bench, &s->machine.launcher, &s->run.policy,
			    kb_session_gpu(s), &code, &r->outcome, err);
	if (ret <= 0)
		return ret;
	ret = kb_plan_check_facts(&bench.plan, problem,
				  kb_precision_find(s->asked.precision), err);
	return ret < 0 ? ret : kb_bench_reference(&bench, r, err);
}

static int note_conditions(void *context, struct kb_err *err)
{
	const struct kb_baseline_lane *lane = context;

	return kb_session_note_conditions(lane->session, false, false, err);
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *job, int fd, struct kb_err *err)
{
	const struct kb_baseline_lane *lane = context;
	kb_auto(reference_result) struct kb_reference_result r =
		KB_REFERENCE_RESULT_INIT;
	kb_auto(json) struct kb_json *line = NULL;
	int ret;

	(void)job;
	for (int i = 0;; i++) {
		const uint32_t pauses = kb_pause_count();

		r.key = key;
		r.mode = lane->mode;
		ret = time_reference(&r, lane->session, err);
		if (ret < 0)
			return ret;
		/* It may have failed by a pause. */
		if (r.outcome.status == KB_STATUS_TIMED ||
		    kb_pause_count() == pauses || i == KB_PAUSED_TRIES_MAX)
			break;
		kb_reference_result_release(&r);
	}
	line = kb_reference_result_to_json(&r);
	return kb_crew_say(fd, line, err);
}

const struct kb_lane_kind kb_baseline_lane_kind = {
	.note_conditions = note_conditions, .do_job = do_job,
};
