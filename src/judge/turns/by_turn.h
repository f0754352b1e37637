#ifndef KB_TURNS_BY_TURN_H
#define KB_TURNS_BY_TURN_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/metrics.h"

struct kb_generation;

/*
 * The results of a refinement within so many turns, or so many tokens of each
 * sample: of all samples, those of which some attempt by then compiled, was
 * correct, or was faster than p times what it is compared with. Pure functions
 * of a generation's lines: times are those that attempts were judged by in
 * their turns, and the best of several is better than it is, see
 * kb-generate(1).
 */
struct kb_reached {
	int64_t compiled, correct;
	int64_t fast[KB_FAST_COUNT];	/* by kb_fast_p_milli */
};

/* Samples of problems: the denominator of all of these. */
int64_t kb_reached_samples(const struct kb_generation *g);

struct kb_by_turn {
	int64_t asked;			/* samples, in this turn */
	struct kb_reached reached;
	int64_t tokens, cost_nano;	/* of all turns until then, what is
					   known of it; KB_UNKNOWN: nothing */
};

/* Within `turn` turns. */
void kb_by_turn_of(struct kb_by_turn *out, const struct kb_generation *g,
		   int turn);

/* Within `tokens` of each sample; an attempt of which it is not known how many
 * it took, and what follows it, is within no number. */
void kb_by_tokens_of(struct kb_reached *out, const struct kb_generation *g,
		     int64_t tokens);

/* The most tokens that a sample took, or 0: beyond them nothing changes. */
int64_t kb_tokens_most(const struct kb_generation *g);

/* The next of 1, 2, 5, 10, 20, ... after `tokens`, which is 0 or one of
 * these. */
int64_t kb_tokens_step(int64_t tokens);

#endif
