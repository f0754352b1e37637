#ifndef KB_WORKER_LIMIT_H
#define KB_WORKER_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * How long something may take that may have to compile first: `most_ns` in all,
 * and of that `quiet_ns` in which no compiler is seen at work. Whoever waits for
 * it looks for one now and then, and says what was seen; a compiler that was seen
 * counts as at work for a second more, since it waits for files as well.
 *
 * Pure: times are the caller's, by one clock.
 */
struct kb_limit {
	int64_t quiet_ns, most_ns;
	int64_t quiet_until_ns, until_ns;
	int64_t looked_ns, seen_ns;
};

/* A `quiet_ns` of 0, or no less than `most_ns`, is that. */
void kb_limit_begin(struct kb_limit *l, int64_t now_ns, int64_t quiet_ns,
		    int64_t most_ns);

/* Is it time to look? Never where that would change nothing. */
bool kb_limit_wants_look(const struct kb_limit *l, int64_t now_ns);

/* Note what was seen now. Returns by how much that has put off the end of what
 * is quiet. */
int64_t kb_limit_note(struct kb_limit *l, int64_t now_ns, bool compiles);

/* Returns 0, or which of the two limits is over. */
int64_t kb_limit_over_ns(const struct kb_limit *l, int64_t now_ns);

#endif
