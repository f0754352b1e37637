#ifndef KB_TESTS_FUZZ_NUMBERS_H
#define KB_TESTS_FUZZ_NUMBERS_H

/*
 * A mutator for texts that are only taken if they are spelt in one way: it puts
 * whole numbers in the place of others, and leaves the rest to the fuzzer. What
 * changes bytes alone seldom gets past a parser of canonical JSON.
 */

#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Only there in a fuzzer. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max)
	__attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
			       unsigned int seed);

/* splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* The first digit of a number behind a random place, or `size`. */
static size_t find_number(const uint8_t *data, size_t size, uint64_t *state)
{
	size_t at = draw(state) % size;

	while (at < size && isdigit(data[at]))
		at++;
	while (at < size && !isdigit(data[at]))
		at++;
	return at;
}

/* At a limit, near what was there, or any. */
static int64_t draw_number(int64_t was, uint64_t *state)
{
	static const int64_t limits[] = {
		0, 1, 2, -1, 10, 100, INT16_MAX, INT32_MAX, UINT32_MAX,
		INT64_C(1) << 40, (INT64_C(1) << 53) - 1,
		-((INT64_C(1) << 53) - 1), (INT64_C(1) << 52) + 1,
	};

	switch (draw(state) % 8) {
	case 0:
		return was + 1;
	case 1:
		return was - 1;
	case 2:
		return was / 2;
	case 3:
		return was < INT64_C(1) << 52 ? 2 * was : was;
	case 4:
		return (int64_t)(draw(state) >> (11 + draw(state) % 50));
	default:
		return limits[draw(state) %
			      (sizeof(limits) / sizeof(limits[0]))];
	}
}

/* `size` bytes with one number changed: how many they are now, 0 if there is no
 * number, or no room. */
static size_t change_number(uint8_t *data, size_t size, size_t max,
			    uint64_t *state)
{
	const size_t at = find_number(data, size, state);
	size_t len = 0, from = at;
	char digits[24];
	int64_t was = 0;
	int now_len;

	while (at + len < size && len < 15 && isdigit(data[at + len]))
		was = 10 * was + data[at + len++] - '0';
	if (!len)
		return 0;
	if (at > 0 && data[at - 1] == '-') {
		from--;
		len++;
	}
	now_len = snprintf(digits, sizeof(digits), "%" PRId64,
			   draw_number(was, state));
	if (size - len + (size_t)now_len > max)
		return 0;
	memmove(data + from + now_len, data + from + len, size - from - len);
	memcpy(data + from, digits, (size_t)now_len);
	return size - len + (size_t)now_len;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max,
			       unsigned int seed)
{
	uint64_t state = seed;
	size_t changed = size;

	for (uint64_t left = draw(&state) % 4; changed && left > 0; left--)
		changed = change_number(data, changed, max, &state);
	return changed && draw(&state) % 8 ? changed :
					     LLVMFuzzerMutate(data, size, max);
}

#endif
