#ifndef KB_BASE_INTERRUPT_H
#define KB_BASE_INTERRUPT_H

#include <stdbool.h>

/*
 * Being asked to stop. After kb_interrupt_catch() SIGINT, SIGTERM, SIGHUP and
 * SIGUSR1, which batch systems send before a time limit, no longer kill the
 * process but make kb_interrupted() true and interrupt blocking calls; whoever
 * waits looks and returns -KB_ERR_INTERRUPTED. A second such signal kills as
 * usual. A signal that our parent has ignored, as nohup(1) does, stays ignored.
 */
void kb_interrupt_catch(void);
bool kb_interrupted(void);

/* They kill again, until kb_interrupt_catch(): for who waits for another
 * program, which is asked to stop when its parent is killed. */
void kb_interrupt_leave(void);

#endif
