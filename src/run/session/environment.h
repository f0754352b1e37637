#ifndef KB_SESSION_ENVIRONMENT_H
#define KB_SESSION_ENVIRONMENT_H

struct kb_err;
struct kb_json;
struct kb_session;

/* If the suite has problems in Python, find the interpreter that they run
 * under, once for all processes of the session, and say on standard error
 * which it is if several were tried. Fails as kb_launcher_find_torch(). */
int kb_session_find_torch(struct kb_session *s, struct kb_err *err);

/* May a process whose memory is limited import torch, as far as is known? Ask
 * after kb_session_note_conditions(). Fails with KB_ERR_USAGE: below what it takes
 * torch fails to load in one way or another, or is never done. */
int kb_session_check_memory(const struct kb_session *s, struct kb_err *err);

/* May torch's workers load libraries from scratch directories? Fails with
 * KB_ERR_SYS. */
int kb_session_check_exec(const struct kb_session *s, struct kb_err *err);

/* The versions in an environment of what candidates in Python may be written
 * in, as kb_match_fields() has them; the caller frees. */
struct kb_json *kb_environment_languages(const struct kb_json *environment);

#endif
