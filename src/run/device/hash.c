#include "device/hash.h"

#include <stddef.h>
#include <string.h>

#include "random/chacha.h"

#define BLOCK_WORDS KB_HASH_BLOCK_WORDS
#define BLOCK_BYTES (8 * BLOCK_WORDS)

#define PRIME ((UINT64_C(1) << 61) - 1)
#define CHUNK_BITS 60

void kb_hash_init(struct kb_hash *h, uint64_t key)
{
	uint8_t key_bytes[KB_CHACHA_KEY_BYTES] = { 0 };
	uint64_t point[KB_CHACHA_BLOCK_BYTES / 8];
	struct kb_chacha c;

	memcpy(key_bytes, &key, sizeof(key));
	kb_chacha_init(&c, key_bytes, 0, 0, 0);
	kb_chacha_blocks((uint32_t *)h->block_key, 0,
			 sizeof(h->block_key) / KB_CHACHA_BLOCK_BYTES, &c);
	kb_chacha_init(&c, key_bytes, 0, 0, 1);
	kb_chacha_blocks((uint32_t *)point, 0, 1, &c);
	h->point = point[0] & PRIME;
	h->value = 1;
}

/* x < 2^62 and y < 2^61 */
static uint64_t multiply_modulo(uint64_t x, uint64_t y)
{
	/* 2^61 is 1 modulo the prime: what is above the lower 61 bits is added
	 * to them. The first sum is below three times 2^61, the second above
	 * the prime by 2 at most: one subtraction does the rest. */
	unsigned __int128 product = (unsigned __int128)x * y;
	uint64_t sum = ((uint64_t)product & PRIME) + (uint64_t)(product >> 61);

	sum = (sum & PRIME) + (sum >> 61);
	return sum >= PRIME ? sum - PRIME : sum;
}

/* One more coefficient, below 2^61. */
static void absorb_coefficient(struct kb_hash *h, uint64_t coefficient)
{
	h->value = multiply_modulo(h->value + coefficient, h->point);
}

static void absorb_block(struct kb_hash *h, const uint8_t *data)
{
	const uint64_t chunk = (UINT64_C(1) << CHUNK_BITS) - 1;
	unsigned __int128 sum = 0;
	uint64_t m[BLOCK_WORDS];

	memcpy(m, data, sizeof(m));
	for (size_t i = 0; i < BLOCK_WORDS; i += 2)
		sum += (unsigned __int128)(m[i] + h->block_key[i]) *
			(m[i + 1] + h->block_key[i + 1]);

	/* In parts of 60 bits: a coefficient must be below the prime, or two
	 * that differ could count as the same. */
	absorb_coefficient(h, (uint64_t)sum & chunk);
	absorb_coefficient(h, (uint64_t)(sum >> CHUNK_BITS) & chunk);
	absorb_coefficient(h, (uint64_t)(sum >> 2 * CHUNK_BITS));
}

void kb_hash_add(struct kb_hash *h, const void *data, uint64_t size_bytes)
{
	uint8_t last[BLOCK_BYTES] = { 0 };
	const uint8_t *p = data;
	uint64_t left = size_bytes;

	for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES) {
		absorb_block(h, p);
		p += BLOCK_BYTES;
	}
	if (left > 0) {
		memcpy(last, p, left);
		absorb_block(h, last);
	}
	absorb_coefficient(h, size_bytes);
}

uint64_t kb_hash_value(const struct kb_hash *h)
{
	return h->value;
}
