#ifndef KB_CREW_SCREEN_H
#define KB_CREW_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "crew/crew.h"

struct kb_err;
struct kb_job;

/*
 * Of a crew that screens: which lanes have a device now, those that screen or the
 * lane that times. Never both: lanes that screen end, and a lane that times gives up
 * its reference, before the other kind begins. For crew.c.
 *
 * A device goes from screening to timing when nothing that is built is left to be
 * screened and something is left to be timed; and back when there is a job for each
 * lane that screens, or nothing to be timed.
 */

/* Is the member one that screens? */
bool kb_crew_is_screener(const struct kb_crew *c, size_t member);

/* Has the member its device now? */
bool kb_crew_has_turn(const struct kb_crew *c, size_t member);

/* For kb_jobs_next(): jobs for lanes that screen, and for lanes that time. `context`
 * is the crew. */
bool kb_crew_is_to_be_screened(void *context, const struct kb_job *job);
bool kb_crew_is_to_be_timed(void *context, const struct kb_job *job);

/* Change whose turn it is, on each device where nobody is at work. Fails as
 * kb_crew_start_member(). */
int kb_crew_turn(struct kb_crew *c, struct kb_err *err);

#endif
