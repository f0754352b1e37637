#ifndef KB_AUDIT_LANE_H
#define KB_AUDIT_LANE_H

#include <stdbool.h>

#include "manifest/key.h"

struct kb_audit_line;
struct kb_err;
struct kb_gather_options;
struct kb_json;
struct kb_session;

/*
 * What a lane of kb-audit does: a job is one problem, of which it gathers the
 * evidence, and judges it. See the function of the same name in crew/crew.h;
 * there are no samples. Fails as kb_gather_start(), kb_gather_poll(),
 * kb_bundle_read() and kb_crew_say().
 */
int kb_audit_lane_do_job(const struct kb_session *s,
			 const struct kb_gather_options *options,
			 struct kb_key key, int fd, struct kb_err *err);

/* Did it lack memory, which problems beside it may have had? */
bool kb_audit_lacked_memory(const struct kb_audit_line *l);

#endif
