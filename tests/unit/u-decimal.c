#include "manifest/decimal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lib/tap.h"

#define ROUNDS 200000

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* What a record would have of the number that this text is. */
static bool comes_back(const char *text)
{
	char again[64], *end;
	const double x = strtod(text, &end);

	snprintf(again, sizeof(again), "%.9g", x);
	return !*end && !strcmp(again, text);
}

static void test_forms(void)
{
	static const struct {
		const char *text;
		bool is_printed;
	} cases[] = {
		{ "", false }, { "-", false }, { "0", true }, { "-0", true },
		{ "1", true }, { "-1", true }, { "+1", false }, { "01", false },
		{ "1.", false }, { ".5", false }, { "1.0", false },
		{ "0.0", false }, { "1.5", true }, { "1.50", false },
		{ "123456789", true }, { "1234567890", false },
		{ "12345.6789", true }, { "12345.67891", false },
		{ "100000000", true }, { "1e+08", false }, { "1e+09", true },
		{ "1e9", false }, { "1e+9", false }, { "1e+009", false },
		{ "0.0001", true }, { "0.00001", false }, { "1e-05", true },
		{ "1e-04", false }, { "1.5e-06", true }, { "1.50e-06", false },
		{ "0.000123456789", true }, { "0.0001234567891", false },
		{ "1.23456789e-10", true }, { "1.234567891e-10", false },
		{ "0.5e-05", false }, { "12e-05", false }, { "1e+100", true },
		{ "1e+290", true }, { "1e-290", true }, { "1E+09", false },
		{ "1e+10 ", false }, { " 1", false }, { "0x1", false },
		{ "nan", false }, { "1e-", false }, { "1e", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		if (kb_decimal_is_printed(cases[i].text) !=
		    cases[i].is_printed)
			tap_fail("'%s'", cases[i].text);
}

/* Numbers of all sizes, as they are printed: most are known at sight. */
static void test_what_is_printed_is_known(void)
{
	uint64_t state = 1;
	size_t known = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const double x = ldexp((double)(next(&state) >> 11),
				       (int)(next(&state) % 1800) - 950);
		char text[64];

		snprintf(text, sizeof(text), "%.9g", x);
		known += kb_decimal_is_printed(text);
	}
	if (known < ROUNDS / 100 * 99)
		tap_fail("%zu of %d", known, ROUNDS);
}

/* With one character changed, left out or put in. */
static void bend(char *text, uint64_t *state)
{
	static const char letters[] = "0123456789.e+-";
	const size_t len = strlen(text), at = next(state) % len;
	const char letter = letters[next(state) % (sizeof(letters) - 1)];

	switch (next(state) % 3) {
	case 0:
		text[at] = letter;
		break;
	case 1:
		memmove(text + at, text + at + 1, len - at);
		break;
	default:
		memmove(text + at + 1, text + at, len - at + 1);
		text[at] = letter;
	}
}

static void test_what_is_known_comes_back(void)
{
	uint64_t state = 2;
	size_t known = 0;

	for (int i = 0; i < ROUNDS; i++) {
		const double x = ldexp((double)(next(&state) >> 11),
				       (int)(next(&state) % 120) - 110);
		char text[64];

		snprintf(text, sizeof(text), "%.9g", x);
		for (int k = 0; k < 3 && *text; k++) {
			bend(text, &state);
			if (!kb_decimal_is_printed(text))
				continue;
			known++;
			if (!comes_back(text))
				tap_fail("'%s'", text);
		}
	}
	check(known > ROUNDS / 2);
}

TAP_MAIN(
	TAP(test_forms),
	TAP(test_what_is_printed_is_known),
	TAP(test_what_is_known_comes_back),
);
