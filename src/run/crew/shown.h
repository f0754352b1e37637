#ifndef KB_CREW_SHOWN_H
#define KB_CREW_SHOWN_H

#include <stddef.h>

#include "crew/crew.h"

/* Between the files of a crew: what its progress shows. */

/* A job has got to the stage that it is at: on the terminal's line, and as an event.
 * At the beginning it has been at none, and in the end it gets to none:
 * KB_STAGE_COUNT. `device` is that which times it, or did. */
void kb_crew_show_move(const struct kb_crew *c, const struct kb_job *job,
		       enum kb_stage from, size_t device);

/* A device that failed was taken out of the run: as an event, with the reason, and
 * the key that it was at, "" for none. */
void kb_crew_show_taken_out(const struct kb_crew *c, size_t device,
			    const char *reason, const char *key);

#endif
