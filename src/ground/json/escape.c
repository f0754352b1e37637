#include "json/escape.h"

#include <string.h>

#define LONE_SURROGATE "lone surrogate"

/* The text, and the position in it. */
struct reader {
	const uint8_t *text;
	size_t len, at;
};

/* The next byte, or -1 at the end. */
static int peek_byte(const struct reader *r)
{
	return r->at < r->len ? r->text[r->at] : -1;
}

static bool take_byte(struct reader *r, char c)
{
	if (peek_byte(r) != c)
		return false;
	r->at++;
	return true;
}

static int hex_value(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The four digits after a \u. */
static const char *read_hex4(uint32_t *out, struct reader *r)
{
	*out = 0;
	for (int i = 0; i < 4; i++, r->at++) {
		const int digit = hex_value(peek_byte(r));

		if (digit < 0)
			return "want four hex digits";
		*out = *out << 4 | (uint32_t)digit;
	}
	return NULL;
}

/* The second half of a surrogate pair, of which `c` is the first. */
static const char *read_low_surrogate(uint32_t *c, struct reader *r)
{
	const char *wrong;
	uint32_t low;

	if (*c > 0xdbff || !take_byte(r, '\\') || !take_byte(r, 'u')) {
		r->at = 0;
		return LONE_SURROGATE;
	}
	wrong = read_hex4(&low, r);
	if (wrong)
		return wrong;
	if (low < 0xdc00 || low > 0xdfff) {
		r->at = 0;
		return LONE_SURROGATE;
	}
	*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
	return NULL;
}

/* A \u escape, or two that make a surrogate pair. */
static const char *read_unicode(uint32_t *out, struct reader *r)
{
	const char *wrong = read_hex4(out, r);

	if (wrong)
		return wrong;
	if (*out == 0) {
		r->at = 0;
		return "escaped NUL";
	}
	return *out < 0xd800 || *out > 0xdfff ? NULL
					       : read_low_surrogate(out, r);
}

/* A character has one spelling: \u only where nothing is shorter. */
static bool is_canonical_unicode(const uint8_t *escape, uint32_t c)
{
	static const char digits[] = "0123456789abcdef";

	return c < 0x20 && !(c >= '\b' && c <= '\r' && c != '\v') &&
	       escape[5] == digits[c % 16];
}

static const char *read_any(struct kb_json_escape *out, struct reader *r)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	const char *found, *wrong;

	if (take_byte(r, 'u')) {
		wrong = read_unicode(&out->character, r);
		out->canonical = !wrong && is_canonical_unicode(
						   r->text, out->character);
		return wrong;
	}
	found = memchr(escapes, peek_byte(r), sizeof(escapes) - 1);
	if (!found)
		return "unknown escape";
	out->canonical = *found != '/';
	out->character = (uint32_t)meanings[found - escapes];
	r->at++;
	return NULL;
}

const char *kb_json_escape_read(struct kb_json_escape *out, const uint8_t *text,
				size_t len)
{
	struct reader r = { .text = text, .len = len, .at = 1 };
	const char *wrong = read_any(out, &r);

	out->bytes = r.at;
	return wrong;
}
