#include "runtime/lib/heap.h"

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

struct kbrt_heap {
	pthread_mutex_t mutex;
	uint64_t base;
	uint32_t count;
	uint32_t taken, peak;		/* pages: now, and ever */
	struct page *pages;
};

#define COUNT_MAX INT32_MAX

struct kbrt_heap *kbrt_heap_new(uint64_t base, uint64_t bytes)
{
	struct kbrt_heap *h = kb_xcalloc(1, sizeof(*h));

	if (!base || bytes / KB_PAGE_BYTES > COUNT_MAX)
		KB_BUG("a heap makes no sense");
	pthread_mutex_init(&h->mutex, NULL);
	h->base = base;
	h->count = (uint32_t)(bytes / KB_PAGE_BYTES);
	h->pages = kb_xcalloc(h->count + (size_t)1, sizeof(*h->pages));
	h->pages[0].count = h->count;
	return h;
}

void kbrt_heap_delete(struct kbrt_heap *h)
{
	if (!h)
		return;
	pthread_mutex_destroy(&h->mutex);
	free(h->pages);
	free(h);
}

/* Take the first `want` pages of a free block. */
static void split(struct kbrt_heap *h, uint32_t at, uint32_t want)
{
	struct page *block = &h->pages[at];

	if (block->count > want)
		h->pages[at + want] = (struct page){
			.count = block->count - want,
		};
	*block = (struct page){ .count = want, .taken = 1 };
}

static uint64_t take(struct kbrt_heap *h, uint32_t want)
{
	for (uint32_t at = 0; at < h->count; at += h->pages[at].count) {
		if (h->pages[at].taken || h->pages[at].count < want)
			continue;
		split(h, at, want);
		h->taken += want;
		if (h->taken > h->peak)
			h->peak = h->taken;
		return h->base + at * KB_PAGE_BYTES;
	}
	return 0;
}

uint64_t kbrt_heap_take(struct kbrt_heap *h, uint64_t bytes)
{
	const uint64_t want = bytes / KB_PAGE_BYTES +
			      (bytes % KB_PAGE_BYTES || !bytes);
	uint64_t address;

	if (want > h->count)
		return 0;
	pthread_mutex_lock(&h->mutex);
	address = take(h, (uint32_t)want);
	pthread_mutex_unlock(&h->mutex);
	return address;
}

/* Make one of a block and the next, if both are free. */
static void join(struct kbrt_heap *h, uint32_t at)
{
	const uint32_t next = at + h->pages[at].count;

	if (next < h->count && !h->pages[at].taken && !h->pages[next].taken)
		h->pages[at].count += h->pages[next].count;
}

static void give(struct kbrt_heap *h, uint32_t page)
{
	uint32_t before = 0, at = 0;

	while (at < page) {
		before = at;
		at += h->pages[at].count;
	}
	if (at != page || !h->pages[at].taken)
		return;
	h->pages[at].taken = 0;
	h->taken -= h->pages[at].count;
	join(h, at);
	join(h, before);
}

void kbrt_heap_give(struct kbrt_heap *h, uint64_t address)
{
	const uint64_t page = (address - h->base) / KB_PAGE_BYTES;

	if ((address - h->base) % KB_PAGE_BYTES || page >= h->count)
		return;
	pthread_mutex_lock(&h->mutex);
	give(h, (uint32_t)page);
	pthread_mutex_unlock(&h->mutex);
}

uint64_t kbrt_heap_peak_bytes(struct kbrt_heap *h)
{
	uint64_t peak;

	pthread_mutex_lock(&h->mutex);
	peak = h->peak;
	pthread_mutex_unlock(&h->mutex);
	return peak * KB_PAGE_BYTES;
}
