#ifndef KB_BASE_LOCK_H
#define KB_BASE_LOCK_H

struct kb_err;

/*
 * Lock an open file, or a directory, for this process and its children, until
 * all of them have closed it: flock(2). `path` is only used in messages.
 *
 * Returns 1; 0 if somebody else has it; or fails with KB_ERR_SYS, and says what
 * to do where the file system has no locks. No caller continues without the
 * lock: two writers would destroy each other's work.
 *
 * What a lock is worth is for the file system to say: on one that is shared it
 * may hold among the processes of one node only (Lustre mounted with
 * "localflock", NFS with "local_lock" or "nolock").
 */
int kb_lock(int fd, const char *path, struct kb_err *err);

#endif
