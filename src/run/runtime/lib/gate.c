/* The gate on the host, and what is said when the calls are done. */

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "cuda/patience.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

/* Not FUTEX_PRIVATE: the other end is another process. */
static void call_futex(uint32_t *word, int op, uint32_t value,
		       const struct timespec *timeout)
{
	/* Spurious returns, signals and time-outs all end in another look
	 * at the word, so the result has nothing to say. */
	(void)syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

/* A supervisor that has died opens no gate. */
static int check_supervisor(const struct kbrt *rt, struct kb_err *err)
{
	struct pollfd channel = { .fd = rt->channel_fd };

	if (poll(&channel, 1, 0) > 0)
		return kb_err(err, KB_ERR_CORRUPT, "the supervisor is gone");
	return 0;
}

/* Is `go` `ahead` of that of the request, or further? Who was stopped, or
 * waits on the device, does not see every value. */
static bool is_ahead(const struct kbrt *rt, uint32_t go, int32_t ahead)
{
	return (int32_t)(go - rt->request.go) >= ahead;
}

/* A device's calls take microseconds and a wake-up takes tens of them, and a
 * device that opens a gate wakes nobody: there the gate is watched for as
 * long as it takes to copy inputs in, or looked at as often as kb_patience
 * says. */
#define WATCH_LOOKS 200000000u

static bool watch_supervisor(const struct kbrt *rt)
{
	const uint32_t *go = &rt->control->go;
	const uint32_t looks = kbrt_has_device(rt) && !kb_patience.look_ns
		? WATCH_LOOKS : 0;

	for (uint32_t i = 0; i < looks; i++)
		if (is_ahead(rt, __atomic_load_n(go, __ATOMIC_ACQUIRE), 0))
			return true;
	return false;
}

/* Sleep until `go` is `ahead`; if `watches`, awake between two sleeps. Whoever
 * changes `wakes` after it was read here ends the sleep, or does not let it
 * begin. */
static int wait_until(const struct kbrt *rt, int32_t ahead, bool watches,
		      struct kb_err *err)
{
	const bool sleeps = watches && kbrt_has_device(rt) &&
			    kb_patience.look_ns;
	const struct timespec look = {
		.tv_sec = !sleeps, .tv_nsec = sleeps ? kb_patience.look_ns : 0,
	};
	uint32_t *wakes = &rt->control->wakes;

	for (;;) {
		const uint32_t seen = __atomic_load_n(wakes, __ATOMIC_SEQ_CST);
		int ret;

		if (watches && watch_supervisor(rt))
			return 0;
		if (is_ahead(rt, __atomic_load_n(&rt->control->go,
						 __ATOMIC_ACQUIRE), ahead))
			return 0;
		ret = check_supervisor(rt, err);
		if (ret < 0)
			return ret;
		call_futex(wakes, FUTEX_WAIT, seen, &look);
	}
}

int kbrt_gate_wait(struct kbrt *rt, struct kb_err *err)
{
	return wait_until(rt, 0, true, err);
}

static void say_done(const struct kbrt *rt, uint32_t rank)
{
	uint32_t *word = kb_control_word(rt->control, rank);

	__atomic_store_n(word, rt->request.go, __ATOMIC_RELEASE);
	call_futex(word, FUTEX_WAKE, INT_MAX, NULL);
}

void kbrt_gate_done(struct kbrt *rt)
{
	say_done(rt, rt->rank);
}

/* Other ranks may wait for this one, and for ever. */
void kbrt_gate_failed(struct kbrt *rt)
{
	for (uint32_t i = 0; i < rt->rank_count; i++)
		say_done(rt, i);
}

void kbrt_compiling(struct kbrt *rt, bool is_at_work)
{
	__atomic_store_n(&rt->control->compiles, is_at_work, __ATOMIC_RELAXED);
}

int kbrt_gate_wait_release(struct kbrt *rt, struct kb_err *err)
{
	return wait_until(rt, 1, false, err);
}
