#include "worker/fault.h"

#include <stdarg.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "confine/process.h"
#include "worker/reason.h"

static const struct {
	enum kb_status status;
	const char *detail;
} ack_faults[KB_ACK_CODE_COUNT] = {
	[KB_ACK_BUILD_FAILED] = { KB_STATUS_BUILD_FAILED,
				  "a compiler run by the code failed" },
	[KB_ACK_LOAD_FAILED] = { KB_STATUS_LOAD_FAILED,
				 "the code could not be loaded" },
	[KB_ACK_RUN_FAILED] = { KB_STATUS_RUN_FAILED,
				"the call raised or returned an error" },
	[KB_ACK_WRONG_SHAPE] = { KB_STATUS_WRONG_SHAPE,
				 "the outputs do not have the reference's "
				 "shapes" },
	[KB_ACK_WRONG_DTYPE] = { KB_STATUS_WRONG_DTYPE,
				 "the outputs do not have the reference's "
				 "types" },
	[KB_ACK_NO_MEMORY] = { KB_STATUS_OUT_OF_MEMORY,
			       "an allocation failed" },
	[KB_ACK_UNSUPPORTED] = { KB_STATUS_LOAD_FAILED,
				 "the problem cannot be expressed" },
	[KB_ACK_NO_GATE] = { KB_STATUS_RUN_FAILED,
			     "the calls cannot be queued behind a gate" },
	[KB_ACK_DIFFERS] = { KB_STATUS_MISMATCH,
			     "the outputs are not the reference's" },
};

void kb_fault_set(struct kb_fault *fault, enum kb_side side,
		  enum kb_status status, enum kb_phase phase,
		  const char *fmt, ...)
{
	va_list ap;

	*fault = (struct kb_fault){
		.side = side, .status = status, .phase = phase,
	};
	va_start(ap, fmt);
	vsnprintf(fault->detail, sizeof(fault->detail), fmt, ap);
	va_end(ap);
}

void kb_fault_of_end(struct kb_fault *fault, enum kb_side side,
		     int wait_status, enum kb_phase phase)
{
	if (WIFSIGNALED(wait_status)) {
		char name[KB_SIGNAL_NAME_SIZE];

		kb_signal_name(name, WTERMSIG(wait_status));
		kb_fault_set(fault, side, KB_STATUS_CRASHED, phase,
			     "ended by %s", name);
		fault->signal = WTERMSIG(wait_status);
	} else {
		kb_fault_set(fault, side, KB_STATUS_EXITED, phase,
			     "ended by itself with status %d",
			     WEXITSTATUS(wait_status));
		fault->exit_status = WEXITSTATUS(wait_status);
	}
}

void kb_fault_of_ack(struct kb_fault *fault, enum kb_side side,
		     enum kb_ack_code code, enum kb_phase phase)
{
	kb_fault_set(fault, side, ack_faults[code].status, phase, "%s",
		     ack_faults[code].detail);
	if (fault->status == KB_STATUS_BUILD_FAILED)
		fault->phase = KB_PHASE_BUILD;
}

static void __attribute__((format(printf, 2, 3)))
add(struct kb_fault *fault, const char *fmt, ...)
{
	const size_t len = strlen(fault->detail);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(fault->detail + len, sizeof(fault->detail) - len, fmt, ap);
	va_end(ap);
}

void kb_fault_name_rank(struct kb_fault *fault, int rank)
{
	char detail[KB_FAULT_DETAIL_SIZE];

	strcpy(detail, fault->detail);
	*fault->detail = '\0';
	add(fault, "rank %d: %s", rank, detail);
}

/* A worker that cannot go on says why and exits: see KBRT_EXIT_LOST. Of several
 * ranks, others may have said why they lost this one. */
static void explain_exit(struct kb_fault *fault, int rank, const char *log,
			 size_t len)
{
	char last[KB_REASON_SIZE], why[KB_REASON_SIZE], whose[16] = "";

	if (rank >= 0)
		snprintf(whose, sizeof(whose), "rank %d: ", rank);
	if (kb_reason_by_end(last, log, len) &&
	    kb_reason_by_worker(why, log, len) && strstr(last, why) &&
	    !strncmp(why, whose, strlen(whose)))
		add(fault, ": %s", why + strlen(whose));
}

static void explain_crash(struct kb_fault *fault, const char *log, size_t len)
{
	const int line = kb_reason_crash_line(log, len);
	char why[KB_REASON_SIZE];

	if (line)
		add(fault, " (line %d)", line);
	/* A program that aborts prints why first; other signals have no
	 * reason. */
	if (fault->signal == SIGABRT && kb_reason_by_end(why, log, len))
		add(fault, ": %s", why);
}

/* torch that is asked to be verbose has ninja print what compilers say, and says
 * itself only that an extension did not build. */
static bool is_said_by_compiler(char why[KB_REASON_SIZE], const char *log,
				size_t len)
{
	static const char bare[] = "RuntimeError: Error building extension '";

	if (kb_reason_by_worker(why, log, len) &&
	    strncmp(why, bare, sizeof(bare) - 1) != 0)
		return true;
	return kb_reason_by_compiler(why, log, len) ||
	       kb_reason_by_worker(why, log, len);
}

static void explain_end(struct kb_fault *fault, uint32_t ranks, const char *log,
			size_t len)
{
	const int rank =
		ranks > 1 ? kb_reason_ended_rank(log, &len, ranks) : -1;

	if (fault->status == KB_STATUS_CRASHED)
		explain_crash(fault, log, len);
	else
		explain_exit(fault, rank, log, len);
	if (rank >= 0)
		kb_fault_name_rank(fault, rank);
}

void kb_fault_explain(struct kb_fault *fault, uint32_t ranks, const char *log,
		      size_t len)
{
	char why[KB_REASON_SIZE];
	bool is_said;

	if (fault->status == KB_STATUS_CRASHED ||
	    fault->status == KB_STATUS_EXITED) {
		explain_end(fault, ranks, log, len);
		return;
	}
	is_said = fault->status == KB_STATUS_BUILD_FAILED ?
			  is_said_by_compiler(why, log, len) :
			  kb_reason_by_worker(why, log, len);
	if (is_said)
		snprintf(fault->detail, sizeof(fault->detail), "%s", why);
}

_Static_assert(KB_FAULT_DETAIL_SIZE >= KB_REASON_SIZE + 48,
	       "a reason fits behind how a rank ended");
_Static_assert(KB_RANKS_MAX <= 10, "kb_reason_ended_rank() reads one digit");
