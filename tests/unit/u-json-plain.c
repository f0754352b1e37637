/* What makes reading quick: strings eight bytes at a time, and members that are
 * found where the last one was. */

#include "json/plain.h"

#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"

/* RFC 8259, 7: what need not be escaped, here of ASCII alone. */
static bool is_plain(int c)
{
	return c > 0x1f && c < 0x80 && c != 0x22 && c != 0x5c;
}

static void test_every_byte_is_known(void)
{
	for (int c = 0; c < 256; c++)
		if (kb_json_is_plain((uint8_t)c) != is_plain(c))
			tap_fail("byte %d", c);
	check(true);
}

/* The first that is not plain, whatever follows it. */
static void check_stop(const uint8_t *bytes, size_t len)
{
	size_t want = 0;

	while (want < len && is_plain(bytes[want]))
		want++;
	check_int(kb_json_plain(bytes, len), want);
}

static void test_each_byte_stops_at_each_place(void)
{
	static const uint8_t after[] = { 'a', '"', 0x1f, 0xff, 0x00, 0x21, 0x5b };
	uint8_t bytes[19];

	for (int c = 0; c < 256; c++)
		for (size_t at = 0; at < sizeof(bytes); at++) {
			memset(bytes, after[at % sizeof(after)], sizeof(bytes));
			memset(bytes, 'a' + c % 26, at);
			bytes[at] = (uint8_t)c;
			check_stop(bytes, sizeof(bytes));
		}
}

static void test_all_are_plain_up_to_each_length(void)
{
	static const char text[] = "~ !#[]\x7fz0123456789abcdef";

	for (size_t len = 0; len < sizeof(text); len++)
		check_int(kb_json_plain(text, len), len);
}

/* From any child on each member is found, and what is none is not. */
static void test_found_from_wherever(void)
{
	static const char *const none[] = { "", "A", "ab", "aaa", "d" };
	static const char text[] =
		"{\"a\":1,\"aa\":2,\"b\":3,\"ba\":4,\"c\":5}";
	kb_auto(json) struct kb_json *o = NULL;

	check_int(kb_json_parse(&o, text, sizeof(text) - 1, KB_JSON_CANONICAL,
				"t", NULL), 0);
	for (const struct kb_json *from = kb_json_first(o); from;
	     from = kb_json_next(from)) {
		for (const struct kb_json *v = kb_json_first(o); v;
		     v = kb_json_next(v))
			check(kb_json_find_from(o, from, kb_json_key(v)) == v);
		for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
			check(!kb_json_find_from(o, from, none[i]));
	}
	check(!kb_json_find_from(NULL, NULL, "a"));
}

TAP_MAIN(TAP(test_every_byte_is_known),
	 TAP(test_each_byte_stops_at_each_place),
	 TAP(test_all_are_plain_up_to_each_length),
	 TAP(test_found_from_wherever));
