#ifndef KB_AUDIT_LANE_H
#define KB_AUDIT_LANE_H

#include <stdbool.h>

#include "crew/crew.h"

struct kb_audit_line;
struct kb_gather_options;
struct kb_session;

/* A lane of kb-audit: a job is one problem, of which it gathers the evidence,
 * and judges it; there are no samples. */
struct kb_audit_lane {
	struct kb_session *session;			/* borrowed, as are: */
	const struct kb_gather_options *options;
};

extern const struct kb_lane_kind kb_audit_lane_kind;

/* Did it lack memory, which problems beside it may have had? */
bool kb_audit_lacked_memory(const struct kb_audit_line *l);

#endif
