#ifndef KB_CREW_CANDIDATE_BUILDS_H
#define KB_CREW_CANDIDATE_BUILDS_H

#include "crew/crew.h"

struct kb_bundle;

/* Add to a job the builds that its candidates need, which are of the bundle
 * `submission`: first the reference's, if it is native, then theirs in their
 * order. None if the crew builds nothing ahead, and none of Python that does not
 * compile. The job has room for one more than it has candidates; the bundle is
 * borrowed until the crew is closed. */
void kb_crew_add_candidate_builds(struct kb_crew *c, struct kb_job *job,
				  const struct kb_bundle *submission);

#endif
