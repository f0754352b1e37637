#ifndef KB_CREW_SCREEN_H
#define KB_CREW_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crew/crew.h"

struct kb_err;
struct kb_job;

/*
 * Turns on each device of a crew that screens: lanes that screen have their turn, or
 * the lane that times. Before the turn changes, lanes that screen end, and a lane that
 * times gives up its reference. For crew.c.
 *
 * A change takes seconds, in which nothing is judged. Screening begins when each lane
 * that screens would get several jobs, a job of a higher priority is ready to be
 * screened, or no job is ready to be timed. Timing begins when some job is ready to be
 * timed and no job to be screened. Where a source adds jobs, it also begins when most
 * lanes that screen would have none: clients may wait for answers before they ask for
 * more.
 */

/* How many lanes of a device screen, by its share of processors and memory, and the
 * processors that a worker on the CPU uses. */
size_t kb_screeners_that_fit(bool is_cuda, uint64_t cpus, uint64_t memory_bytes,
			     uint64_t threads);

/* For kb_jobs_next(). `context` is the crew. */
bool kb_crew_is_to_be_screened(void *context, const struct kb_job *job);
bool kb_crew_is_to_be_timed(void *context, const struct kb_job *job);

/* Are jobs still handed out to the lanes of a device that screen, whose turn it is? */
bool kb_crew_goes_on_screening(struct kb_crew *c, size_t device);

/* Change turns on devices where no lane is at work. Fails as
 * kb_crew_start_member(). */
int kb_crew_turn(struct kb_crew *c, struct kb_err *err);

#endif
