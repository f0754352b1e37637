#include "device/pattern.h"

#include <stddef.h>

#include "base/clones.h"
#include "device/pattern_word.h"

#define WORD_BYTES KB_PATTERN_WORD_BYTES

/* As much as is compared before anybody looks whether it held. */
#define BLOCK_BYTES 4096

static uint8_t byte_at(uint64_t key, uint64_t offset)
{
	return (uint8_t)(kb_pattern_word(key, offset / WORD_BYTES) >>
			 8 * (offset % WORD_BYTES));
}

static uint64_t align_up(uint64_t offset)
{
	return (offset + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

/* `count` words from number `first` on. */
KB_CLONES static void fill_words(uint64_t *words, size_t count, uint64_t key,
				 uint64_t first)
{
	for (size_t i = 0; i < count; i++)
		words[i] = kb_pattern_word(key, first + i);
}

/* The bits in which the words differ from the pattern; 0 if in none. */
KB_CLONES static uint64_t compare_words(const uint64_t *words, size_t count,
					uint64_t key, uint64_t first)
{
	uint64_t different = 0;

	for (size_t i = 0; i < count; i++)
		different |= words[i] ^ kb_pattern_word(key, first + i);
	return different;
}

static void fill_bytes(uint8_t *bytes, uint64_t first, uint64_t end,
		       uint64_t key)
{
	for (uint64_t i = first; i < end; i++)
		bytes[i] = byte_at(key, i);
}

static bool bytes_hold(const uint8_t *bytes, uint64_t first, uint64_t end,
		       uint64_t key, uint64_t *damaged)
{
	for (uint64_t i = first; i < end; i++) {
		if (bytes[i] == byte_at(key, i))
			continue;
		*damaged = i;
		return false;
	}
	return true;
}

/* The bytes that are whole words; none, from `end` on, if there is not one. */
static void find_words(uint64_t *words_first, uint64_t *words_end,
		       uint64_t first, uint64_t end)
{
	*words_first = align_up(first) < end ? align_up(first) : end;
	*words_end = end - (end - *words_first) % WORD_BYTES;
}

void kb_pattern_fill(void *base, uint64_t first, uint64_t end, uint64_t key)
{
	uint8_t *bytes = base;
	uint64_t from, to;

	find_words(&from, &to, first, end);
	fill_bytes(bytes, first, from, key);
	fill_words((void *)(bytes + from), (to - from) / WORD_BYTES, key,
		   from / WORD_BYTES);
	fill_bytes(bytes, to, end, key);
}

bool kb_pattern_holds(const void *base, uint64_t first, uint64_t end,
		      uint64_t key, uint64_t *damaged)
{
	const uint8_t *bytes = base;
	uint64_t from, to;

	find_words(&from, &to, first, end);
	for (uint64_t i = from, n; i < to; i += n) {
		n = to - i < BLOCK_BYTES ? to - i : BLOCK_BYTES;
		if (compare_words((const void *)(bytes + i), n / WORD_BYTES,
				  key, i / WORD_BYTES))
			return bytes_hold(bytes, first, i + n, key, damaged);
	}
	return bytes_hold(bytes, first, from, key, damaged) &&
	       bytes_hold(bytes, to, end, key, damaged);
}

uint64_t kb_pattern_key(uint64_t key, uint64_t number)
{
	return kb_pattern_mix(key ^ kb_pattern_mix(number + 1));
}
