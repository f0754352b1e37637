#include "session/done.h"

#include <stdlib.h>

#include "base/alloc.h"

#define SLOTS_MIN 64

/* Never 0, since levels begin with 1. */
static uint64_t number_of(struct kb_key key, int sample_id)
{
	return ((uint64_t)key.level * (KB_PROBLEM_ID_MAX + 1) +
		(uint64_t)key.problem_id) * (KB_SAMPLE_ID_MAX + 1) +
	       (uint64_t)sample_id;
}

/* Where `number` is, or would be. Multiplied by the golden ratio numbers that
 * follow each other are far apart; the upper bits depend on all of them. */
static size_t slot_of(const struct kb_done *d, uint64_t number)
{
	size_t slot = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
		      (d->slot_count - 1);

	while (d->slots[slot] && d->slots[slot] != number)
		slot = (slot + 1) & (d->slot_count - 1);
	return slot;
}

static void grow_slots(struct kb_done *d)
{
	const struct kb_done old = *d;

	d->slot_count = old.slot_count ? 2 * old.slot_count : SLOTS_MIN;
	d->slots = kb_xcalloc(d->slot_count, sizeof(*d->slots));
	for (size_t i = 0; i < old.slot_count; i++)
		if (old.slots[i])
			d->slots[slot_of(d, old.slots[i])] = old.slots[i];
	free(old.slots);
}

bool kb_done_add(struct kb_done *d, struct kb_key key, int sample_id)
{
	const uint64_t number = number_of(key, sample_id);
	size_t slot;

	/* At most half full: a search ends at an empty slot, so that there must
	 * be one. */
	if (2 * (d->count + 1) > d->slot_count)
		grow_slots(d);
	slot = slot_of(d, number);
	if (d->slots[slot])
		return false;
	d->slots[slot] = number;
	d->count++;
	return true;
}

bool kb_done_has(const struct kb_done *d, struct kb_key key, int sample_id)
{
	return d->count && d->slots[slot_of(d, number_of(key, sample_id))];
}

void kb_done_release(struct kb_done *d)
{
	free(d->slots);
	*d = (struct kb_done)KB_DONE_INIT;
}
