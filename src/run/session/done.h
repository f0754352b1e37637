#ifndef KB_SESSION_DONE_H
#define KB_SESSION_DONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"

/*
 * Which samples of which problems a run has results of: what its journal had
 * when it went on, and what it did since. A run asks once for each candidate,
 * so that both take the same time however many there are.
 */
struct kb_done {
	uint64_t *slots;		/* owned; 0: nothing there */
	size_t slot_count;		/* a power of two, or 0 */
	size_t count;
};

#define KB_DONE_INIT { .slots = NULL }

/* False if it was there already. Problems without samples have number 0. */
bool kb_done_add(struct kb_done *d, struct kb_key key, int sample_id);

bool kb_done_has(const struct kb_done *d, struct kb_key key, int sample_id);

void kb_done_release(struct kb_done *d);

static inline void kb_cleanup_done(struct kb_done *d)
{
	kb_done_release(d);
}

#endif
