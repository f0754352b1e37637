#ifndef KB_CONFINE_LOG_H
#define KB_CONFINE_LOG_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_calls;
struct kb_err;

/*
 * The output of a worker: standard output and error go to a pipe, which the
 * monitor empties into a sealed memfd of fixed size. Of more than fits the
 * beginning and the end are kept, so that a write never fails and a flood takes
 * no room. It is kept for people, and nothing follows from it: worker/reason.h
 * finds the line that says why something failed, and status and score do not
 * depend on that.
 */

#define KB_LOG_KEPT_BYTES (8 * 1024)	/* from the start, and as much from the end */

/* A log that keeps `limit_bytes`. The caller closes `*fd`. Fails
 * with KB_ERR_SYS. */
int kb_log_open(int *fd, size_t limit_bytes, struct kb_err *err);

/* Add what was printed, by whoever has the log or a copy of its descriptor; one
 * at a time. System calls alone, for the child of a fork. */
void kb_log_add(int fd, const char *data, size_t len);

/*
 * Append what was printed, cleaned by kb_utf8_clean(), without paths of
 * scratch directories and frames of our programs in Python's tracebacks: what a
 * worker printed that is stopped or has ended. Of a long log only the two ends are
 * kept, with a line between them that says so; then `*truncated` is true.
 */
void kb_log_read(struct kb_buf *out, int fd, bool *truncated);

/* Append a line that names system calls which were refused, if any were. */
void kb_log_refused(struct kb_buf *out, const struct kb_calls *refused);

#endif
