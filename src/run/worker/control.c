#include "worker/control.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

int kb_control_make(struct kb_control **out, int *fd, struct kb_err *err)
{
	void *page;

	*fd = memfd_create("kb-control", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0 || ftruncate(*fd, KB_CONTROL_BYTES) < 0 ||
	    fcntl(*fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot make a shared page");
	page = mmap(NULL, KB_CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
		    *fd, 0);
	if (page == MAP_FAILED)
		return kb_err_sys(err, "cannot map a shared page");
	*out = page;
	return 0;
}

void kb_control_unmap(struct kb_control *c)
{
	if (c)
		munmap(c, KB_CONTROL_BYTES);
}

/* Not FUTEX_PRIVATE: the other end is another process. */
static void call_futex(uint32_t *word, int op, uint32_t value,
		       const struct timespec *timeout)
{
	/* A wait may end for any reason: who waits looks again. */
	(void)syscall(SYS_futex, word, op, value, timeout, NULL, 0);
}

void kb_control_set_go(struct kb_control *c, uint32_t go)
{
	__atomic_store_n(&c->go, go, __ATOMIC_RELEASE);
}

void kb_control_set_seed(struct kb_control *c, uint64_t seed)
{
	__atomic_store_n(&c->seed, seed, __ATOMIC_RELAXED);
}

void kb_control_wake(struct kb_control *c)
{
	__atomic_fetch_add(&c->wakes, 1, __ATOMIC_SEQ_CST);
	call_futex(&c->wakes, FUTEX_WAKE, INT_MAX, NULL);
}

/* The word of the first rank that is not done, and its value; or NULL. */
static uint32_t *find_undone(struct kb_control *c, uint32_t go, uint32_t ranks,
			     uint32_t *says)
{
	for (uint32_t i = 0; i < ranks; i++) {
		uint32_t *word = kb_control_word(c, i);

		*says = __atomic_load_n(word, __ATOMIC_ACQUIRE);
		if (*says != go)
			return word;
	}
	return NULL;
}

bool kb_control_is_done(struct kb_control *c, uint32_t go, uint32_t ranks)
{
	uint32_t says;

	return !find_undone(c, go, ranks, &says);
}

int kb_control_late_rank(struct kb_control *c, uint32_t go, uint32_t ranks)
{
	int late = -1;

	for (uint32_t i = 0; i < ranks; i++) {
		if (__atomic_load_n(kb_control_word(c, i),
				    __ATOMIC_ACQUIRE) == go)
			continue;
		if (late >= 0)
			return -1;
		late = (int)i;
	}
	return late;
}

void kb_control_set_done(struct kb_control *c, uint32_t go)
{
	for (uint32_t i = 0; i < KB_RANKS_MAX; i++)
		__atomic_store_n(kb_control_word(c, i), go, __ATOMIC_RELEASE);
}

bool kb_control_compiles(const struct kb_control *c)
{
	return __atomic_load_n(&c->compiles, __ATOMIC_RELAXED);
}

void kb_control_await_done(struct kb_control *c, uint32_t go, uint32_t ranks,
			   int64_t timeout_ns)
{
	const struct timespec timeout = {
		.tv_sec = timeout_ns / KB_NS_PER_S,
		.tv_nsec = timeout_ns % KB_NS_PER_S,
	};
	uint32_t says;
	uint32_t *undone = find_undone(c, go, ranks, &says);

	if (undone)
		call_futex(undone, FUTEX_WAIT, says, &timeout);
}
