#ifndef KB_CONFINE_PASS_FD_H
#define KB_CONFINE_PASS_FD_H

#include <stddef.h>
#include <sys/types.h>

/*
 * A few bytes over a socket of messages, with descriptors or without, one of
 * which is -1 for none; no allocation, no locks. All return as send(2) and
 * recv(2) do. What is received is closed at exec, the caller's, and -1 if there
 * was none; `flags` as of send(2) or
 * recv(2).
 */
#define KB_PASSED_MAX 253		/* as Linux has it */
#define KB_TAKEN_MAX 8			/* by one kb_take_fds() */

ssize_t kb_pass_fds(int socket_fd, const void *data, size_t len,
		    const int fds[], size_t count, int flags);
ssize_t kb_pass_fd(int socket_fd, const void *data, size_t len, int fd);
ssize_t kb_take_fds(int socket_fd, void *data, size_t len, int fds[],
		    size_t count, int flags);
ssize_t kb_take_fd(int socket_fd, void *data, size_t len, int *fd, int flags);

#endif
