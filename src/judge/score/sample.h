#ifndef KB_SCORE_SAMPLE_H
#define KB_SCORE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/timing.h"

struct kb_digest;
struct kb_evaluation;

/*
 * Which candidates of an evaluation are measured again, when not all can
 * be. Those that may be drawn are the correct ones, in the order of the
 * record: c[0], c[1], ... Of a sample of n
 *
 *	the first (n + 1) / 2	have the greatest claimed speedups over the
 *				reference of their session, earlier ones first
 *				where two are the same; without a time last
 *	the others		are those of the rest with the least W[i],
 *				earlier ones first
 *
 * W[0], W[1], ... being the 64-bit words of ChaCha20 under the seed, eight
 * bytes little-endian and zeros, with a nonce of zeros; as in random/random.h.
 * So the claims that a paper's reader looks at first are always among them,
 * and nobody who does not know the seed knows the others.
 */

/* The seed if none is given: the first 52 bits of an evaluation's id. */
int64_t kb_sample_seed_of(const struct kb_digest *evaluation);

/*
 * `*out` receives the places in `e->results` of `count` correct ones, or of
 * all if there are no more (or `count` is 0), ascending; the caller frees.
 * Returns how many, `*correct_count` receives of how many.
 */
size_t kb_sample_draw(size_t **out, size_t *correct_count,
		      const struct kb_evaluation *e, enum kb_clock clock,
		      size_t count, int64_t seed);

#endif
