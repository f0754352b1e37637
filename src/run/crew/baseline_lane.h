#ifndef KB_CREW_BASELINE_LANE_H
#define KB_CREW_BASELINE_LANE_H

#include "crew/crew.h"
#include "manifest/reference_result.h"

struct kb_session;

/* A lane of kb-baseline: a job is one reference, which is timed alone; there
 * are no samples. */
struct kb_baseline_lane {
	struct kb_session *session;	/* borrowed */
	enum kb_mode mode;
};

extern const struct kb_lane_kind kb_baseline_lane_kind;

#endif
