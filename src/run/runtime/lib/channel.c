/* Requests of the supervisor, and answers to them. */

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

int kbrt_fd_take(struct kbrt *rt)
{
	for (uint32_t i = 0; i < rt->fd_count; i++) {
		int fd = rt->fds[i];

		rt->fds[i] = -1;
		if (fd >= 0)
			return fd;
	}
	return -1;
}

/* A request's descriptors that nobody took must not be taken for the next
 * one's. */
static void drop_fds(struct kbrt *rt)
{
	int fd;

	while ((fd = kbrt_fd_take(rt)) >= 0)
		close(fd);
	rt->fd_count = 0;
}

static void keep_fds(struct kbrt *rt, struct msghdr *msg)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		size_t n;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(rt->fds + rt->fd_count, CMSG_DATA(c), n * sizeof(int));
		rt->fd_count += (uint32_t)n;
	}
}

/* On the CPU there is no pool, and the gate is in our own thread. */
static bool makes_sense(const struct kbrt *rt)
{
	const struct kb_request *r = &rt->request;

	if (rt->leads)
		return true;
	switch (r->op) {
	case KB_OP_LOAD:
	case KB_OP_SLOT:
		return true;
	case KB_OP_TRY:
		return r->side < KB_SIDE_COUNT;
	case KB_OP_GENERATE:
	case KB_OP_FP64_ERROR:
		return r->alternate <= 1;
	case KB_OP_RUN:
		return rt->cuda ? r->gate <= KB_GATE_NONE
				: r->gate == KB_GATE_HOST;
	case KB_OP_KERNELS:
		return rt->cuda && r->gate == KB_GATE_NONE;
	case KB_OP_POOL:
		return rt->cuda;
	default:
		return false;
	}
}

int kbrt_receive(struct kbrt *rt, struct kb_err *err)
{
	/* The kernel fills at most this space, so fds[] cannot overflow. */
	union {
		struct cmsghdr align;
		char space[CMSG_SPACE(KBRT_FDS_MAX * sizeof(int))];
	} control;
	struct iovec iov = { &rt->request, sizeof(rt->request) };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.space,
		.msg_controllen = CMSG_LEN(KBRT_FDS_MAX * sizeof(int)),
	};
	ssize_t n;

	drop_fds(rt);
	do
		n = recvmsg(rt->channel_fd, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return kb_err_sys(err, "cannot receive a request");
	keep_fds(rt, &msg);
	if (n == 0)
		return 0;

	/* Packets keep their borders: a request is whole, or it is none. */
	if (n != sizeof(rt->request) ||
	    msg.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || !makes_sense(rt))
		return kb_err(err, KB_ERR_CORRUPT, "a request makes no sense");
	return (int)rt->request.op;
}

/* The nonce is the request's, so that an answer that a candidate sent ahead of
 * time answers nothing. */
int kbrt_ack(struct kbrt *rt, uint32_t code, struct kb_err *err)
{
	const struct kb_ack ack = {
		.nonce = rt->request.nonce,
		.op = rt->request.op,
		.code = code,
	};
	ssize_t n;

	if (code >= KB_ACK_CODE_COUNT)
		return kb_err(err, KB_ERR_CORRUPT,
			      "a bug of kb: no answer has the number %u", code);
	do
		n = send(rt->channel_fd, &ack, sizeof(ack), MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n != sizeof(ack))
		return kb_err_sys(err, "cannot send an ack");
	return 0;
}

uint32_t kbrt_side(const struct kbrt *rt)
{
	return rt->request.side;
}

uint32_t kbrt_first_slot(const struct kbrt *rt)
{
	return rt->request.first_slot;
}

uint32_t kbrt_slot_count(const struct kbrt *rt)
{
	return rt->request.slot_count;
}

uint32_t kbrt_gate_of_request(const struct kbrt *rt)
{
	return rt->request.gate;
}

bool kbrt_alternate(const struct kbrt *rt)
{
	return rt->request.alternate;
}

uint64_t kbrt_seed_number(const struct kbrt *rt)
{
	uint64_t number = 0;

	if (rt->request.op == KB_OP_RUN && rt->request.gate == KB_GATE_HOST)
		return __atomic_load_n(&rt->control->seed, __ATOMIC_RELAXED);

	for (int i = 7; i >= 0; i--)
		number = number << 8 | rt->request.seed[i];
	return number;
}
