#include "runtime/lib/pool.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "worker/protocol.h"

/*
 * The range is a row of blocks, each taken or free, no two free ones side
 * by side. pages[p] counts if a block starts at page p.
 */
struct page {
	uint32_t count : 31;		/* of the block's pages */
	uint32_t taken : 1;
};

struct kbrt_pool {
	pthread_mutex_t mutex;
	uint64_t base;
	uint32_t count;
	uint32_t taken, peak;		/* pages: now, and ever */
	struct page *pages;
};

#define COUNT_MAX INT32_MAX

struct kbrt_pool *kbrt_pool_new(uint64_t base, uint64_t bytes)
{
	struct kbrt_pool *pool = kb_xcalloc(1, sizeof(*pool));

	if (!base || bytes / KB_PAGE_BYTES > COUNT_MAX)
		KB_BUG("a pool makes no sense");
	pthread_mutex_init(&pool->mutex, NULL);
	pool->base = base;
	pool->count = (uint32_t)(bytes / KB_PAGE_BYTES);
	pool->pages = kb_xcalloc(pool->count + (size_t)1, sizeof(*pool->pages));
	pool->pages[0].count = pool->count;
	return pool;
}

void kbrt_pool_delete(struct kbrt_pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_destroy(&pool->mutex);
	free(pool->pages);
	free(pool);
}

/* Take the first `want` pages of a free block. */
static void split_block(struct kbrt_pool *pool, uint32_t at, uint32_t want)
{
	struct page *block = &pool->pages[at];

	if (block->count > want)
		pool->pages[at + want] = (struct page){
			.count = block->count - want,
		};
	*block = (struct page){ .count = want, .taken = 1 };
}

static uint64_t take_block(struct kbrt_pool *pool, uint32_t want)
{
	for (uint32_t at = 0; at < pool->count; at += pool->pages[at].count) {
		if (pool->pages[at].taken || pool->pages[at].count < want)
			continue;
		split_block(pool, at, want);
		pool->taken += want;
		if (pool->taken > pool->peak)
			pool->peak = pool->taken;
		return pool->base + at * KB_PAGE_BYTES;
	}
	return 0;
}

uint64_t kbrt_pool_take(struct kbrt_pool *pool, uint64_t bytes)
{
	const uint64_t want = bytes / KB_PAGE_BYTES +
			      (bytes % KB_PAGE_BYTES || !bytes);
	uint64_t address;

	if (want > pool->count)
		return 0;
	pthread_mutex_lock(&pool->mutex);
	address = take_block(pool, (uint32_t)want);
	pthread_mutex_unlock(&pool->mutex);
	return address;
}

/* Make one of a block and the next, if both are free. */
static void join_blocks(struct kbrt_pool *pool, uint32_t at)
{
	const uint32_t next = at + pool->pages[at].count;

	if (next < pool->count && !pool->pages[at].taken &&
	    !pool->pages[next].taken)
		pool->pages[at].count += pool->pages[next].count;
}

static void give_block(struct kbrt_pool *pool, uint32_t page)
{
	uint32_t before = 0, at = 0;

	while (at < page) {
		before = at;
		at += pool->pages[at].count;
	}
	if (at != page || !pool->pages[at].taken)
		return;
	pool->pages[at].taken = 0;
	pool->taken -= pool->pages[at].count;
	join_blocks(pool, at);
	join_blocks(pool, before);
}

void kbrt_pool_give(struct kbrt_pool *pool, uint64_t address)
{
	const uint64_t page = (address - pool->base) / KB_PAGE_BYTES;

	if ((address - pool->base) % KB_PAGE_BYTES || page >= pool->count)
		return;
	pthread_mutex_lock(&pool->mutex);
	give_block(pool, (uint32_t)page);
	pthread_mutex_unlock(&pool->mutex);
}

uint64_t kbrt_pool_peak_bytes(struct kbrt_pool *pool)
{
	uint64_t peak;

	pthread_mutex_lock(&pool->mutex);
	peak = pool->peak;
	pthread_mutex_unlock(&pool->mutex);
	return peak * KB_PAGE_BYTES;
}
