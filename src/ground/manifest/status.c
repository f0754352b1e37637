#include "manifest/status.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

#define IN(phase) (1u << KB_PHASE_##phase)
#define ANYWHERE (IN(BUILD) | IN(LOAD) | IN(RUN))

enum who {
	CANDIDATE = 1,
	REFERENCE = 2,
	AUDIT = 4,
	BOTH = CANDIDATE | REFERENCE,
	ALL = BOTH | AUDIT,
};

static const struct {
	const char *name;
	unsigned phases;		/* where one can end with it */
	enum who who;
} statuses[KB_STATUS_COUNT] = {
	[KB_STATUS_CORRECT] = { "correct", IN(NONE), CANDIDATE },
	[KB_STATUS_TIMED] = { "timed", IN(NONE), REFERENCE },
	[KB_STATUS_AUDITED] = { "audited", IN(NONE), AUDIT },
	[KB_STATUS_WRONG_SHAPE] = { "wrong_shape", IN(RUN), BOTH },
	[KB_STATUS_WRONG_DTYPE] = { "wrong_dtype", IN(RUN), BOTH },
	[KB_STATUS_MISMATCH] = { "mismatch", IN(RUN), BOTH },
	[KB_STATUS_NOT_FINITE] = { "not_finite", IN(RUN), BOTH },
	[KB_STATUS_INPUTS_MODIFIED] = { "inputs_modified", IN(RUN), BOTH },
	[KB_STATUS_GUARD_DAMAGED] = { "guard_damaged", IN(RUN), BOTH },
	/* Code may run a compiler of its own while it is loaded. */
	[KB_STATUS_BUILD_FAILED] = { "build_failed", IN(BUILD) | IN(LOAD),
				     BOTH },
	[KB_STATUS_LOAD_FAILED] = { "load_failed", IN(LOAD), ALL },
	[KB_STATUS_RUN_FAILED] = { "run_failed", IN(RUN), ALL },
	[KB_STATUS_CRASHED] = { "crashed", ANYWHERE, ALL },
	[KB_STATUS_EXITED] = { "exited", ANYWHERE, ALL },
	[KB_STATUS_TIMED_OUT] = { "timed_out", ANYWHERE, ALL },
	[KB_STATUS_OUT_OF_MEMORY] = { "out_of_memory", ANYWHERE, ALL },
	[KB_STATUS_OUTPUT_LIMIT] = { "output_limit", ANYWHERE, ALL },
	[KB_STATUS_PROTOCOL_VIOLATION] = { "protocol_violation", ANYWHERE,
					   ALL },
	[KB_STATUS_REFERENCE_FAILED] = { "reference_failed", IN(NONE),
					 CANDIDATE },
	[KB_STATUS_MISSING] = { "missing", IN(NONE), CANDIDATE },
};

static const char *const phases[KB_PHASE_COUNT] = {
	[KB_PHASE_NONE] = NULL,
	[KB_PHASE_BUILD] = "build",
	[KB_PHASE_LOAD] = "load",
	[KB_PHASE_RUN] = "run",
};

const char *kb_status_name(enum kb_status status)
{
	if ((unsigned)status >= KB_STATUS_COUNT)
		KB_BUG("no such status");
	return statuses[status].name;
}

const char *kb_phase_name(enum kb_phase phase)
{
	if ((unsigned)phase >= KB_PHASE_COUNT)
		KB_BUG("no such phase");
	return phases[phase];
}

int kb_status_parse(enum kb_status *out, const char *name, struct kb_err *err)
{
	for (int i = 0; i < KB_STATUS_COUNT; i++) {
		if (!strcmp(statuses[i].name, name)) {
			*out = (enum kb_status)i;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_INPUT, "no status is called '%s'", name);
}

int kb_phase_parse(enum kb_phase *out, const char *name, struct kb_err *err)
{
	for (int i = KB_PHASE_NONE + 1; i < KB_PHASE_COUNT; i++) {
		if (!strcmp(phases[i], name)) {
			*out = (enum kb_phase)i;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_INPUT, "no phase is called '%s'", name);
}

bool kb_status_of_candidate(enum kb_status status)
{
	return statuses[status].who & CANDIDATE;
}

bool kb_status_of_reference(enum kb_status status)
{
	return statuses[status].who & REFERENCE;
}

bool kb_status_of_audit(enum kb_status status)
{
	return statuses[status].who & AUDIT;
}

bool kb_status_fits_phase(enum kb_status status, enum kb_phase phase)
{
	return statuses[status].phases & (1u << phase);
}

bool kb_status_compiled(enum kb_status status, enum kb_phase phase)
{
	return phase != KB_PHASE_BUILD && phase != KB_PHASE_LOAD &&
	       status != KB_STATUS_MISSING &&
	       status != KB_STATUS_REFERENCE_FAILED &&
	       status != KB_STATUS_BUILD_FAILED &&
	       status != KB_STATUS_LOAD_FAILED;
}

bool kb_status_is_of_code(enum kb_status status)
{
	return status == KB_STATUS_WRONG_SHAPE ||
	       status == KB_STATUS_WRONG_DTYPE ||
	       status == KB_STATUS_BUILD_FAILED;
}

void kb_signal_name(char out[KB_SIGNAL_NAME_SIZE], int signal)
{
	const char *name = sigabbrev_np(signal);

	if (name)
		snprintf(out, KB_SIGNAL_NAME_SIZE, "SIG%s", name);
	else if (signal >= SIGRTMIN)
		snprintf(out, KB_SIGNAL_NAME_SIZE, "SIGRTMIN+%d",
			 signal - SIGRTMIN);
	else
		snprintf(out, KB_SIGNAL_NAME_SIZE, "SIG%d", signal);
}
