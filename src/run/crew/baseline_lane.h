#ifndef KB_CREW_BASELINE_LANE_H
#define KB_CREW_BASELINE_LANE_H

#include "manifest/key.h"
#include "manifest/reference_result.h"

struct kb_err;
struct kb_json;
struct kb_session;

/*
 * What a lane of kb-baseline does: a job is one reference, which is timed alone.
 * See the functions of the same names in crew/crew.h; there are no samples.
 */
struct kb_baseline_lane {
	struct kb_session *session;	/* borrowed */
	enum kb_mode mode;
};

int kb_baseline_lane_do_job(struct kb_baseline_lane *lane, struct kb_key key,
			    int fd, struct kb_err *err);

#endif
