#ifndef KB_MEASURE_DEVICE_HEADROOM_H
#define KB_MEASURE_DEVICE_HEADROOM_H

#include <stdbool.h>
#include <stdint.h>

struct kb_bench;
struct kb_err;
struct kb_output_pool;

/*
 * The memory of a CUDA device around one candidate. Nothing limits what a process
 * takes there; but what the supervisor and the reference need and do not get
 * because a candidate has it, it pays for, and nobody else does. Free memory is
 * asked for before a candidate is loaded, when something went wrong, and when it
 * is gone: never while a clock runs.
 */
struct kb_device_headroom {
	uint64_t free_bytes;		/* before it is loaded */
	uint64_t own_bytes;		/* the supervisor's then, see below */
};

/* Record free device memory after the candidate's output pool is allocated and
 * before its code is loaded. Fails with KB_ERR_DEVICE. */
int kb_device_headroom_note(struct kb_device_headroom *r, const struct kb_bench *b,
			const struct kb_output_pool *pool, struct kb_err *err);

/*
 * How much is free and how much less that is than it was, beside what the
 * supervisor has come to have for slots and the pool. Fails with KB_ERR_DEVICE.
 */
struct kb_device_taken {
	uint64_t taken_bytes, free_bytes;
};

int kb_device_headroom_look(struct kb_device_taken *out,
			const struct kb_device_headroom *r,
			const struct kb_bench *b,
			const struct kb_output_pool *pool, struct kb_err *err);

/*
 * The candidate is gone, and so is its pool: wait until its memory is given back,
 * but for one part in KB_GIVEN_BACK_SHARE of all there is, which the reference may
 * have come to need meanwhile. Returns 1; 0 if kb_patience ends before that; or
 * fails with KB_ERR_DEVICE.
 */
#define KB_GIVEN_BACK_SHARE 16
int kb_device_headroom_await(const struct kb_device_headroom *r,
			 const struct kb_bench *b, struct kb_err *err);

#endif
