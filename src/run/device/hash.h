#ifndef KB_DEVICE_HASH_H
#define KB_DEVICE_HASH_H

#include <stdint.h>

/*
 * Was this memory changed? A keyed hash, fast enough to take before and
 * after each run over all of the inputs.
 *
 * Blocks of 1024 bytes go through NH (Black and others, 1999), the results
 * through a polynomial over the integers modulo 2^61 - 1. If n bytes in p
 * pieces are changed by someone who does not know the key, the hash stays
 * the same with a probability of at most (3 n / 1024 + 8 p) / 2^61, which
 * is 2^-39 for a gigabyte, whatever the change is. That is a theorem about
 * a random key; ours is ChaCha20's expansion of 64 bits.
 *
 * It promises nothing against someone who knows the key or has seen a
 * hash made with it: the key is drawn for one trial and used for nothing
 * else (a pattern, say, would give it away), and it stays in the
 * supervisor, as does the hash. It is no digest, and not to be stored.
 */

#define KB_HASH_BLOCK_WORDS 128

struct kb_hash {
	uint64_t block_key[KB_HASH_BLOCK_WORDS];
	uint64_t point;			/* at which the polynomial is taken */
	uint64_t value;
};

void kb_hash_init(struct kb_hash *h, uint64_t key);

/*
 * Add one piece. Which bytes are in which piece counts: "ab" is not "a"
 * and then "b".
 */
void kb_hash_add(struct kb_hash *h, const void *data, uint64_t size_bytes);

/* Of the pieces so far. */
uint64_t kb_hash_value(const struct kb_hash *h);

#endif
