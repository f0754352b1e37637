#ifndef KB_SESSION_IN_LANE_H
#define KB_SESSION_IN_LANE_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_json;
struct kb_session;

/*
 * A session in several processes: one that was prepared and holds the journal,
 * and lanes, forked from it, that have a device each. What is recorded of
 * conditions the lanes find out; what the first one says is that of the run.
 */

/* In a lane: a scratch root of its own, and the device of that number; nothing of
 * the journal. `is_quiet` if another one says what there is to say. Fails as
 * kb_session_open(). */
int kb_session_enter_lane(struct kb_session *s, size_t number, bool is_quiet,
			  struct kb_err *err);

/* When its work is done. */
void kb_session_leave_lane(struct kb_session *s);

/* The facts for the other processes, when conditions are noted. The caller
 * frees. */
struct kb_json *kb_session_lane_report(const struct kb_session *s);

/* The first lane's: the session has its conditions, and can build for them.
 * Fails with KB_ERR_INPUT. */
int kb_session_take_report(struct kb_session *s, const struct kb_json *report,
			   struct kb_err *err);

/* Another lane's: are those conditions the same by which kb_session_resume()
 * knows a run? `name` is the device's.
 * Fails with KB_ERR_INPUT. */
int kb_session_check_report(const struct kb_session *s,
			    const struct kb_json *report, const char *name,
			    struct kb_err *err);

#endif
