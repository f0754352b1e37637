#include "random/chacha.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clones.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	       "words are stored as they come");

/*
 * LANES blocks at a time: word i of each is one vector. Eight fill an AVX2
 * register, and the 16 words then are all the registers there are.
 */
#define LANES 8
#define WORDS KB_CHACHA_BLOCK_WORDS
#define DOUBLE_ROUNDS 10

struct row {
	uint32_t lane __attribute__((vector_size(4 * LANES)));
};

void kb_chacha_init(struct kb_chacha *c, const uint8_t key[KB_CHACHA_KEY_BYTES],
		    uint32_t nonce0, uint32_t nonce1, uint32_t nonce2)
{
	memcpy(c->key, key, sizeof(c->key));
	c->nonce[0] = nonce0;
	c->nonce[1] = nonce1;
	c->nonce[2] = nonce2;
}

/* Inlined whatever the compiler thinks of it, into each of the clones. */
#define INLINE static inline __attribute__((always_inline))

INLINE void add_xor_rotate(struct row *sum, const struct row *addend,
			   struct row *turned, int bits)
{
	sum->lane += addend->lane;
	turned->lane ^= sum->lane;
	turned->lane = turned->lane << bits | turned->lane >> (32 - bits);
}

/* RFC 8439, section 2.1, from where the four rotations are taken. */
INLINE void quarter_round(struct row *a, struct row *b, struct row *c,
			  struct row *d)
{
	add_xor_rotate(a, b, d, 16);
	add_xor_rotate(c, d, b, 12);
	add_xor_rotate(a, b, d, 8);
	add_xor_rotate(c, d, b, 7);
}

/* RFC 8439, section 2.3: the columns of the state as a matrix of 4 x 4 words,
 * then its diagonals. */
INLINE void double_round(struct row x[WORDS])
{
	quarter_round(&x[0], &x[4], &x[8], &x[12]);
	quarter_round(&x[1], &x[5], &x[9], &x[13]);
	quarter_round(&x[2], &x[6], &x[10], &x[14]);
	quarter_round(&x[3], &x[7], &x[11], &x[15]);
	quarter_round(&x[0], &x[5], &x[10], &x[15]);
	quarter_round(&x[1], &x[6], &x[11], &x[12]);
	quarter_round(&x[2], &x[7], &x[8], &x[13]);
	quarter_round(&x[3], &x[4], &x[9], &x[14]);
}

/* RFC 8439, section 2.3: four words of constants, eight of the key, the counter
 * of blocks and three of the nonce. */
static void start_state(uint32_t state[WORDS], const struct kb_chacha *c)
{
	static const char constants[] = "expand 32-byte k";

	memcpy(state, constants, 16);
	memcpy(state + 4, c->key, sizeof(c->key));
	state[12] = 0;
	memcpy(state + 13, c->nonce, sizeof(c->nonce));
}

/* Blocks `counter` to `counter + LANES - 1`, one after the other. */
KB_CLONES static void lanes_generate(uint32_t *words, uint32_t counter,
				     const uint32_t state[WORDS])
{
	struct row x[WORDS], start[WORDS];
	uint32_t y[WORDS][LANES];

	/* The lanes start alike but for word 12, which counts blocks. */
	for (size_t i = 0; i < WORDS; i++)
		for (size_t l = 0; l < LANES; l++)
			start[i].lane[l] = state[i];
	for (size_t l = 0; l < LANES; l++)
		start[12].lane[l] += counter + (uint32_t)l;

	memcpy(x, start, sizeof(x));
	for (int i = 0; i < DOUBLE_ROUNDS; i++)
		double_round(x);

	for (size_t i = 0; i < WORDS; i++) {
		/* The rounds alone can be run backwards, and would give the key
		 * away. */
		x[i].lane += start[i].lane;
		memcpy(y[i], &x[i], sizeof(y[i]));
	}
	for (size_t l = 0; l < LANES; l++)
		for (size_t i = 0; i < WORDS; i++)
			words[WORDS * l + i] = y[i][l];
}

void kb_chacha_blocks(uint32_t *words, uint64_t first_block, size_t block_count,
		      const struct kb_chacha *c)
{
	uint32_t state[WORDS], last[WORDS * LANES];

	/* A counter that wraps would give the first blocks once more. */
	if (first_block > KB_CHACHA_BLOCKS_MAX ||
	    block_count > KB_CHACHA_BLOCKS_MAX - first_block)
		KB_BUG("ChaCha20's block counter would wrap");

	start_state(state, c);
	while (block_count >= LANES) {
		lanes_generate(words, (uint32_t)first_block, state);
		words += WORDS * LANES;
		first_block += LANES;
		block_count -= LANES;
	}
	/* `words` has no room for the blocks of the last vector that were not
	 * asked for. */
	if (block_count > 0) {
		lanes_generate(last, (uint32_t)first_block, state);
		memcpy(words, last, block_count * KB_CHACHA_BLOCK_BYTES);
	}
}
