#ifndef KB_BASE_CLOCK_H
#define KB_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

#define KB_NS_PER_MS INT64_C(1000000)
#define KB_NS_PER_S INT64_C(1000000000)

/*
 * CLOCK_MONOTONIC in nanoseconds: the one clock of all timing and all
 * deadlines. It has no relation to the time of day.
 */
static inline int64_t kb_clock_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * KB_NS_PER_S + t.tv_nsec;
}

/* Milliseconds until `deadline_ns`, for poll(2): rounded up, at least 0. */
static inline int kb_clock_poll_ms(int64_t deadline_ns)
{
	int64_t left_ns = deadline_ns - kb_clock_ns();

	if (left_ns <= 0)
		return 0;
	if (left_ns > 3600 * KB_NS_PER_S)
		return 3600 * 1000;
	return (int)((left_ns + KB_NS_PER_MS - 1) / KB_NS_PER_MS);
}

#endif
