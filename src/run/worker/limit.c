#include "worker/limit.h"

#include "base/clock.h"

#define LOOK_NS (100 * KB_NS_PER_MS)
#define SEEN_NS KB_NS_PER_S

void kb_limit_begin(struct kb_limit *l, int64_t now_ns, int64_t quiet_ns,
		    int64_t most_ns)
{
	if (quiet_ns <= 0 || quiet_ns > most_ns)
		quiet_ns = most_ns;
	*l = (struct kb_limit){
		.quiet_ns = quiet_ns, .most_ns = most_ns,
		.quiet_until_ns = now_ns + quiet_ns,
		.until_ns = now_ns + most_ns,
		.looked_ns = now_ns, .seen_ns = now_ns - SEEN_NS,
	};
}

bool kb_limit_wants_look(const struct kb_limit *l, int64_t now_ns)
{
	return l->quiet_ns < l->most_ns && now_ns - l->looked_ns >= LOOK_NS;
}

int64_t kb_limit_note(struct kb_limit *l, int64_t now_ns, bool compiles)
{
	const int64_t passed_ns = now_ns - l->looked_ns;

	l->looked_ns = now_ns;
	if (compiles)
		l->seen_ns = now_ns;
	if (now_ns - l->seen_ns >= SEEN_NS)
		return 0;
	l->quiet_until_ns += passed_ns;
	return passed_ns;
}

int64_t kb_limit_over_ns(const struct kb_limit *l, int64_t now_ns)
{
	if (now_ns >= l->until_ns)
		return l->most_ns;
	return now_ns >= l->quiet_until_ns ? l->quiet_ns : 0;
}
