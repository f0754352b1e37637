#ifndef KB_SESSION_ENVIRONMENT_H
#define KB_SESSION_ENVIRONMENT_H

struct kb_err;
struct kb_session;

/* If the suite has problems in Python, find the interpreter that they run
 * under, once for all processes of the session, and say on standard error
 * which it is if several were tried. Fails as kb_launcher_find_torch(). */
int kb_session_find_torch(struct kb_session *s, struct kb_err *err);

#endif
