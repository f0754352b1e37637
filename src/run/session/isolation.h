#ifndef KB_SESSION_ISOLATION_H
#define KB_SESSION_ISOLATION_H

struct kb_err;
struct kb_json;
struct kb_session;

/*
 * Record in the environment what confined the last worker, and say on standard
 * error what is missing, with the remedy, unless the session is quiet. Fails
 * with KB_ERR_MISSING if anything is and '--sandbox strict' was asked for.
 */
int kb_session_note_isolation(const struct kb_session *s, struct kb_err *err);

/* Can this kernel filter system calls, or is it not asked to? Without a filter a
 * candidate could go on while it is stopped. Fails with KB_ERR_SYS. */
int kb_session_check_filter(const struct kb_session *s, struct kb_err *err);

/* The mode, as a member of a policy; the usual one is none. */
void kb_session_record_sandbox(struct kb_json *policy,
			       const struct kb_session *s);

#endif
