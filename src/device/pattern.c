#include "device/pattern.h"

#include <string.h>

#define WORD_BYTES 8

/*
 * A bijection of 64 bits in which every bit of the input moves half of the
 * output's: Stafford's variant 13 of MurmurHash3's last step (2011), the
 * one that SplitMix64 uses.
 */
static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

/* 2^64 divided by the golden ratio, made odd, keeps neighbours apart. */
static uint64_t word_at(uint64_t key, uint64_t number)
{
	return mix(key + (number + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

static uint8_t byte_at(uint64_t key, uint64_t offset)
{
	return (uint8_t)(word_at(key, offset / WORD_BYTES) >>
			 8 * (offset % WORD_BYTES));
}

static uint64_t align_up(uint64_t offset)
{
	return (offset + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

void kb_pattern_fill(void *base, uint64_t first, uint64_t end, uint64_t key)
{
	uint8_t *bytes = base;
	uint64_t i = first;

	for (; i < end && i < align_up(first); i++)
		bytes[i] = byte_at(key, i);
	for (; i + WORD_BYTES <= end; i += WORD_BYTES) {
		uint64_t word = word_at(key, i / WORD_BYTES);

		memcpy(bytes + i, &word, sizeof(word));
	}
	for (; i < end; i++)
		bytes[i] = byte_at(key, i);
}

bool kb_pattern_holds(const void *base, uint64_t first, uint64_t end,
		      uint64_t key, uint64_t *damaged)
{
	const uint8_t *bytes = base;
	uint64_t i = first;

	while (i < end) {
		uint64_t word = word_at(key, i / WORD_BYTES);

		if (i % WORD_BYTES == 0 && i + WORD_BYTES <= end &&
		    !memcmp(bytes + i, &word, sizeof(word))) {
			i += WORD_BYTES;
			continue;
		}
		if (bytes[i] != byte_at(key, i)) {
			*damaged = i;
			return false;
		}
		i++;
	}
	return true;
}

uint64_t kb_pattern_key(uint64_t key, uint64_t number)
{
	return mix(key ^ mix(number + 1));
}
