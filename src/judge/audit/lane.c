#include "audit/lane.h"

#include <time.h>

#include "audit/gather.h"
#include "audit/judge.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/pause.h"
#include "crew/crew.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "session/session.h"
#include "source/runtime.h"
#include "store/bundle.h"

#define LOOK_NS (20 * KB_NS_PER_MS)

static void kb_cleanup_gathering(struct kb_gathering *g)
{
	kb_gather_end(g);
}

static void note_native(struct kb_audit_line *l)
{
	l->outcome.status = KB_STATUS_LOAD_FAILED;
	l->outcome.phase = KB_PHASE_LOAD;
	l->outcome.detail = kb_xstrdup("only problems in Python are audited");
}

static int gather(struct kb_audit_line *l, const struct kb_session *s,
		  const struct kb_gather_options *options,
		  const struct kb_problem *problem, struct kb_err *err)
{
	const struct timespec pause = { .tv_nsec = LOOK_NS };
	kb_auto(gathering) struct kb_gathering g = KB_GATHERING_INIT;
	kb_auto(buf) struct kb_buf source = KB_BUF_INIT;
	struct kb_source code = { .runtime = problem->runtime };
	int ret = kb_bundle_read(&source, &s->run.bundle, problem->file,
				 KB_PROBLEM_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	code.data = source.data;
	code.len = source.len;
	ret = kb_gather_start(&g, options, l->key, &code, err);
	while (ret >= 0 && !(ret = kb_gather_poll(&g, l, err)))
		(void)nanosleep(&pause, NULL);
	return ret;
}

int kb_audit_lane_do_job(const struct kb_session *s,
			 const struct kb_gather_options *options,
			 struct kb_key key, int fd, struct kb_err *err)
{
	const struct kb_problem *problem = kb_suite_find(&s->run.suite, key);
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	kb_auto(json) struct kb_json *line = NULL;
	int ret = 0;

	for (int i = 0;; i++) {
		const uint32_t pauses = kb_pause_count();

		l.key = key;
		if (problem->runtime == KB_RUNTIME_TORCH)
			ret = gather(&l, s, options, problem, err);
		else
			note_native(&l);
		if (ret < 0)
			return ret;
		/* It may have failed by a pause. */
		if (l.evidence || kb_pause_count() == pauses ||
		    i == KB_PAUSED_TRIES_MAX)
			break;
		kb_audit_line_release(&l);
	}
	if (l.evidence)
		kb_audit_judge(&l.findings, l.evidence,
			       s->run.policy.tolerance);
	line = kb_audit_line_to_json(&l);
	return kb_crew_say(fd, line, err);
}

bool kb_audit_lacked_memory(const struct kb_audit_line *l)
{
	return l->evidence ? kb_evidence_lacks_memory(l->evidence)
			   : l->outcome.status == KB_STATUS_OUT_OF_MEMORY;
}
