#ifndef KB_CREW_SCREEN_SHARE_H
#define KB_CREW_SCREEN_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Does a screen pay? Every candidate costs 0.3 to 0.5 s of the device in a screen, by
 * eight and four lanes, and one that fails by its code costs 3 s alone (Triton answers
 * on an H200). So a screen pays while one in six to ten candidates ends there. They
 * fail in runs: 51 of 100 did of a folder, and 5 of 16 in a row of it. So a run begins
 * to screen when more than a quarter of the last 32 candidates, and of 4 at least,
 * ended by their code. It stops when none of the first 4 did, or less than an eighth
 * of the last 32, and of 8 at least.
 */
struct kb_screen_share {
	uint32_t ended;			/* a bit for each, the last one lowest */
	int count;			/* of bits that count, at most 32 */
};

void kb_screen_share_add(struct kb_screen_share *s, bool has_ended);
bool kb_screen_share_pays(const struct kb_screen_share *s, bool is_screening);

#endif
