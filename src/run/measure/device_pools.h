#ifndef KB_MEASURE_DEVICE_POOLS_H
#define KB_MEASURE_DEVICE_POOLS_H

#include <stdint.h>

struct kb_bench;
struct kb_err;
struct kb_output_pool;
struct kb_source;

/*
 * How large the output pools of a bench on a CUDA device are: each side's of
 * the policy's size, unless there is no room for that, or a call needs more and
 * there is. Code that is not torch's leaves nothing in a pool, but needs the
 * pool's table. Functions that look at the device fail with KB_ERR_DEVICE.
 */

/* The reference's, whose problem is known. */
uint64_t kb_pools_reference_bytes(const struct kb_bench *b);

/* A candidate's with the code `code`, beside a reference that is warm. */
int kb_pools_candidate_bytes(uint64_t *bytes, const struct kb_bench *b,
			     const struct kb_source *code, struct kb_err *err);

/*
 * The reference's pool was too small for a call, and no candidate is there.
 * `b->pool_bytes` gets the size that it may have when the reference is started
 * anew: half of what will be left, so that a candidate can have as much; or 0, if
 * that is not notably more.
 */
int kb_pools_grow_reference(struct kb_bench *b, struct kb_err *err);

/*
 * A candidate's pool of `had_bytes` was too small; the candidate is gone, and
 * had `beside_bytes` of the device beside it. `b->pool_bytes` gets the size that
 * the pool may have instead: all that is left, but for as much beside it; or 0,
 * if that is not notably more.
 */
int kb_pools_grow_candidate(struct kb_bench *b, uint64_t had_bytes,
			    uint64_t beside_bytes, struct kb_err *err);

/* The recorded size of a pool that `code` has or has had: its size, or 0 where
 * the policy tells it, where there is none, or nothing in it. */
int64_t kb_pools_told_bytes(const struct kb_bench *b,
			    const struct kb_source *code,
			    const struct kb_output_pool *pool);

#endif
