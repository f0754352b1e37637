#ifndef KB_TURNS_TRAJECTORY_H
#define KB_TURNS_TRAJECTORY_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/generation.h"

/*
 * The attempts of one sample, turn after turn. Lines are sorted by key, sample
 * and turn, so that they lie together. Pure functions of the lines, by which
 * `kb-verify` finds the same.
 */
struct kb_trajectory {
	const struct kb_generated *lines;	/* borrowed; turns 1, 2, ... */
	size_t count;
};

/* The one that begins at line `i` of `g`, which is less than its lines. */
struct kb_trajectory kb_trajectory_at(const struct kb_generation *g, size_t i);

/* Tokens that its first `count` lines spent. Input and output count alike.
 * KB_UNKNOWN if an answer does not say. */
int64_t kb_trajectory_tokens(const struct kb_trajectory *t, size_t count);

enum kb_ending {
	KB_GOES_ON,
	KB_ENDED_UNANSWERED,		/* no answer came to its last request */
	KB_ENDED_GOAL,			/* reached by some attempt */
	KB_ENDED_TURNS,
	KB_ENDED_TOKENS,		/* spent, or nobody knows how many */
	KB_ENDED_COST,
	KB_ENDING_COUNT,		/* not an ending */
};

extern const char *const kb_endings[KB_ENDING_COUNT];

/*
 * Whether it goes on after its last line, which was judged as `last`; NULL if
 * it was not. The first of these that holds, in their order.
 */
enum kb_ending kb_trajectory_ending(const struct kb_trajectory *t,
				    const struct kb_judged *last,
				    const struct kb_asked *asked);

/* Whether an attempt that was judged so reaches the goal. */
bool kb_goal_reached(const struct kb_goal *goal, const struct kb_judged *j);

/*
 * The best of its attempts, by the rule "best-1": correct ones before others,
 * of these the one with the greatest speedup over its baseline, and the first
 * of equals; one without a time after those with one. If none is correct: the
 * last one that compiled; else the last one with code; else the last one with
 * an answer. NULL if there is no answer.
 */
const struct kb_generated *kb_trajectory_best(const struct kb_trajectory *t);

#endif
