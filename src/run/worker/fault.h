#ifndef KB_WORKER_FAULT_H
#define KB_WORKER_FAULT_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/status.h"
#include "worker/protocol.h"

#define KB_FAULT_DETAIL_SIZE 256

/* How a worker failed; what a result says of it. */
struct kb_fault {
	enum kb_side side;		/* who is to blame */
	enum kb_status status;
	enum kb_phase phase;
	int signal;			/* if it crashed */
	int exit_status;		/* if it exited */
	char detail[KB_FAULT_DETAIL_SIZE];	/* may be empty */
};

void kb_fault_set(struct kb_fault *fault, enum kb_side side,
		  enum kb_status status, enum kb_phase phase,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/*
 * The fault of a process that ended with `wait_status` of wait(2), of a worker
 * or a compiler; `phase` is where it was.
 */
void kb_fault_of_end(struct kb_fault *fault, enum kb_side side,
		     int wait_status, enum kb_phase phase);

/* The fault of a worker that answered with `code`, which is not KB_ACK_OK and
 * below KB_ACK_CODE_COUNT. One by a compiler is of KB_PHASE_BUILD. */
void kb_fault_of_ack(struct kb_fault *fault, enum kb_side side,
		     enum kb_ack_code code, enum kb_phase phase);

/*
 * Put what the log says of it, see worker/reason.h, into the detail of a fault
 * that is one of the two above, or of a compiler. `log` is what the process has
 * printed until then. If it had several `ranks`, one that ended is named.
 */
void kb_fault_explain(struct kb_fault *fault, uint32_t ranks, const char *log,
		      size_t len);

/* Put before the detail whose it is, of several ranks. */
void kb_fault_name_rank(struct kb_fault *fault, int rank);

#endif
