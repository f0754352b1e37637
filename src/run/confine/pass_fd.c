#include "confine/pass_fd.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

ssize_t kb_pass_fds(int socket_fd, const void *data, size_t len,
		    const int fds[], size_t count, int flags)
{
	/* A union because the bytes must be aligned for a struct cmsghdr
	 * (cmsg(3)). */
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(KB_PASSED_MAX * sizeof(int))];
	} control;
	struct iovec bytes = { .iov_base = (void *)(size_t)data,
			       .iov_len = len };
	struct msghdr m = { .msg_iov = &bytes, .msg_iovlen = 1 };

	if (count > KB_PASSED_MAX) {
		errno = EINVAL;
		return -1;
	}
	if (count) {
		memset(&control, 0, CMSG_SPACE(count * sizeof(int)));
		control.head.cmsg_level = SOL_SOCKET;
		control.head.cmsg_type = SCM_RIGHTS;
		control.head.cmsg_len = CMSG_LEN(count * sizeof(int));
		memcpy(CMSG_DATA(&control.head), fds, count * sizeof(int));
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(count * sizeof(int));
	}
	return sendmsg(socket_fd, &m, flags | MSG_NOSIGNAL);
}

ssize_t kb_pass_fd(int socket_fd, const void *data, size_t len, int fd)
{
	return kb_pass_fds(socket_fd, data, len, &fd, fd >= 0, 0);
}

ssize_t kb_take_fds(int socket_fd, void *data, size_t len, int fds[],
		    size_t count, int flags)
{
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(KB_TAKEN_MAX * sizeof(int))];
	} control;
	struct iovec bytes = { .iov_base = data, .iov_len = len };
	struct msghdr m = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = CMSG_LEN(count * sizeof(int)),
	};
	const struct cmsghdr *c;
	ssize_t n;

	for (size_t i = 0; i < count; i++)
		fds[i] = -1;
	if (count > KB_TAKEN_MAX) {
		errno = EINVAL;
		return -1;
	}
	/* The kernel closes those for which there is no room. */
	n = recvmsg(socket_fd, &m, flags | MSG_CMSG_CLOEXEC);
	c = n < 0 ? NULL : CMSG_FIRSTHDR(&m);
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	return n;
}

ssize_t kb_take_fd(int socket_fd, void *data, size_t len, int *fd, int flags)
{
	return kb_take_fds(socket_fd, data, len, fd, 1, flags);
}
