#ifndef KB_WORKER_CONTROL_H
#define KB_WORKER_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/protocol.h"

struct kb_err;

/*
 * The supervisor's end of the control page, struct kb_control, which it shares
 * with one worker: `go` is the supervisor's, `done` and `compiles` the worker's.
 * What the worker writes there is anybody's number.
 */

/*
 * A page of zeros and its memory file, for the worker. The caller closes the
 * file and unmaps the page, with kb_control_unmap(), also after a failure: then
 * `*fd` may be set. Fails with KB_ERR_SYS.
 */
int kb_control_make(struct kb_control **out, int *fd, struct kb_err *err);
void kb_control_unmap(struct kb_control *c);	/* or NULL */

/* Open a gate, and wake who sleeps before it, also if that is stopped and will be
 * continued. */
void kb_control_set_go(struct kb_control *c, uint32_t go);
void kb_control_wake(struct kb_control *c);

/* Before `go`: whoever sees that sees this. */
void kb_control_set_seed(struct kb_control *c, uint64_t seed);

/* Have all `ranks` of the worker said `go`, the last word on a run? */
bool kb_control_is_done(struct kb_control *c, uint32_t go, uint32_t ranks);
/* The one rank that has not, or -1 if none is alone in that. */
int kb_control_late_rank(struct kb_control *c, uint32_t go, uint32_t ranks);
void kb_control_set_done(struct kb_control *c, uint32_t go);

bool kb_control_compiles(const struct kb_control *c);

/* Sleep until they have, or for so long, or shorter. */
void kb_control_await_done(struct kb_control *c, uint32_t go, uint32_t ranks,
			   int64_t timeout_ns);

#endif
