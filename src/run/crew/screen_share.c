#include "crew/screen_share.h"

/* All bits of `ended`. */
#define LAST 32
#define FEWEST 4

void kb_screen_share_add(struct kb_screen_share *s, bool has_ended)
{
	s->ended = s->ended << 1 | has_ended;
	s->count += s->count < LAST;
}

bool kb_screen_share_pays(const struct kb_screen_share *s, bool is_screening)
{
	const int ended = __builtin_popcount(s->ended);

	if (is_screening && s->count < 2 * FEWEST)
		return s->count < FEWEST || ended;
	if (is_screening)
		return 8 * ended >= s->count;
	return s->count >= FEWEST && 4 * ended > s->count;
}
