#ifndef KB_CREW_SCREEN_SHARE_H
#define KB_CREW_SCREEN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Does a screen pay? A candidate costs about a quarter of the time in a screen that it
 * costs alone. A candidate that passes the screen costs both. So a run begins to
 * screen when more than half of the last 16 candidates, and of 4 at least, ended by
 * their code. It stops when none of the first 4 did, or less than a third of the
 * last 16, and of 8 at least.
 */
struct kb_screen_share {
	uint32_t ended;			/* a bit for each, the last one lowest */
	int count;			/* of bits that count, at most 16 */
};

void kb_screen_share_add(struct kb_screen_share *s, bool has_ended);
bool kb_screen_share_pays(const struct kb_screen_share *s, bool is_screening);

#endif
