#include "confine/pass_fd.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

/* A union because the bytes must be aligned for a struct cmsghdr (cmsg(3)). */
union control {
	struct cmsghdr head;
	char space[CMSG_SPACE(sizeof(int))];
};

ssize_t kb_pass_fds(int socket_fd, const void *data, size_t len,
		    const int fds[], size_t count)
{
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
	return sendmsg(socket_fd, &m, MSG_NOSIGNAL);
}

ssize_t kb_pass_fd(int socket_fd, const void *data, size_t len, int fd)
{
	return kb_pass_fds(socket_fd, data, len, &fd, fd >= 0);
}

ssize_t kb_take_fd(int socket_fd, void *data, size_t len, int *fd, int flags)
{
	union control control;
	struct iovec bytes = { .iov_base = data, .iov_len = len };
	struct msghdr m = {
		.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	const ssize_t n = recvmsg(socket_fd, &m, flags | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *c = n < 0 ? NULL : CMSG_FIRSTHDR(&m);

	*fd = -1;
	if (c && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(c), sizeof(*fd));
	return n;
}
