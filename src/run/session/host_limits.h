#ifndef KB_SESSION_HOST_LIMITS_H
#define KB_SESSION_HOST_LIMITS_H

struct kb_err;

/*
 * Does the shell leave a run as many descriptors, as much stack and as many
 * processes as it takes at least (ulimit -n, -s, -u)? What a run finds out later
 * looks like a fault of a reference or of a candidate. `threads` is how many a
 * worker may have. Fails with KB_ERR_SYS, with the limit and what is wanted.
 */
int kb_session_check_limits(int threads, struct kb_err *err);

#endif
