#include "cli/time_left.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/clock.h"

#define ITEMS_MIN 6

void kb_time_left_release(struct kb_time_left *t)
{
	free(t->done_ns);
	*t = (struct kb_time_left)KB_TIME_LEFT_INIT;
}

void kb_time_left_begin(struct kb_time_left *t, int64_t now_ns)
{
	if (!t->begun_ns)
		t->begun_ns = now_ns;
}

void kb_time_left_add(struct kb_time_left *t, int64_t now_ns)
{
	kb_time_left_begin(t, now_ns);
	t->done_ns = kb_grow(t->done_ns, t->count, &t->capacity,
			     sizeof(*t->done_ns));
	t->done_ns[t->count++] = now_ns;
}

/* If the rest goes as the items since `since_ns` did, up to now: an item that
 * takes long counts while it does. */
static int64_t guess_ns(int64_t since_ns, int64_t now_ns, size_t items,
			size_t left)
{
	return (int64_t)((double)(now_ns - since_ns) / (double)items *
			 (double)left);
}

int64_t kb_time_left_ns(const struct kb_time_left *t, int64_t now_ns,
			size_t left)
{
	const size_t half = t->count / 2;
	int64_t whole_ns, late_ns;

	if (t->count < ITEMS_MIN)
		return KB_TIME_LEFT_UNKNOWN;
	whole_ns = guess_ns(t->begun_ns, now_ns, t->count, left);
	late_ns = guess_ns(t->done_ns[half - 1], now_ns, t->count - half, left);
	if (whole_ns > late_ns + late_ns / 2 || late_ns > whole_ns + whole_ns / 2)
		return KB_TIME_LEFT_UNKNOWN;
	return (whole_ns + late_ns) / 2;
}

void kb_time_left_format(char out[KB_TIME_LEFT_SIZE], int64_t left_ns)
{
	const int64_t s = left_ns / KB_NS_PER_S;

	if (s < 10)
		snprintf(out, KB_TIME_LEFT_SIZE, "%" PRId64 " s", s);
	else if (s < 90)
		snprintf(out, KB_TIME_LEFT_SIZE, "%" PRId64 " s",
			 (s + 5) / 10 * 10);
	else if (s < 90 * 60)
		snprintf(out, KB_TIME_LEFT_SIZE, "%" PRId64 " min",
			 (s + 30) / 60);
	else
		snprintf(out, KB_TIME_LEFT_SIZE, "%" PRId64 " h",
			 (s + 1800) / 3600);
}
