#ifndef KB_TESTS_FAKE_H
#define KB_TESTS_FAKE_H

#include <linux/futex.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "worker/protocol.h"

/*
 * The protocol's other end, for workers that break it: no checks, no
 * library, any failure is the end.
 */

static struct kb_control *control;

/* The next request. The first brings the control page. */
static inline void take(struct kb_request *r)
{
	union {
		char bytes[CMSG_SPACE(16 * sizeof(int))];
		struct cmsghdr align;
	} ancillary;
	struct iovec iov = { .iov_base = r, .iov_len = sizeof(*r) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = ancillary.bytes,
		.msg_controllen = sizeof(ancillary),
	};
	int fd;

	if (recvmsg(KB_CHANNEL_FD, &m, 0) != sizeof(*r))
		_exit(90);
	if (r->op != KB_OP_LOAD || control || !CMSG_FIRSTHDR(&m))
		return;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	control = mmap(NULL, KB_CONTROL_BYTES, PROT_READ | PROT_WRITE,
		       MAP_SHARED, fd, 0);
	if (control == MAP_FAILED)
		_exit(91);
}

static inline void say(const void *data, size_t len)
{
	if (send(KB_CHANNEL_FD, data, len, MSG_NOSIGNAL) != (ssize_t)len)
		_exit(92);
}

static inline void answer(const struct kb_request *r, uint32_t code)
{
	const struct kb_ack ack = {
		.nonce = r->nonce, .op = r->op, .code = code,
	};

	say(&ack, sizeof(ack));
}

/* Answer well up to and with the first `op`. */
static inline void behave_through(struct kb_request *r, uint32_t op)
{
	do {
		take(r);
		answer(r, KB_ACK_OK);
	} while (r->op != op);
}

/* The same, but leave the last to the caller. */
static inline void behave_until(struct kb_request *r, uint32_t op)
{
	for (take(r); r->op != op; take(r))
		answer(r, KB_ACK_OK);
}

static inline void wait_for(uint32_t go)
{
	for (;;) {
		const uint32_t seen = __atomic_load_n(&control->wakes,
						      __ATOMIC_SEQ_CST);

		if (__atomic_load_n(&control->go, __ATOMIC_ACQUIRE) == go)
			break;
		syscall(SYS_futex, &control->wakes, FUTEX_WAIT, seen, NULL,
			NULL, 0);
	}
}

static inline void wait_at_gate(const struct kb_request *r)
{
	wait_for(r->go);
}

/* The supervisor has seen enough of the run. */
static inline void wait_for_release(const struct kb_request *r)
{
	wait_for(r->go + 1);
}

static inline void say_done(const struct kb_request *r)
{
	__atomic_store_n(&control->done, r->go, __ATOMIC_RELEASE);
	syscall(SYS_futex, &control->done, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static inline void __attribute__((noreturn)) sleep_forever(void)
{
	for (;;)
		pause();
}

#endif
