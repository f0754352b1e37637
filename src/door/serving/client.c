#include "serving/client.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "serving/request.h"

#define CHUNK_BYTES ((size_t)64 * 1024)

struct kb_client *kb_client_new(int in_fd, int out_fd)
{
	struct kb_client *c = kb_xcalloc(1, sizeof(*c));

	*c = (struct kb_client){
		.in_fd = in_fd, .out_fd = out_fd,
		.in = KB_BUF_INIT, .out = KB_BUF_INIT,
	};
	return c;
}

void kb_client_free(struct kb_client *c)
{
	if (!c)
		return;
	close(c->in_fd);
	if (c->out_fd != c->in_fd)
		close(c->out_fd);
	kb_buf_release(&c->in);
	kb_buf_release(&c->out);
	free(c);
}

static bool may_read(const struct kb_client *c, bool wants)
{
	return wants && !c->at_end && !c->is_gone &&
	       !kb_client_has_line(c) && c->out.len < KB_CLIENT_OUT_BYTES_MAX;
}

size_t kb_client_watch(const struct kb_client *c, struct pollfd fds[2],
		       bool wants)
{
	const short in = may_read(c, wants) ? POLLIN : 0;
	const short out = c->out.len ? POLLOUT : 0;

	if (c->in_fd == c->out_fd) {
		fds[0] = (struct pollfd){ c->in_fd, in | out, 0 };
		return 1;
	}
	/* poll() reports a hang-up forever. */
	fds[0] = (struct pollfd){ in ? c->in_fd : -1, in, 0 };
	fds[1] = (struct pollfd){ c->out_fd, out, 0 };
	return 2;
}

/* Read once, as poll(2) said that it does not block. */
static void read_some(struct kb_client *c)
{
	ssize_t n;

	memmove(c->in.data, c->in.data + c->in_at, c->in.len - c->in_at);
	c->in.len -= c->in_at;
	c->in_at = 0;
	n = read(c->in_fd, kb_buf_reserve(&c->in, CHUNK_BYTES), CHUNK_BYTES);
	if (n > 0)
		c->in.len += (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		c->at_end = true;
}

/* A pipe that poll(2) calls writable has room for as much. */
static void write_some(struct kb_client *c)
{
	const size_t len = c->out.len < PIPE_BUF ? c->out.len : PIPE_BUF;
	const ssize_t n = c->in_fd == c->out_fd ?
		send(c->out_fd, c->out.data, c->out.len,
		     MSG_DONTWAIT | MSG_NOSIGNAL) :
		write(c->out_fd, c->out.data, len);

	if (n < 0 && errno != EINTR && errno != EAGAIN) {
		c->is_gone = true;
		c->why_gone = errno;
	}
	if (n <= 0)
		return;
	c->out.len -= (size_t)n;
	memmove(c->out.data, c->out.data + n, c->out.len);
}

void kb_client_move(struct kb_client *c, bool wants)
{
	struct pollfd fds[2];
	const size_t count = kb_client_watch(c, fds, wants);

	if (poll(fds, count, 0) <= 0)
		return;
	for (size_t i = 0; i < count; i++) {
		/* A socket says of itself that nobody is there to read; what it
		 * has sent before is nobody's any more. */
		if (fds[i].fd == c->out_fd &&
		    fds[i].revents & (POLLERR | POLLHUP | POLLNVAL))
			c->is_gone = true;
		else if (fds[i].fd == c->in_fd &&
			 fds[i].revents & (POLLIN | POLLHUP | POLLERR))
			read_some(c);
		if (!c->is_gone && fds[i].fd == c->out_fd &&
		    fds[i].revents & POLLOUT)
			write_some(c);
	}
}

/* --- lines ------------------------------------------------------------- */

static const char *line_end(const struct kb_client *c)
{
	return memchr(c->in.data + c->in_at, '\n', c->in.len - c->in_at);
}

bool kb_client_has_line(const struct kb_client *c)
{
	const size_t left = c->in.len - c->in_at;

	return left && (c->at_end || left > KB_REQUEST_LINE_BYTES_MAX ||
			line_end(c));
}

/* Drop the rest of a dropped line, too. */
static void skip_line(struct kb_client *c)
{
	const char *end = line_end(c);

	c->in_at = end ? (size_t)(end + 1 - c->in.data) : c->in.len;
	c->is_skipping = !end && !c->at_end;
}

bool kb_client_line(struct kb_client *c, const char **line, size_t *len)
{
	const char *end;

	if (c->is_skipping)
		skip_line(c);
	if (!kb_client_has_line(c))
		return false;
	end = line_end(c);
	*line = c->in.data + c->in_at;
	*len = end ? (size_t)(end - *line) : c->in.len - c->in_at;
	if (*len > KB_REQUEST_LINE_BYTES_MAX)
		skip_line(c);
	else
		c->in_at += *len + (end != NULL);
	return true;
}

/* --- sockets ----------------------------------------------------------- */

static int set_path(struct sockaddr_un *to, const char *path, struct kb_err *err)
{
	*to = (struct sockaddr_un){ .sun_family = AF_UNIX };
	/* Without a name the kernel makes one that is no file. */
	if (!*path)
		return kb_err(err, KB_ERR_INPUT, "the socket has no name");
	if (strlen(path) >= sizeof(to->sun_path))
		return kb_err(err, KB_ERR_INPUT, "socket '%s': the path is longer "
			      "than %zu bytes; use a shorter directory", path,
			      sizeof(to->sun_path) - 1);
	memcpy(to->sun_path, path, strlen(path));
	return 0;
}

/* A socket that nobody listens at any more. */
static int remove_stale(const struct sockaddr_un *to, struct kb_err *err)
{
	kb_auto(fd) int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct stat st;

	if (lstat(to->sun_path, &st) < 0)
		return 0;
	if (!S_ISSOCK(st.st_mode))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a socket",
			      to->sun_path);
	if (fd >= 0 && !connect(fd, (const struct sockaddr *)to, sizeof(*to)))
		return kb_err(err, KB_ERR_INPUT, "a server listens at '%s' already",
			      to->sun_path);
	return unlink(to->sun_path) < 0 ?
		kb_err_sys(err, "cannot remove '%s'", to->sun_path) : 0;
}

int kb_socket_listen(const char *path, struct stat *as, struct kb_err *err)
{
	kb_auto(fd) int fd = -1;
	struct sockaddr_un to;
	mode_t mask;
	int ret = set_path(&to, path, err);

	if (ret >= 0)
		ret = remove_stale(&to, err);
	if (ret < 0)
		return ret;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	mask = umask(0177);
	if (fd >= 0)
		ret = bind(fd, (struct sockaddr *)&to, sizeof(to));
	umask(mask);
	if (fd < 0 || ret < 0 || lstat(path, as) < 0 || listen(fd, SOMAXCONN) < 0)
		return kb_err_sys(err, "cannot listen at '%s'", path);
	ret = fd;
	fd = -1;
	return ret;
}

void kb_socket_remove(const char *path, const struct stat *as)
{
	struct stat st;

	if (!lstat(path, &st) && st.st_dev == as->st_dev &&
	    st.st_ino == as->st_ino)
		(void)unlink(path);
}

int kb_socket_accept(int fd)
{
	struct ucred peer = { .uid = (uid_t)-1 };
	socklen_t len = sizeof(peer);
	const int got = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (got < 0)
		return -1;
	if (getsockopt(got, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0 ||
	    (peer.uid != geteuid() && peer.uid)) {
		close(got);
		return -1;
	}
	return got;
}
