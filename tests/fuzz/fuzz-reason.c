/*
 * Any log: cleaned as logs are, in which no path of a scratch directory is left.
 * A reason is one line of it, valid UTF-8 that is not empty and not too long; a
 * fault that it explains has a detail of that kind.
 */

#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "confine/scratch.h"
#include "fuzz/must.h"
#include "json/utf8.h"
#include "worker/fault.h"
#include "worker/reason.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_a_line(const char *text, size_t size)
{
	const size_t len = strlen(text);

	must(len > 0 && len < size);
	must(kb_utf8_valid(text, len));
	must(!strpbrk(text, "\n\t"));
}

static void explain(enum kb_status status, int sig, uint32_t ranks,
		    const struct kb_buf *log)
{
	struct kb_fault fault;

	kb_fault_set(&fault, KB_SIDE_CANDIDATE, status, KB_PHASE_RUN,
		     "ended by SIGRTMIN+30");
	fault.signal = sig;
	kb_fault_explain(&fault, ranks, log->data, log->len);
	must_be_a_line(fault.detail, sizeof(fault.detail));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf clean = KB_BUF_INIT, log = KB_BUF_INIT;
	char why[KB_REASON_SIZE];
	size_t above;

	kb_utf8_clean(&clean, data, size);
	kb_scratch_cut_paths(&log, clean.data, clean.len);
	must(log.len <= clean.len);
	if (kb_reason_by_worker(why, log.data, log.len))
		must_be_a_line(why, sizeof(why));
	if (kb_reason_by_compiler(why, log.data, log.len))
		must_be_a_line(why, sizeof(why));
	if (kb_reason_by_end(why, log.data, log.len))
		must_be_a_line(why, sizeof(why));
	must(kb_reason_crash_line(log.data, log.len) >= 0);
	above = log.len;
	if (kb_reason_ended_rank(log.data, &above, 2) >= 0)
		must(above < log.len);
	explain(KB_STATUS_BUILD_FAILED, 0, 1, &log);
	for (uint32_t ranks = 1; ranks <= 2; ranks++) {
		explain(KB_STATUS_CRASHED, SIGABRT, ranks, &log);
		explain(KB_STATUS_EXITED, 0, ranks, &log);
	}
	return 0;
}
