#include "runs/audit_run.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "session/done.h"
#include "session/session.h"

void kb_audit_run_release(struct kb_audit_run *run)
{
	kb_crew_close(&run->crew);
	kb_cleanup_journaled(&run->journaled);
	kb_audit_release(&run->audit);
	free(run->again);
}

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
static void describe_line(struct kb_buf *text, const struct kb_audit_line *l)
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
static int finish_line(struct kb_audit_run *run, struct kb_audit_line *l,
		       struct kb_err *err)
{
	struct kb_audit_line *kept = &run->audit.lines[run->audit.line_count++];
	const struct kb_journaled_item item = item_of(l);
	kb_auto(json) struct kb_json *line = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	*kept = *l;
	*l = (struct kb_audit_line)KB_AUDIT_LINE_INIT;
	line = kb_audit_line_to_json(kept);
	describe_line(&text, kept);
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
	return finish_line(run, &l, err);
}

static int open_crew(struct kb_audit_run *run, struct kb_err *err)
{
	run->lane = (struct kb_audit_lane){
		.session = run->session, .options = &run->gather,
	};
	return kb_crew_open(&run->crew, run->session, &(struct kb_crew_work){
			.kind = &kb_audit_lane_kind, .lane = &run->lane,
			.take = take_said, .context = run,
			.progress = &run->journaled.progress,
			.hides_stages = true,
		}, err);
}

static void add_job(struct kb_audit_run *run, struct kb_key key)
{
	struct kb_jobs *jobs_to_do = &run->crew.jobs;

	(void)kb_jobs_add(jobs_to_do,
			  kb_jobs_add_group(jobs_to_do, key, KB_UNKNOWN), 0, 0);
}

/* Run it in one lane, and alone. */
static int do_again(struct kb_audit_run *run, struct kb_err *err)
{
	struct kb_crew *c = &run->crew;
	int ret;

	if (!run->again_count)
		return 0;
	kb_crew_close(c);
	*c = (struct kb_crew)KB_CREW_INIT;
	c->is_single = c->is_quiet = true;
	ret = open_crew(run, err);
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
	return open_crew(run, err);
}

int kb_audit_run_do(struct kb_audit_run *run, struct kb_err *err)
{
	return kb_journaled_run(&run->journaled, run->session,
				run->session->run.selected_count, &lines, run,
				err);
}
