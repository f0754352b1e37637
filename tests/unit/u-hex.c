#include "base/hex.h"

#include <string.h>

#include "base/alloc.h"
#include "lib/tap.h"

static void test_known_bytes_and_back(void)
{
	static const struct {
		const char *hex;
		size_t len;
		uint8_t bytes[8];
	} cases[] = {
		{ "", 0, { 0 } },
		{ "00", 1, { 0 } },
		{ "ff", 1, { 255 } },
		{ "0123456789abcdef", 8,
		  { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef } },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		uint8_t bytes[8] = { 0 };
		char hex[17];

		kb_hex_format(hex, cases[i].bytes, cases[i].len);
		check_str(hex, cases[i].hex);
		check(kb_hex_parse(bytes, cases[i].len, cases[i].hex));
		check(!memcmp(bytes, cases[i].bytes, cases[i].len));
	}
}

static void test_parse_wants_exactly_so_many_lower_case_digits(void)
{
	static const char *const cases[] = {
		"", "0", "00", "000", "00000", "000g", "00 0", " 000", "0x00",
		"00FF", "00fF", "00-1", "00\xff\xff", "000/", "000:", "000`",
		"0000\n",
	};
	uint8_t bytes[2];

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		if (kb_hex_parse(bytes, sizeof(bytes), cases[i]))
			tap_fail("'%s' is taken", cases[i]);
	check(kb_hex_parse(bytes, sizeof(bytes), "00ff"));
}

static void test_every_byte_has_one_spelling(void)
{
	for (int i = 0; i < 256; i++) {
		uint8_t byte = (uint8_t)i, again = (uint8_t)~i;
		char hex[3];

		kb_hex_format(hex, &byte, 1);
		check(kb_hex_parse(&again, 1, hex));
		check_int(again, byte);
	}
}

TAP_MAIN(
	TAP(test_known_bytes_and_back),
	TAP(test_parse_wants_exactly_so_many_lower_case_digits),
	TAP(test_every_byte_has_one_spelling),
);
