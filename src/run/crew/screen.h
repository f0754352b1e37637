#ifndef KB_CREW_SCREEN_H
#define KB_CREW_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "crew/crew.h"

struct kb_err;
struct kb_job;

/*
 * Turns on each device of a crew that screens: lanes that screen have their turn, or
 * the lane that times. Before the turn changes, lanes that screen end, and a lane that
 * times gives up its reference. For crew.c.
 *
 * Timing begins when no job is ready to be screened and some job is ready to be timed.
 * Screening begins when each lane that screens would get a job, or no job is ready to
 * be timed.
 */

/* For kb_jobs_next(). `context` is the crew. */
bool kb_crew_is_to_be_screened(void *context, const struct kb_job *job);
bool kb_crew_is_to_be_timed(void *context, const struct kb_job *job);

/* Change turns on devices where no lane is at work. Fails as
 * kb_crew_start_member(). */
int kb_crew_turn(struct kb_crew *c, struct kb_err *err);

#endif
