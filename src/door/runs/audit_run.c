#include "runs/audit_run.h"

#include <stdlib.h>

#include "audit/lane.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "crew/shown.h"
#include "json/json.h"
#include "session/done.h"
#include "session/environment.h"
#include "session/isolation.h"
#include "session/session.h"
#include "store/digest.h"

void kb_audit_run_release(struct kb_audit_run *run)
{
	kb_crew_close(&run->crew);
	kb_cleanup_journaled(&run->journaled);
	kb_audit_release(&run->audit);
	free(run->again);
}

/* Everything that the evidence depends on, beside the environment. */
static struct kb_json *policy_record(const struct kb_audit_run *run)
{
	const struct kb_launcher *l = &run->session->machine.launcher;
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "tolerance", run->session->asked.tolerance);
	kb_json_set_int(v, "weights_seed", run->session->asked.seed);
	kb_json_set_int(v, "operations", run->gather.operations);
	kb_json_set_int(v, "budget_ns", run->gather.budget_s * KB_NS_PER_S);
	kb_json_set_int(v, "timeout_ns", run->gather.timeout_ns);
	kb_json_set_int(v, "memory_bytes", (int64_t)l->memory_bytes);
	kb_json_set_int(v, "log_limit_bytes", (int64_t)l->log_limit_bytes);
	kb_json_set_int(v, "threads", l->threads);
	kb_session_record_sandbox(v, run->session);
	if (run->gather.reduced) {
		char hex[KB_DIGEST_HEX_SIZE];
		struct kb_digest d;

		kb_digest_of(&d, run->gather.reduced->data,
			     run->gather.reduced->len);
		kb_digest_format(&d, hex);
		kb_json_set_string(v, "reduced_sha256", hex);
	}
	return v;
}

/* --- in a lane --------------------------------------------------------- */

static int note_conditions(void *context, struct kb_err *err)
{
	const struct kb_audit_run *run = context;
	int ret = kb_session_note_conditions(run->session, false, false, err);

	if (ret >= 0)
		ret = kb_session_check_memory(run->session, err);
	if (ret < 0)
		return ret;
	kb_json_free(run->session->run.conditions.policy);
	run->session->run.conditions.policy = policy_record(run);
	return 0;
}

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *samples, int fd, struct kb_err *err)
{
	const struct kb_audit_run *run = context;

	(void)samples;
	return kb_audit_lane_do_job(run->session, &run->gather, key, fd, err);
}

static void leave(void *context)
{
	(void)context;
}

/* --- what is to be done ------------------------------------------------ */

static struct kb_journaled_item item_of(const struct kb_audit_line *l)
{
	return (struct kb_journaled_item){
		.key = l->key, .status = l->outcome.status,
	};
}

static int take_line(void *context, const struct kb_json *line,
		     const char *path, struct kb_err *err)
{
	struct kb_audit_run *run = context;
	struct kb_journaled_item item;
	struct kb_audit_line l;
	int ret = kb_audit_line_from_json(&l, line, path, err);

	if (ret < 0)
		return ret;
	item = item_of(&l);
	/* There is room for one line a problem. */
	if (kb_journaled_resume(&run->journaled, &item))
		run->audit.lines[run->audit.line_count++] = l;
	else
		kb_audit_line_release(&l);
	return 0;
}

/* For people: is it sound, and what is the matter with it? */
static void describe(struct kb_buf *text, const struct kb_audit_line *l)
{
	char key[KB_KEY_SIZE];
	const bool is_sound = kb_findings_sound(&l->findings);
	int count = 0;

	kb_key_format(key, l->key);
	kb_buf_addf(text, "%s: ", key);
	if (!l->evidence) {
		kb_buf_addf(text, "not audited: %s%s%s",
			    kb_status_name(l->outcome.status),
			    l->outcome.detail ? ": " : "",
			    l->outcome.detail ? l->outcome.detail : "");
		return;
	}
	kb_buf_addstr(text, is_sound ? "sound" : "not sound");
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (l->findings.evidence[i])
			kb_buf_addf(text, "%s %s", count++ ? "," :
				    is_sound ? ", and worth knowing:" : ":",
				    kb_finding_name((enum kb_finding)i));
}

/* Takes the line over. */
static int finish(struct kb_audit_run *run, struct kb_audit_line *l,
		  struct kb_err *err)
{
	struct kb_audit_line *kept = &run->audit.lines[run->audit.line_count++];
	const struct kb_journaled_item item = item_of(l);
	kb_auto(json) struct kb_json *line = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	*kept = *l;
	*l = (struct kb_audit_line)KB_AUDIT_LINE_INIT;
	line = kb_audit_line_to_json(kept);
	describe(&text, kept);
	return kb_journaled_add(&run->journaled, &item, line, "problem",
				text.data, err);
}

static int take_said(void *context, const struct kb_job *job, size_t device,
		     const struct kb_json *said, struct kb_err *err)
{
	struct kb_audit_run *run = context;
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	int ret = kb_audit_line_from_json(&l, said, "a lane", err);

	(void)device;
	if (ret < 0)
		return ret;
	if (!run->crew.is_single && run->crew.member_count > 1 &&
	    kb_audit_lacked_memory(&l)) {
		run->again[run->again_count++] = job->key;
		return 0;
	}
	return finish(run, &l, err);
}

static int move(void *context, const struct kb_job *job, enum kb_stage from,
		enum kb_stage to, size_t device, struct kb_err *err)
{
	struct kb_audit_run *run = context;

	(void)err;
	if (from == KB_STAGE_TIMING || to == KB_STAGE_TIMING)
		kb_crew_show_device(&run->crew, &run->journaled.progress, job,
				    device, to == KB_STAGE_TIMING);
	return 0;
}

static int take_out(void *context, size_t device, const char *reason,
		    const char *key, struct kb_err *err)
{
	struct kb_audit_run *run = context;

	(void)err;
	kb_crew_show_taken_out(&run->crew, &run->journaled.progress, device,
			       reason, key);
	return 0;
}

static const struct kb_crew_work work = {
	.note_conditions = note_conditions, .do_job = do_job,
	.leave = leave, .take = take_said, .move = move, .take_out = take_out,
};

static void add_job(struct kb_audit_run *run, struct kb_key key)
{
	struct kb_jobs *jobs_to_do = &run->crew.jobs;

	(void)kb_jobs_add(jobs_to_do,
			  kb_jobs_add_group(jobs_to_do, key, KB_UNKNOWN), 0, 0);
}

/* By one lane, and nothing beside it. */
static int do_again(struct kb_audit_run *run, struct kb_err *err)
{
	struct kb_crew *c = &run->crew;
	int ret;

	if (!run->again_count)
		return 0;
	kb_crew_close(c);
	*c = (struct kb_crew)KB_CREW_INIT;
	c->is_single = c->is_quiet = true;
	ret = kb_crew_open(c, run->session, &work, run, err);
	for (size_t i = 0; i < run->again_count; i++)
		add_job(run, run->again[i]);
	return ret < 0 ? ret : kb_crew_run(c, err);
}

static int do_problems(void *context, struct kb_err *err)
{
	struct kb_audit_run *run = context;
	int ret;

	for (size_t i = 0; i < run->session->run.selected_count; i++)
		if (!kb_done_has(&run->journaled.done, run->session->run.selected[i],
				 0))
			add_job(run, run->session->run.selected[i]);
	ret = kb_crew_run(&run->crew, err);
	return ret < 0 ? ret : do_again(run, err);
}

static const struct kb_journaled_work lines = {
	.items = "problems", .take = take_line, .make = do_problems,
};

int kb_audit_run_open(struct kb_audit_run *run, struct kb_err *err)
{
	const size_t count = run->session->run.selected_count;

	run->audit.lines = kb_xcalloc(count, sizeof(*run->audit.lines));
	run->again = kb_xcalloc(count, sizeof(*run->again));
	run->audit.suite = run->session->run.bundle.id;
	return kb_crew_open(&run->crew, run->session, &work, run, err);
}

int kb_audit_run_do(struct kb_audit_run *run, struct kb_err *err)
{
	return kb_journaled_run(&run->journaled, run->session,
				run->session->run.selected_count, &lines, run,
				err);
}
