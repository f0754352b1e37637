#include "cuda/patience.h"

#include "base/clock.h"

/* A time slice of an H200 is 2 ms long. */
const struct kb_patience kb_patience = {
	.hold_ns = 2 * KB_NS_PER_MS,
	.give_back_ns = 10 * KB_NS_PER_S,
	.queue_ns = 50 * KB_NS_PER_MS,
	.look_ns = 0,
};
