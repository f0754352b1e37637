#ifndef KB_SESSION_ISOLATION_H
#define KB_SESSION_ISOLATION_H

struct kb_session;

/*
 * Record in the environment what confined the last worker, and say on standard
 * error what is missing, with the remedy, unless the session is quiet.
 */
void kb_session_note_isolation(const struct kb_session *s);

#endif
