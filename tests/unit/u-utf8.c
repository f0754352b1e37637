#include "json/utf8.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"

/* A literal that may hold NULs. */
#define BYTES(s) (s), sizeof(s) - 1

/* A plain second writing of RFC 3629, section 3. Returns the length. */
static size_t encode(char out[4], uint32_t c)
{
	static const uint32_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	const size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[n] | c);
	return n;
}

static void test_nothing_is_no_character(void)
{
	uint32_t c = 7;

	check_int(kb_utf8_decode(&c, "", 0), 0);
	check_int(kb_utf8_decode(&c, "\0", 1), 1);
	check_int(c, 0);
}

static void test_every_character_is_decoded_and_no_surrogate(void)
{
	uint32_t bad = 0;

	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		const bool surrogate = c >= 0xd800 && c <= 0xdfff;
		uint32_t back = c + 1;
		char bytes[4];
		const size_t n = encode(bytes, c);
		const size_t got = kb_utf8_decode(&back, bytes, n);

		bad += surrogate ? got != 0 : got != n || back != c;
		bad += kb_utf8_valid(bytes, n) == surrogate;
		bad += kb_utf8_decode(&back, bytes, n - 1) != 0;
	}
	check_int(bad, 0);
}

static void test_valid_takes_whole_characters_only(void)
{
	check(kb_utf8_valid("", 0));
	check(kb_utf8_valid(BYTES("a\0b")));
	check(kb_utf8_valid(BYTES("\xf4\x8f\xbf\xbf")));
	check(!kb_utf8_valid(BYTES("a\xe2\x82")));
	check(!kb_utf8_valid(BYTES("\xc3(")));
}

static void test_what_is_hidden_or_turns_a_line_round_is_replaced(void)
{
	static const uint32_t layout[] = {
		0x80, 0xad, 0x200b, 0x2060, 0x3164, 0xfe0f, 0xfeff, 0xffff,
		0x1ffff, 0xe0041,
		0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e,
		0x2066, 0x2069,
	};

	for (size_t i = 0; i < sizeof(layout) / sizeof(*layout); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		char bytes[4];

		kb_utf8_clean(&out, bytes, encode(bytes, layout[i]));
		check_str(out.data, "?");
	}
	/* Their neighbours are letters and marks like any other. */
	for (size_t i = 0; i < 2; i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		char bytes[5] = { 0 };

		kb_utf8_clean(&out, bytes, encode(bytes, i ? 0x202f : 0x2027));
		check_str(out.data, bytes);
	}
}

static void test_only_what_is_harmful_is_replaced(void)
{
	static const struct {
		const char *dirty, *clean;
	} cases[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "\x1b[2Jplain\r\n\tmore\x7f", "?[2Jplain?\n\tmore?" },
		{ "\x01\x02 ~", "?? ~" },
		{ "a\xc3\xa9z\xff\xc3", "a\xc3\xa9z??" },
		{ "\xc2\x9b""1m \xe2\x82\xac", "?1m \xe2\x82\xac" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_buf_addstr(&out, "before: ");
		kb_utf8_clean(&out, cases[i].dirty, strlen(cases[i].dirty));
		check_str(out.data + strlen("before: "), cases[i].clean);
	}
}

static void test_a_line_has_no_other_line(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_buf_addstr(&out, "kept\n");
	kb_utf8_clean_line(&out, "a\tb\nc\x1b", 6);
	check_str(out.data, "kept\na?b?c?");
}

TAP_MAIN(TAP(test_nothing_is_no_character),
	 TAP(test_every_character_is_decoded_and_no_surrogate),
	 TAP(test_valid_takes_whole_characters_only),
	 TAP(test_what_is_hidden_or_turns_a_line_round_is_replaced),
	 TAP(test_only_what_is_harmful_is_replaced),
	 TAP(test_a_line_has_no_other_line));
