#include "device/pattern.h"

#include <string.h>

#include "device/pattern_word.h"

#define WORD_BYTES KB_PATTERN_WORD_BYTES

static uint8_t byte_at(uint64_t key, uint64_t offset)
{
	return (uint8_t)(kb_pattern_word(key, offset / WORD_BYTES) >>
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
		uint64_t word = kb_pattern_word(key, i / WORD_BYTES);

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
		uint64_t word = kb_pattern_word(key, i / WORD_BYTES);

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
	return kb_pattern_mix(key ^ kb_pattern_mix(number + 1));
}
