#ifndef KB_MEASURE_SPANS_H
#define KB_MEASURE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A set of addresses, as spans that are sorted and neither touch nor overlap.
 * A span ends before `end`.
 */
struct kb_span {
	uint64_t start, end;
};

struct kb_spans {
	struct kb_span *items;		/* owned */
	size_t count, capacity;
};

/* Add `bytes` from `start` on; no bytes add nothing. The sum is no more than
 * UINT64_MAX. */
void kb_spans_add(struct kb_spans *s, uint64_t start, uint64_t bytes);

/* Are all of them in the set? No bytes always are. */
bool kb_spans_have(const struct kb_spans *s, uint64_t start, uint64_t bytes);

/* Back to the empty set, which `{ .items = NULL }` is. */
void kb_spans_release(struct kb_spans *s);

#endif
