#include "base/alloc.h"
#include "device/hash.h"
#include "device/pattern.h"
#include "lib/tap.h"

static void fill_data(uint8_t *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		data[i] = (uint8_t)(i * 7 + (i >> 8));
}

static uint64_t hash_of(uint64_t key, const void *data, size_t len)
{
	struct kb_hash h;

	kb_hash_init(&h, key);
	kb_hash_add(&h, data, len);
	return kb_hash_value(&h);
}

/* Made by an independent program that follows the header. */
static const struct {
	uint64_t key;
	size_t len;
	uint64_t want;
} known_hashes[] = {
	{ 0, 0, 0x1cbeebf47d065d06 },
	{ 0, 1, 0x15d85be228c63b21 },
	{ 0, 1023, 0x09ad0eddc97d2f4e },
	{ 0, 1024, 0x15c0e675a7fbda0c },
	{ 0, 1025, 0x0aa9c7d09e53e9c8 },
	{ 0, 3000, 0x0c92cd4a516e3874 },
	{ 0x0123456789abcdef, 0, 0x1c107c076291edcf },
	{ 0x0123456789abcdef, 1, 0x0f4a520a0d334cbe },
	{ 0x0123456789abcdef, 1023, 0x1a66cdf9a850eaee },
	{ 0x0123456789abcdef, 1024, 0x1cb307d72388fcf9 },
	{ 0x0123456789abcdef, 1025, 0x1548e573da06306e },
	{ 0x0123456789abcdef, 3000, 0x010b528804334c1d },
};

static void test_hash_known_answers(void)
{
	uint8_t data[3000];

	fill_data(data, sizeof(data));
	for (size_t i = 0; i < KB_ARRAY_LEN(known_hashes); i++)
		check_int(hash_of(known_hashes[i].key, data,
				  known_hashes[i].len), known_hashes[i].want);
}

static void test_every_changed_bit_changes_the_hash(void)
{
	uint8_t data[2100];
	uint64_t before;

	fill_data(data, sizeof(data));
	before = hash_of(42, data, sizeof(data));
	for (size_t i = 0; i < 8 * sizeof(data); i++) {
		data[i / 8] ^= (uint8_t)(1 << i % 8);
		if (hash_of(42, data, sizeof(data)) == before)
			tap_fail("bit %zu does not matter", i);
		data[i / 8] ^= (uint8_t)(1 << i % 8);
	}
	check_int(hash_of(42, data, sizeof(data)), before);
}

static void test_swapped_blocks_change_the_hash(void)
{
	uint8_t data[2048] = { 0 }, swapped[2048] = { 0 };

	data[0] = swapped[1024] = 1;
	check(hash_of(1, data, sizeof(data)) !=
	      hash_of(1, swapped, sizeof(swapped)));
}

static void test_pieces_count(void)
{
	uint8_t data[3], zeros[2] = { 0 };
	struct kb_hash h;

	fill_data(data, sizeof(data));
	kb_hash_init(&h, 0);
	kb_hash_add(&h, data, 1);
	kb_hash_add(&h, data + 1, 2);
	check_int(kb_hash_value(&h), 0x0e0a03ea52ce0cb7);
	check(kb_hash_value(&h) != hash_of(0, data, 3));
	check(hash_of(0, zeros, 1) != hash_of(0, zeros, 2));
}

static void test_hash_does_not_need_alignment(void)
{
	uint8_t data[2001], moved[2004];

	fill_data(data, sizeof(data));
	memcpy(moved + 3, data, sizeof(data));
	check_int(hash_of(9, moved + 3, sizeof(data)),
		  hash_of(9, data, sizeof(data)));
}

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

TAP_MAIN(TAP(test_hash_known_answers),
	 TAP(test_every_changed_bit_changes_the_hash),
	 TAP(test_swapped_blocks_change_the_hash),
	 TAP(test_pieces_count),
	 TAP(test_hash_does_not_need_alignment),
	 TAP(test_pattern_known_answers),
	 TAP(test_every_part_of_a_pattern_is_like_the_whole),
	 TAP(test_first_damaged_byte_is_found),
	 TAP(test_damage_is_found_anywhere_in_much),
	 TAP(test_pattern_keys_differ));
