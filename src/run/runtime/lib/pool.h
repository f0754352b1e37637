#ifndef KB_RUNTIME_LIB_POOL_H
#define KB_RUNTIME_LIB_POOL_H

#include <stdint.h>

/*
 * An allocator of addresses: parts of a range that somebody else has, in
 * pages of KB_PAGE_BYTES. What it hands out it never touches, so the range
 * may be a device's. First fit; what is given back joins its neighbours.
 * Functions may be called by several threads.
 */
struct kbrt_pool;

/* The range from `base`, not 0, on: whole pages of it, fewer than 2^31. Out
 * of memory aborts. */
struct kbrt_pool *kbrt_pool_new(uint64_t base, uint64_t bytes);
void kbrt_pool_delete(struct kbrt_pool *pool);	/* NULL is allowed */

/* Returns an address that is a multiple of KB_PAGE_BYTES from `base`, or 0
 * if no gap is that large. No bytes at all are one page. */
uint64_t kbrt_pool_take(struct kbrt_pool *pool, uint64_t bytes);

/* Ignores an address that was not taken. */
void kbrt_pool_give(struct kbrt_pool *pool, uint64_t address);

/* The most that was ever taken at a time. */
uint64_t kbrt_pool_peak_bytes(struct kbrt_pool *pool);

#endif
