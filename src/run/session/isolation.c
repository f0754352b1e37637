#include "session/isolation.h"

#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/confine.h"
#include "json/json.h"
#include "session/session.h"
#include "worker/launch.h"

/* The last worker's: each gets the same. */
static void record_isolation(struct kb_json *environment, const struct kb_launcher *l)
{
	struct kb_json *v = kb_features_to_json(l->features);

	if (l->other_user_why_not)
		kb_json_set_string(v, "other_user_why_not",
				   l->other_user_why_not);
	if (l->groups.why_not)
		kb_json_set_string(v, "cgroup_why_not", l->groups.why_not);
	kb_json_set(environment, "isolation", v);
}

/* Not a refusal: whoever runs containers as root has no other choice. */
static void warn_of_user(const struct kb_session *s)
{
	const char *why = s->machine.launcher.other_user_why_not;

	if (geteuid() == 0 && why && !s->is_quiet)
		kb_session_say(s, "warning: candidates run as user 0, because "
			       "%s; see SECURITY.md", why);
}

/* The remedy is part of what is missing. */
static void warn_of_files(const struct kb_session *s)
{
	const uint32_t has = s->machine.launcher.features;

	if (s->is_quiet || has & (1u << KB_FEATURE_OWN_ROOT))
		return;
	/* Namespaces are granted together or not at all: who has this one has a
	 * mount namespace, and lacked something else. */
	if (has & (1u << KB_FEATURE_PID_NAMESPACE))
		kb_session_say(s, "warning: candidates see this machine's files: "
			       "a root of their own takes Linux 5.12, and a "
			       "root directory here that is a mount; see "
			       "SECURITY.md");
	else
		kb_session_say(s, "warning: candidates see this machine's %s: it "
			       "grants no namespaces; run as root, or set "
			       "user.max_user_namespaces and, on Ubuntu, "
			       "kernel.apparmor_restrict_unprivileged_userns=0; "
			       "see SECURITY.md",
			       has & (1u << KB_FEATURE_LANDLOCK) ?
			       "processes" : "files and processes");
}

/* Most machines delegate nothing, and rlimits hold each process. */
static void warn_of_memory(const struct kb_session *s)
{
	const char *why = s->machine.launcher.groups.why_not;

	kb_session_say(s, "note: memory is limited for each process of a "
		       "candidate, not for all together: %s; %s; see SECURITY.md",
		       why ? why : "no control group with 'memory' can be had",
		       geteuid() ? "run by 'systemd-run --user --scope -p "
		       "Delegate=yes', or as root" : "it has to be writable");
}

/* Whoever has no groups at all has been told. */
static void warn_of_limits(const struct kb_session *s)
{
	const uint32_t has = s->machine.launcher.features;

	if (s->is_quiet)
		return;
	if (!(has & (1u << KB_FEATURE_CGROUP_MEMORY)))
		warn_of_memory(s);
	else if (!(has & (1u << KB_FEATURE_CGROUP_PIDS)))
		kb_session_say(s, "note: without a control group that counts "
			       "processes (pids) those of all candidates are "
			       "counted together; have it delegated, as "
			       "'memory' is; see SECURITY.md");
}

/* Somebody wants it so, and will find it in every record. */
static void warn_of_none(const struct kb_session *s)
{
	if (!s->is_quiet)
		kb_session_say(s, "warning: '--sandbox off': candidates run as "
			       "this user, and nothing confines them; see "
			       "SECURITY.md");
}

static int check_strict(const struct kb_session *s, struct kb_err *err)
{
	const struct kb_launcher *l = &s->machine.launcher;
	const char *why = l->groups.why_not;
	kb_auto(buf) struct kb_buf missing = KB_BUF_INIT;

	kb_features_missing(&missing, l->features, !geteuid());
	if (!missing.len)
		return 0;
	return kb_err(err, KB_ERR_MISSING,
		      "'--sandbox strict', and not in force here: %s%s%s%s; "
		      "see SECURITY.md", missing.data, why ? " (" : "",
		      why ? why : "", why ? ")" : "");
}

int kb_session_note_isolation(const struct kb_session *s, struct kb_err *err)
{
	const char *mode = s->asked.sandbox;

	record_isolation(s->run.conditions.environment, &s->machine.launcher);
	if (!strcmp(mode, "strict"))
		return check_strict(s, err);
	if (!strcmp(mode, "off")) {
		warn_of_none(s);
		return 0;
	}
	warn_of_user(s);
	warn_of_files(s);
	warn_of_limits(s);
	return 0;
}

int kb_session_check_filter(const struct kb_session *s, struct kb_err *err)
{
	if (s->machine.launcher.unconfined ||
	    prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0)
		return 0;
	return kb_err(err, KB_ERR_SYS, "this kernel cannot filter system calls "
		      "(seccomp), and candidates are confined by that: run on "
		      "one that can, or, for code that you trust, with "
		      "'--sandbox off'");
}

void kb_session_record_sandbox(struct kb_json *policy,
			       const struct kb_session *s)
{
	if (strcmp(s->asked.sandbox, "standard"))
		kb_json_set_string(policy, "sandbox", s->asked.sandbox);
}
