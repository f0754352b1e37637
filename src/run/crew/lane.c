#include "crew/lane.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/interrupt.h"
#include "json/json.h"

#define MESSAGE_BYTES_MAX ((uint32_t)1 << 30)
#define CHUNK_BYTES ((size_t)64 * 1024)

/* --- messages ---------------------------------------------------------- */

int kb_lane_send(int fd, const struct kb_json *message, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	const uint32_t room = 0;
	uint32_t len;
	size_t at = 0;

	kb_buf_add(&text, &room, sizeof(room));
	kb_json_print(&text, message);
	len = (uint32_t)(text.len - sizeof(len));
	memcpy(text.data, &len, sizeof(len));
	while (at < text.len) {
		ssize_t n = send(fd, text.data + at, text.len - at,
				 MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		/* The reader finds out that the peer is gone, after its last
		 * message. */
		if (n < 0 && (errno == EPIPE || errno == ECONNRESET))
			return 0;
		if (n < 0)
			return kb_err_sys(err, "cannot send to a lane");
		at += (size_t)n;
	}
	return 0;
}

/* The first message of `in`, if all of it is there: then it is taken out. */
static int next_message(struct kb_buf *in, struct kb_json **message,
			struct kb_err *err)
{
	uint32_t len;
	size_t used;
	int ret;

	if (in->len < sizeof(len))
		return 0;
	memcpy(&len, in->data, sizeof(len));
	if (len > MESSAGE_BYTES_MAX)
		KB_BUG("a message of a lane is too long");
	used = sizeof(len) + len;
	if (in->len < used)
		return 0;
	ret = kb_json_parse(message, in->data + sizeof(len), len,
			    KB_JSON_CANONICAL, "a message of a lane", err);
	memmove(in->data, in->data + used, in->len - used);
	in->len -= used;
	return kb_err_or_1(ret);
}

/* Read what is there. Returns 1, or 0 if there is nothing now, or -1 at the
 * end. */
static int read_some(struct kb_buf *in, int fd, int flags)
{
	ssize_t n = recv(fd, kb_buf_reserve(in, CHUNK_BYTES), CHUNK_BYTES,
			 flags);

	if (n > 0) {
		in->len += (size_t)n;
		return 1;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

int kb_lane_receive(int fd, struct kb_json **message, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf in = KB_BUF_INIT;
	uint32_t len;

	/* No more than one message, whatever has come after it. */
	for (size_t want = sizeof(len); in.len < want;) {
		ssize_t n = recv(fd, kb_buf_reserve(&in, want - in.len),
				 want - in.len, 0);

		if (kb_interrupted())
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return 0;
		in.len += (size_t)n;
		if (in.len == sizeof(len)) {
			memcpy(&len, in.data, sizeof(len));
			want += len;
		}
	}
	return next_message(&in, message, err);
}

/* --- the process ------------------------------------------------------- */

static void say_error(int fd, const struct kb_err *why)
{
	kb_auto(json) struct kb_json *message = kb_json_object();
	struct kb_json *error = kb_json_object();

	kb_json_set_int(error, "kind", why->kind);
	kb_json_set_string(error, "message", why->msg);
	kb_json_set(message, "error", error);
	(void)kb_lane_send(fd, message, NULL);
}

static void __attribute__((noreturn))
be_lane(int fd, pid_t parent,
	int (*run)(void *context, int fd, struct kb_err *err), void *context)
{
	struct kb_err err = KB_ERR_INIT;
	int ret;

	/* The signal comes only if the parent ends after this call. One that
	 * had ended before has been replaced as our parent. */
	if (prctl(PR_SET_PDEATHSIG, SIGTERM) < 0 || getppid() != parent)
		_exit(0);
	ret = run(context, fd, &err);
	if (ret < 0)
		say_error(fd, &err);
	/* All other resources belong to our parent. */
	_exit(ret < 0);
}

int kb_lane_start(struct kb_lane *lane,
		  int (*run)(void *context, int fd, struct kb_err *err),
		  void *context, struct kb_err *err)
{
	const pid_t parent = getpid();
	int fds[2];

	*lane = (struct kb_lane)KB_LANE_INIT;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return kb_err_sys(err, "cannot make a socket");
	/* Both processes would write stdio's buffers. */
	fflush(NULL);
	lane->pid = fork();
	if (!lane->pid) {
		close(fds[0]);
		be_lane(fds[1], parent, run, context);
	}
	close(fds[1]);
	if (lane->pid < 0) {
		lane->pid = 0;
		close(fds[0]);
		return kb_err_sys(err, "cannot start a process");
	}
	lane->fd = fds[0];
	return 0;
}

/* Returns how it ended, as wait(2) has it. */
static int reap_lane(struct kb_lane *lane)
{
	int wait_status = 0;

	while (lane->pid > 0 && waitpid(lane->pid, &wait_status, 0) < 0 &&
	       errno == EINTR)
		;
	lane->pid = 0;
	kb_lane_forget(lane);
	return wait_status;
}

void kb_lane_ask_end(const struct kb_lane *lane)
{
	/* The lane may be about to block in recv(). Closing our end wakes it
	 * with an end-of-file. */
	if (lane->fd >= 0)
		shutdown(lane->fd, SHUT_RDWR);
	if (lane->pid > 0)		/* it may have ended */
		(void)kill(lane->pid, SIGTERM);
}

void kb_lane_end(struct kb_lane *lane)
{
	kb_lane_ask_end(lane);
	reap_lane(lane);
}

void kb_lane_forget(struct kb_lane *lane)
{
	if (lane->fd >= 0)
		close(lane->fd);
	kb_buf_release(&lane->in);
	*lane = (struct kb_lane)KB_LANE_INIT;
}

/* The lane has failed as its message says. */
static int take_error(const struct kb_json *error, struct kb_err *err)
{
	const enum kb_err_kind kind = (enum kb_err_kind)
		kb_json_int_value(kb_json_find(error, "kind"));

	return kb_err(err, kind, "%s", kb_json_string_value(
			      kb_json_find(error, "message")));
}

/* A process that said nothing of it. */
static int fail_as_it_ended(int wait_status, struct kb_err *err)
{
	if (WIFSIGNALED(wait_status))
		return kb_err(err, KB_ERR_TIMEOUT, "ended by signal %d",
			      WTERMSIG(wait_status));
	return kb_err(err, KB_ERR_TIMEOUT, "ended with status %d",
		      WEXITSTATUS(wait_status));
}

int kb_lane_take(struct kb_lane *lane, struct kb_json **message,
		 struct kb_err *err)
{
	const struct kb_json *error;
	int more, ret = next_message(&lane->in, message, err);

	while (!ret) {
		more = read_some(&lane->in, lane->fd, MSG_DONTWAIT);
		if (!more)
			return 0;
		if (more < 0)
			return fail_as_it_ended(reap_lane(lane), err);
		ret = next_message(&lane->in, message, err);
	}
	if (ret < 0)
		return ret;
	error = kb_json_find(*message, "error");
	if (!error)
		return 1;
	ret = take_error(error, err);
	kb_json_free(*message);
	*message = NULL;
	reap_lane(lane);
	return ret;
}
