#include "json/pool.h"

#include <stdalign.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "json/json.h"

/* A line of a record, with a node for each value, fits the first block; what
 * is larger gets blocks of its own size, or twice the last. */
#define FIRST_BYTES 65536

struct block {
	struct block *next;		/* older, and smaller or full */
	size_t size, used;		/* bytes of `data` */
	alignas(max_align_t) char data[];
};

struct kb_json_pool {
	struct block *blocks;		/* the one with room first; never NULL */
};

static struct block *block_new(size_t size, struct block *next)
{
	struct block *b = kb_xmalloc(sizeof(*b) + size);

	b->next = next;
	b->size = size;
	b->used = 0;
	return b;
}

struct kb_json_pool *kb_json_pool_new(void)
{
	struct kb_json_pool *pool = kb_xmalloc(sizeof(*pool));

	pool->blocks = block_new(FIRST_BYTES, NULL);
	return pool;
}

/* All but the oldest. */
static void free_blocks(struct kb_json_pool *pool)
{
	while (pool->blocks->next) {
		struct block *b = pool->blocks;

		pool->blocks = b->next;
		free(b);
	}
}

void kb_json_pool_free(struct kb_json_pool *pool)
{
	if (!pool)
		return;
	free_blocks(pool);
	free(pool->blocks);
	free(pool);
}

/* The first block stays: lines are alike in size, and the next one fits it. */
void kb_json_pool_reset(struct kb_json_pool *pool)
{
	free_blocks(pool);
	pool->blocks->used = 0;
}

static size_t aligned_bytes(size_t size)
{
	const size_t unit = alignof(max_align_t);

	return (size + unit - 1) / unit * unit;
}

void *kb_json_pool_take(struct kb_json_pool *pool, size_t size)
{
	struct block *b = pool->blocks;
	void *taken;

	size = aligned_bytes(size);
	if (size > b->size - b->used) {
		b = block_new(size > 2 * b->size ? size : 2 * b->size, b);
		pool->blocks = b;
	}
	taken = b->data + b->used;
	b->used += size;
	return taken;
}
