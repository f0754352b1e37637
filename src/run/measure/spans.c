#include "measure/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* The first span that ends at `address` or after it. */
static size_t first_reaching(const struct kb_spans *s, uint64_t address)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (s->items[middle].end < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void kb_spans_add(struct kb_spans *s, uint64_t start, uint64_t bytes)
{
	struct kb_span new = { start, start + bytes };
	const size_t at = first_reaching(s, start);
	size_t after = at;

	if (!bytes)
		return;
	for (; after < s->count && s->items[after].start <= new.end; after++) {
		if (s->items[after].start < new.start)
			new.start = s->items[after].start;
		if (s->items[after].end > new.end)
			new.end = s->items[after].end;
	}
	s->items = kb_grow(s->items, s->count, &s->capacity,
			   sizeof(*s->items));
	memmove(s->items + at + 1, s->items + after,
		(s->count - after) * sizeof(*s->items));
	s->items[at] = new;
	s->count = s->count - after + at + 1;
}

bool kb_spans_have(const struct kb_spans *s, uint64_t start, uint64_t bytes)
{
	size_t at;

	if (!bytes)
		return true;
	at = first_reaching(s, start + 1);
	return at < s->count && s->items[at].start <= start &&
	       s->items[at].end >= start + bytes;
}

void kb_spans_release(struct kb_spans *s)
{
	free(s->items);
	*s = (struct kb_spans){ .items = NULL };
}
