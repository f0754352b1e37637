#ifndef KB_MEASURE_NOTES_H
#define KB_MEASURE_NOTES_H

#include "manifest/outcome.h"
#include "worker/worker.h"

struct kb_buf;
struct kb_device_timing;
struct kb_timing;

/* How a worker ended, as an outcome says it. */

/* Processor time in milliseconds, as a result has it: 0 is none at all. */
int64_t kb_note_cpu_ms(int64_t cpu_ns);

void kb_note_fault(struct kb_outcome *o, const struct kb_fault *fault);

/* The log: what the compiler said, which is taken from `build_log`, then
 * what the worker printed. */
void kb_note_log(struct kb_outcome *o, struct kb_buf *build_log,
		 struct kb_worker *w);

/* The reference failed, so nothing is known of the candidate. */
void kb_note_reference_fault(struct kb_outcome *o,
			     const struct kb_fault *fault);

/*
 * Say in the detail that there is no time by either clock, and why not; nothing
 * if there is one. `whose` is "" or " of the reference". A device without a
 * clock of its own has no `device`.
 */
void kb_note_untimed(struct kb_outcome *o, const char *whose,
		     const struct kb_timing *call,
		     const struct kb_device_timing *device);

#endif
