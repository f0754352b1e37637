#ifndef KB_MEASURE_NOTES_H
#define KB_MEASURE_NOTES_H

#include "manifest/outcome.h"
#include "worker/worker.h"

struct kb_buf;

/* How a worker ended, as an outcome says it. */

void kb_note_fault(struct kb_outcome *o, const struct kb_fault *fault);

/* The log: what the compiler said, which is taken from `build_log`, then
 * what the worker printed. */
void kb_note_log(struct kb_outcome *o, struct kb_buf *build_log,
		 const struct kb_worker *w);

/* The reference failed, so nothing is known of the candidate. */
void kb_note_reference_fault(struct kb_outcome *o,
			     const struct kb_fault *fault);

#endif
