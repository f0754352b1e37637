#ifndef KB_CREW_SHOWN_H
#define KB_CREW_SHOWN_H

#include <stddef.h>

#include "crew/crew.h"

struct kb_progress;

/* A job has got from one stage to another, as `move` of struct kb_crew_work has
 * it: on the terminal's line, and as an event. */
void kb_crew_show_move(const struct kb_crew *c, struct kb_progress *p,
		       const struct kb_job *job, enum kb_stage from,
		       enum kb_stage to, size_t device);

/* A device was taken out, as `take_out` of struct kb_crew_work has it: as an
 * event. */
void kb_crew_show_taken_out(const struct kb_crew *c, struct kb_progress *p,
			    size_t device, const char *reason, const char *key);

/* The same on the terminal's line alone, where stages are of no interest. */
void kb_crew_show_device(const struct kb_crew *c, struct kb_progress *p,
			 const struct kb_job *job, size_t device,
			 bool is_busy);

#endif
