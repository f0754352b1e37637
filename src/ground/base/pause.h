#ifndef KB_BASE_PAUSE_H
#define KB_BASE_PAUSE_H

#include <stdint.h>

/*
 * Was this process paused? A batch system suspends a job and resumes it (SIGSTOP
 * and SIGCONT, or the freezer of control groups), `docker pause` freezes a
 * container, a person types ^Z, a machine sleeps or is moved. What a worker was
 * asked meanwhile takes longer by that, which is no fault of its code.
 *
 * A process finds that out by itself. SIGCONT is counted. Beside it, who waits
 * sees that it slept far longer than it had asked for, and that it neither
 * computed nor waited for a processor meanwhile, which a candidate could make it
 * do.
 */

/* A wait looks at least so often. */
#define KB_PAUSE_LOOK_NS INT64_C(20000000)

/* Count SIGCONT from now on, also in processes that are forked. */
void kb_pause_catch(void);

/* A wait begins; and, each time it has slept for KB_PAUSE_LOOK_NS or less:
 * was that so long? */
void kb_pause_begin(void);
void kb_pause_look(void);

/* Whoever finds it changed after a piece of work was paused meanwhile, or was
 * let go on by somebody else: so were its workers then. */
uint32_t kb_pause_count(void);

/* How often work is repeated that failed during a pause. */
#define KB_PAUSED_TRIES_MAX 3

/* All that was noticed. */
int64_t kb_paused_ns(void);

/* kb_clock_ns() without pauses that were noticed: the clock of time-outs. Call
 * kb_pause_look() before it is compared. */
int64_t kb_awake_ns(void);

#endif
