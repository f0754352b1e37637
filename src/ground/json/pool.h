#ifndef KB_JSON_POOL_H
#define KB_JSON_POOL_H

#include <stddef.h>

/*
 * Memory that is given back all at once; for this room alone, but for its
 * making and freeing, which are in json.h. What it took from the system it
 * keeps for the next use, up to a block.
 */
struct kb_json_pool;

/* Aligned for anything, not cleared, and there until the next reset. */
void *kb_json_pool_take(struct kb_json_pool *pool, size_t size);

void kb_json_pool_reset(struct kb_json_pool *pool);

#endif
