#ifndef KB_RANDOM_RANDOM_H
#define KB_RANDOM_RANDOM_H

#include <stdint.h>

#include "random/draw.h"

struct kb_err;

/*
 * The inputs of a trial, from 32 bytes.
 *
 * Whoever knows the seed can make any part of any tensor again, on any
 * machine, to the last bit; who does not cannot tell one element from all
 * the others. The words of tensor t in slot s are ChaCha20's with the seed
 * as the key and (s, t, 0) as the nonce, read as 32-bit words w[i] or as
 * pairs of them, W[i] = w[2i] + 2^32 w[2i + 1]:
 *
 *	float32, float16, bfloat16	element i is made from w[i]
 *	all other types			element i is made from W[i]
 *
 *	uniform		low + (k 2^-24) (high - low) with k = w[i] >> 8, in
 *			float32; for float64 with k = W[i] >> 11 and 2^-53;
 *			then the nearest value of the type in [low, high)
 *	normal		low + high z[i]; elements 2j and 2j + 1 share their
 *			words as kb_gauss_pairs() says: u is (w[2j] + 1/2)
 *			2^-32 and v is w[2j + 1] 2^-32, for float64
 *			((W[2j] >> 12) + 1/2) 2^-52 and (W[2j + 1] >> 12)
 *			2^-52; rounded to float32, then to 16 bits
 *	integers	low + floor(W[i] (high - low) / 2^64). To be exactly
 *			fair, W[i] counts only if W[i] (high - low) mod 2^64
 *			is at least 2^64 mod (high - low); the next attempt
 *			takes W[i] with the nonce (s, t, 1), then (s, t, 2)...
 *
 * doc/spec-inputs.md has the same for those who do not read C.
 */

#define KB_RANDOM_SEED_BYTES 32

/* Parts of a tensor that are made apart from each other start at multiples
 * of this, and so can be made by several threads. */
#define KB_RANDOM_CHUNK_ELEMENTS 1024

struct kb_random_stream {
	uint8_t seed[KB_RANDOM_SEED_BYTES];
	uint32_t slot;
	uint32_t tensor;
	uint64_t first_element;	/* a multiple of KB_RANDOM_CHUNK_ELEMENTS */
};

/*
 * Elements `first_element` to `first_element + count - 1` of the stream.
 * `data` is aligned for `dtype`; `draw` has passed kb_draw_check(). A
 * stream is as long as a nonce of ChaCha20 lasts: 2^36 elements of 32
 * bits, 2^35 of others.
 */
void kb_random_fill(void *data, enum kb_dtype dtype, uint64_t count,
		    const struct kb_draw *draw,
		    const struct kb_random_stream *stream);

/* A fresh seed from the system. Fails with KB_ERR_SYS. */
int kb_random_seed(uint8_t seed[KB_RANDOM_SEED_BYTES], struct kb_err *err);

/* The purposes of derived seeds. The numbers are part of what a published seed
 * means: one is never given to anything else. */
enum kb_seed_purpose {
	KB_SEED_RUN = 1,	/* the runtime's own generator, during a run */
	KB_SEED_INPUTS,		/* of a run on a device, of a result's seed */
	KB_SEED_FP64_ERROR,		/* inputs of the fp64 error */
	KB_SEED_ROUND,		/* is a round on alternate inputs? */
	KB_SEED_RANK,		/* inputs of a rank */
};

/*
 * Seed number `index` for one `purpose` of many, from one that a user gave:
 * the first 32 bytes of ChaCha20 under `from` with the nonce (purpose,
 * index, 2^32 - 1), which no tensor ever gets to.
 */
void kb_random_derive(uint8_t seed[KB_RANDOM_SEED_BYTES],
		      const uint8_t from[KB_RANDOM_SEED_BYTES],
		      enum kb_seed_purpose purpose, uint32_t index);

#endif
