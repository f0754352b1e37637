#include "base/alloc.h"
#include "device/pattern.h"
#include "lib/tap.h"

/* Under key 0 the words are those of SplitMix64 started with 0, less the bits
 * without which no float is infinite. */
static void test_pattern_known_answers(void)
{
	static const uint64_t want[] = {
		0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f,
	};
	uint64_t words[KB_ARRAY_LEN(want)];

	kb_pattern_fill(words, 0, sizeof(words), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(want); i++)
		check_int(words[i], want[i] & 0xbfbfbfbfbfbfbfbf);
}

static void test_every_part_of_a_pattern_is_like_the_whole(void)
{
	enum { LEN = 40 };
	uint64_t whole[LEN / 8], part[LEN / 8], damaged;
	uint8_t *w = (uint8_t *)whole, *p = (uint8_t *)part;

	kb_pattern_fill(whole, 0, LEN, 77);
	for (size_t first = 0; first <= LEN; first++)
		for (size_t end = first; end <= LEN; end++) {
			memset(part, 0, LEN);
			kb_pattern_fill(part, first, end, 77);
			check(!memcmp(p + first, w + first, end - first));
			for (size_t i = 0; i < LEN; i++)
				check(p[i] == 0 || (i >= first && i < end));
			check(kb_pattern_holds(part, first, end, 77, &damaged));
		}
}

static void test_first_damaged_byte_is_found(void)
{
	enum { LEN = 40 };
	uint64_t words[LEN / 8], damaged;
	uint8_t *bytes = (uint8_t *)words;

	kb_pattern_fill(words, 0, LEN, 5);
	for (size_t first = 0; first < LEN; first++)
		for (size_t i = 0; i < LEN; i++) {
			bytes[i] ^= 0x10;
			bytes[LEN - 1] ^= 0x01;
			damaged = 0;
			check(!kb_pattern_holds(words, first, LEN, 5, &damaged));
			check_int(damaged, i < first ? LEN - 1 : i);
			bytes[i] ^= 0x10;
			bytes[LEN - 1] ^= 0x01;
		}
}

/* It is compared some thousand bytes at a time. */
static void test_damage_is_found_anywhere_in_much(void)
{
	enum { LEN = 3 * 4096 + 40 };
	static uint64_t words[LEN / 8];
	uint8_t *bytes = (uint8_t *)words;
	uint64_t damaged;

	kb_pattern_fill(words, 0, LEN, 5);
	for (size_t first = 0; first < 10; first++)
		for (size_t i = 0; i < LEN; i += i % 4096 < 4064 ? 29 : 1) {
			bytes[i] ^= 0x80;
			check_int(kb_pattern_holds(words, first, LEN - 3, 5,
						   &damaged),
				  i < first || i >= LEN - 3);
			check(i < first || i >= LEN - 3 || damaged == i);
			bytes[LEN - 4] ^= 0x01;
			check(!kb_pattern_holds(words, first, LEN - 3, 5,
						&damaged));
			check_int(damaged, i < first || i > LEN - 4 ? LEN - 4 :
								      i);
			bytes[LEN - 4] ^= 0x01;
			bytes[i] ^= 0x80;
		}
}

static void test_pattern_keys_differ(void)
{
	enum { KEYS = 64 };
	uint64_t keys[KEYS];

	for (uint64_t i = 0; i < KEYS; i++) {
		keys[i] = kb_pattern_key(1, i);
		for (uint64_t j = 0; j < i; j++)
			check(keys[i] != keys[j]);
		check(keys[i] != kb_pattern_key(2, i));
	}
}

TAP_MAIN(TAP(test_pattern_known_answers),
	 TAP(test_every_part_of_a_pattern_is_like_the_whole),
	 TAP(test_first_damaged_byte_is_found),
	 TAP(test_damage_is_found_anywhere_in_much),
	 TAP(test_pattern_keys_differ));
