#ifndef KB_CUDA_PATIENCE_H
#define KB_CUDA_PATIENCE_H

#include <stdint.h>
#include <time.h>

/*
 * For how long a run on a CUDA device bears with its host or its driver, beside
 * what the calls themselves take. Who shares processors with the device is linked
 * with more: a stand-in for one, in tests/fake-cuda.
 */
struct kb_patience {
	int64_t hold_ns;	/* to stop a process while the device is held,
				   see kb_cuda_mark_submit() */
	int64_t give_back_ns;	/* until what an ended process had is given
				   back; then it never is */
	int64_t queue_ns;	/* to queue a batch behind a gate: one that
				   does not fit the queue wastes all of it */
	int64_t look_ns;	/* to sleep between two looks at a word that a
				   device writes, less than a second; 0 spins */
};

extern const struct kb_patience kb_patience;

/* Between two looks: spin or sleep. */
static inline void kb_patience_look(void)
{
	const struct timespec look = { .tv_nsec = kb_patience.look_ns };

	if (look.tv_nsec)
		(void)nanosleep(&look, NULL);
}

#endif
