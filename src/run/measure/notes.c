#include "measure/notes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "confine/log.h"
#include "manifest/device_timing.h"
#include "measure/time_rule.h"

int64_t kb_note_cpu_ms(int64_t cpu_ns)
{
	return (cpu_ns + KB_NS_PER_MS - 1) / KB_NS_PER_MS;
}

void kb_note_fault(struct kb_outcome *o, const struct kb_fault *fault)
{
	o->status = fault->status;
	o->phase = fault->phase;
	o->exit_status = fault->status == KB_STATUS_EXITED ?
		fault->exit_status : KB_UNKNOWN;
	free(o->signal);
	o->signal = NULL;
	if (fault->status == KB_STATUS_CRASHED) {
		char name[KB_SIGNAL_NAME_SIZE];

		kb_signal_name(name, fault->signal);
		o->signal = kb_xstrdup(name);
	}
	free(o->detail);
	o->detail = fault->detail[0] ? kb_xstrdup(fault->detail) : NULL;
}

void kb_note_log(struct kb_outcome *o, struct kb_buf *build_log,
		 struct kb_worker *w)
{
	/* The log has all output once the program has stopped. */
	(void)kb_process_stop(&w->process, NULL);
	if (w->log_fd >= 0)
		kb_log_read(build_log, w->log_fd, &o->log_truncated);
	kb_log_refused(build_log, &w->process.refused);
	free(o->log);
	o->log = kb_buf_detach(build_log);
}

void kb_note_reference_fault(struct kb_outcome *o,
			     const struct kb_fault *fault)
{
	o->status = KB_STATUS_REFERENCE_FAILED;
	o->phase = KB_PHASE_NONE;
	free(o->detail);
	o->detail = kb_xasprintf("the reference: %s%s%s",
				 kb_status_name(fault->status),
				 fault->detail[0] ? ": " : "", fault->detail);
}

void kb_note_untimed(struct kb_outcome *o, const char *whose,
		     const struct kb_timing *call,
		     const struct kb_device_timing *device)
{
	const char *why = kb_time_why_none(call);
	kb_auto(mem) char *before = o->detail;

	if (why && device && !kb_time_why_none(device->timing))
		why = NULL;
	o->detail = why ? kb_xasprintf("%s%sno time%s: %s",
				       before ? before : "",
				       before ? "; " : "", whose, why)
			: kb_steal(before);
}
