#ifndef KB_RANDOM_CHACHA_H
#define KB_RANDOM_CHACHA_H

#include <stddef.h>
#include <stdint.h>

/*
 * The ChaCha20 block function of RFC 8439, section 2.3, as a source of
 * words: for a key and a nonce, block number i is 16 words of 32 bits that
 * nobody can tell from random ones without the key, and that can be made
 * without making those before them.
 *
 * The words are those that the RFC serialises little-endian; in this
 * project's memory, on the little-endian machines that it runs on, they
 * are the RFC's key stream bytes.
 */

#define KB_CHACHA_KEY_BYTES 32
#define KB_CHACHA_BLOCK_WORDS 16
#define KB_CHACHA_BLOCK_BYTES 64
#define KB_CHACHA_BLOCKS_MAX (UINT64_C(1) << 32)	/* for one nonce */

struct kb_chacha {
	uint32_t key[8];
	uint32_t nonce[3];
};

void kb_chacha_init(struct kb_chacha *c, const uint8_t key[KB_CHACHA_KEY_BYTES],
		    uint32_t nonce0, uint32_t nonce1, uint32_t nonce2);

/*
 * Blocks `first_block` to `first_block + block_count - 1` into `words`,
 * which has room for them. Not beyond KB_CHACHA_BLOCKS_MAX.
 */
void kb_chacha_blocks(uint32_t *words, uint64_t first_block, size_t block_count,
		      const struct kb_chacha *c);

#endif
