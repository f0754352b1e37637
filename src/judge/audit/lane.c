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
#include "json/json.h"
#include "manifest/audit.h"
#include "session/environment.h"
#include "session/isolation.h"
#include "session/session.h"
#include "source/runtime.h"
#include "store/bundle.h"
#include "store/digest.h"

#define LOOK_NS (20 * KB_NS_PER_MS)

/* Everything that the evidence depends on, beside the environment. */
static struct kb_json *policy_record(const struct kb_audit_lane *lane)
{
	const struct kb_gather_options *o = lane->options;
	const struct kb_session *s = lane->session;
	const struct kb_launcher *l = &s->machine.launcher;
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "tolerance", s->asked.tolerance);
	kb_json_set_int(v, "weights_seed", s->asked.seed);
	kb_json_set_int(v, "operations", o->operations);
	kb_json_set_int(v, "budget_ns", o->budget_s * KB_NS_PER_S);
	kb_json_set_int(v, "timeout_ns", o->timeout_ns);
	kb_json_set_int(v, "memory_bytes", (int64_t)l->memory_bytes);
	kb_json_set_int(v, "log_limit_bytes", (int64_t)l->log_limit_bytes);
	kb_json_set_int(v, "threads", l->threads);
	kb_session_record_sandbox(v, s);
	if (o->reduced) {
		char hex[KB_DIGEST_HEX_SIZE];
		struct kb_digest d;

		kb_digest_of(&d, o->reduced->data,
			     o->reduced->len);
		kb_digest_format(&d, hex);
		kb_json_set_string(v, "reduced_sha256", hex);
	}
	return v;
}

static int note_conditions(void *context, struct kb_err *err)
{
	const struct kb_audit_lane *lane = context;
	struct kb_session *s = lane->session;
	int ret = kb_session_note_conditions(s, false, false, err);

	if (ret >= 0)
		ret = kb_session_check_memory(s, err);
	if (ret < 0)
		return ret;
	kb_json_free(s->run.conditions.policy);
	s->run.conditions.policy = policy_record(lane);
	return 0;
}

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

static int gather_evidence(struct kb_audit_line *l, const struct kb_session *s,
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

static int do_job(void *context, struct kb_key key,
		  const struct kb_json *job, int fd, struct kb_err *err)
{
	const struct kb_audit_lane *lane = context;
	const struct kb_session *s = lane->session;
	const struct kb_problem *problem = kb_suite_find(&s->run.suite, key);
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	kb_auto(json) struct kb_json *line = NULL;
	int ret = 0;

	(void)job;
	for (int i = 0;; i++) {
		const uint32_t pauses = kb_pause_count();

		l.key = key;
		if (problem->runtime == KB_RUNTIME_TORCH)
			ret = gather_evidence(&l, s, lane->options, problem, err);
		else
			note_native(&l);
		if (ret < 0)
			return ret;
		/* A pause may have caused the failure. */
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

const struct kb_lane_kind kb_audit_lane_kind = {
	.note_conditions = note_conditions, .do_job = do_job,
};

bool kb_audit_lacked_memory(const struct kb_audit_line *l)
{
	return l->evidence ? kb_evidence_lacks_memory(l->evidence)
			   : l->outcome.status == KB_STATUS_OUT_OF_MEMORY;
}
