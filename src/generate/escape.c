#include "generate/escape.h"

#include "base/buf.h"

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | ' ');
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_character(uint32_t c)
{
	return c && c <= 0x10ffff && !(c >= 0xd800 && c < 0xe000);
}

static void add_utf8(struct kb_buf *out, uint32_t c)
{
	const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const uint8_t lead[] = { 0, 0xc0, 0xe0, 0xf0 };

	kb_buf_addch(out, (char)(lead[more] | (c >> (6 * more))));
	for (int i = more - 1; i >= 0; i--)
		kb_buf_addch(out, (char)(0x80 | ((c >> (6 * i)) & 0x3f)));
}

bool kb_escape_unicode(struct kb_buf *out, const char **p, const char *end)
{
	const int digits = **p == 'u' ? 4 : 8;
	uint32_t c = 0;

	if (end - *p <= digits)
		return false;
	for (int i = 1; i <= digits; i++) {
		const int digit = digit_of((*p)[i]);

		if (digit < 0)
			return false;
		c = c << 4 | (uint32_t)digit;
	}
	if (!is_character(c))
		return false;
	add_utf8(out, c);
	*p += digits + 1;
	return true;
}
