#ifndef KB_RUNTIME_LIB_HEAP_H
#define KB_RUNTIME_LIB_HEAP_H

#include <stdint.h>

/*
 * An allocator of addresses: parts of a range that somebody else has, in
 * pages of KB_PAGE_BYTES. What it hands out it never touches, so the range
 * may be a device's. First fit; what is given back joins its neighbours.
 * Functions may be called by several threads.
 */
struct kbrt_heap;

/* The range from `base`, not 0, on: whole pages of it, fewer than 2^31. Out
 * of memory aborts. */
struct kbrt_heap *kbrt_heap_new(uint64_t base, uint64_t bytes);
void kbrt_heap_delete(struct kbrt_heap *h);	/* NULL is allowed */

/* Returns an address that is a multiple of KB_PAGE_BYTES from `base`, or 0
 * if no gap is that large. No bytes at all are one page. */
uint64_t kbrt_heap_take(struct kbrt_heap *h, uint64_t bytes);

/* What is not an address that was taken is passed over. */
void kbrt_heap_give(struct kbrt_heap *h, uint64_t address);

/* The most that was ever taken at a time. */
uint64_t kbrt_heap_peak_bytes(struct kbrt_heap *h);

#endif
