#ifndef KB_MANIFEST_STATUS_H
#define KB_MANIFEST_STATUS_H

#include <stdbool.h>

struct kb_err;

/*
 * How it went with one candidate, one reference or one audited problem.
 *
 * The names are part of the record format (doc/kb-manifest.5): the text
 * form is the enumerator in lower case, without its prefix. The order is
 * that of tables: what worked, what computed wrongly, what never computed.
 */
enum kb_status {
	KB_STATUS_CORRECT,		/* every trial agreed */
	KB_STATUS_TIMED,		/* a reference: it has a time */
	KB_STATUS_AUDITED,		/* a problem: there is evidence */
	KB_STATUS_WRONG_SHAPE,		/* number of outputs or a shape */
	KB_STATUS_WRONG_DTYPE,
	KB_STATUS_MISMATCH,		/* beyond the tolerance */
	KB_STATUS_NOT_FINITE,		/* NaN or Inf where none belongs */
	KB_STATUS_INPUTS_MODIFIED,
	KB_STATUS_GUARD_DAMAGED,	/* wrote beyond an output's end */
	KB_STATUS_BUILD_FAILED,		/* the compiler said no */
	KB_STATUS_LOAD_FAILED,		/* no ModelNew, an exception, ... */
	KB_STATUS_RUN_FAILED,		/* the call raised or gave an error */
	KB_STATUS_CRASHED,		/* ended by a signal */
	KB_STATUS_EXITED,		/* ended by itself */
	KB_STATUS_TIMED_OUT,
	KB_STATUS_OUT_OF_MEMORY,
	KB_STATUS_OUTPUT_LIMIT,		/* printed more than allowed: in records
					   of kb until 0.2.0 */
	KB_STATUS_PROTOCOL_VIOLATION,
	KB_STATUS_REFERENCE_FAILED,	/* nothing to judge it by */
	KB_STATUS_MISSING,		/* no candidate for the problem */
	KB_STATUS_COUNT,		/* not a status */
};

/* Where it ended; KB_PHASE_NONE is null in a record. */
enum kb_phase {
	KB_PHASE_NONE,
	KB_PHASE_BUILD,
	KB_PHASE_LOAD,
	KB_PHASE_RUN,
	KB_PHASE_COUNT,			/* not a phase */
};

const char *kb_status_name(enum kb_status status);

/* NULL for KB_PHASE_NONE. */
const char *kb_phase_name(enum kb_phase phase);

/* Fail with KB_ERR_INPUT. */
int kb_status_parse(enum kb_status *out, const char *name, struct kb_err *err);
int kb_phase_parse(enum kb_phase *out, const char *name, struct kb_err *err);

/* A candidate may have it: all but "timed" and "audited". */
bool kb_status_of_candidate(enum kb_status status);

/* A reference may have it: all but "correct", "audited",
 * "reference_failed" and "missing". */
bool kb_status_of_reference(enum kb_status status);

/* A problem that is audited may have it: "audited", or how its process
 * ended without an answer. */
bool kb_status_of_audit(enum kb_status status);

/* A candidate can end with this status in this phase. */
bool kb_status_fits_phase(enum kb_status status, enum kb_phase phase);

/*
 * It got as far as running: every status but missing, reference_failed,
 * build_failed and load_failed, and but those whose phase is build or load.
 */
bool kb_status_compiled(enum kb_status status, enum kb_phase phase);

/*
 * It follows from the code and from the shapes of what it is given, whatever else
 * is at work on the machine: a compiler said no, or outputs are of another form. No
 * wrong number is among these, since a library may take another algorithm where it
 * gets less memory; and no exception, no end of a process and no limit.
 */
bool kb_status_is_of_code(enum kb_status status);

/* "SIGSEGV", "SIGRTMIN+3", "SIG32": the text form of a signal's number. The
 * C library keeps 32 and 33 for itself. */
#define KB_SIGNAL_NAME_SIZE 24	/* bytes, including the NUL */
void kb_signal_name(char out[KB_SIGNAL_NAME_SIZE], int signal);

#endif
