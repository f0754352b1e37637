#include "manifest/outcome.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_outcome_release(struct kb_outcome *o)
{
	kb_trial_seeds_release(&o->trial_seeds);
	free(o->signal);
	free(o->detail);
	free(o->log);
	*o = (struct kb_outcome)KB_OUTCOME_INIT;
}

void kb_outcome_to_json(struct kb_json *line, const struct kb_outcome *o)
{
	kb_json_set_string(line, "status", kb_status_name(o->status));
	kb_json_set_string(line, "phase", kb_phase_name(o->phase));
	kb_json_set_string(line, "signal", o->signal);
	kb_put_int(line, "exit_status", o->exit_status);
	/* An empty phrase says nothing: one spelling of that is enough. */
	kb_json_set_string(line, "detail",
			   o->detail && *o->detail ? o->detail : NULL);
	kb_trial_seeds_to_json(line, &o->trial_seeds);
	kb_json_set_string(line, "log", o->log ? o->log : "");
	kb_json_set_bool(line, "log_truncated", o->log_truncated);
	kb_json_set_int(line, "wall_ns", o->wall_ns);
}

static enum kb_phase read_phase(struct kb_fields *f)
{
	const char *text = kb_fields_null(f, "phase")
				   ? NULL
				   : kb_fields_text(f, "phase");
	enum kb_phase phase = KB_PHASE_NONE;

	if (text && kb_phase_parse(&phase, text, NULL) < 0)
		kb_fields_fail(f, "'phase' is '%s', which is not known", text);
	return phase;
}

/* By default the others stop a process, or do nothing. */
static bool ends_process(int signal)
{
	return signal != SIGCHLD && signal != SIGCONT && signal != SIGURG &&
	       signal != SIGWINCH && signal != SIGSTOP && signal != SIGTSTP &&
	       signal != SIGTTIN && signal != SIGTTOU;
}

static bool is_signal_name(const char *name)
{
	for (int signal = 1; signal < NSIG; signal++) {
		char own[KB_SIGNAL_NAME_SIZE];

		kb_signal_name(own, signal);
		if (!strcmp(own, name))
			return ends_process(signal);
	}
	return false;
}

static void check_outcome(struct kb_fields *f, const struct kb_outcome *o)
{
	const char *status;

	if (f->ret < 0)
		return;
	status = kb_status_name(o->status);
	if (!kb_status_fits_phase(o->status, o->phase))
		kb_fields_fail(f, "nothing ends as '%s' in phase '%s'", status,
			       o->phase ? kb_phase_name(o->phase) : "null");
	if (!o->signal != (o->status != KB_STATUS_CRASHED))
		kb_fields_fail(f, "'signal' does not go with status '%s'",
			       status);
	if (o->signal && !is_signal_name(o->signal))
		kb_fields_fail(f, "'%s' is not the name of a signal that "
			       "ends a process",
			       o->signal);
	if ((o->exit_status == KB_UNKNOWN) != (o->status != KB_STATUS_EXITED))
		kb_fields_fail(f, "'exit_status' does not go with status '%s'",
			       status);
}

void kb_outcome_read(struct kb_outcome *o, struct kb_fields *f)
{
	o->status = kb_fields_status(f, "status");
	o->phase = read_phase(f);
	o->signal = kb_fields_string_or_null(f, "signal");
	o->exit_status = kb_fields_int_or_null(f, "exit_status", 0, 255);
	o->detail = kb_fields_string_or_null(f, "detail");
	kb_trial_seeds_read(&o->trial_seeds, f);
	o->log = kb_xstrdup(kb_fields_text(f, "log"));
	o->log_truncated = kb_fields_bool(f, "log_truncated");
	o->wall_ns = kb_fields_int(f, "wall_ns", 0, KB_JSON_INT_MAX);
	check_outcome(f, o);
}
