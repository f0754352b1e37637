#include "sign/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			     "abcdefghijklmnopqrstuvwxyz"
			     "0123456789+/";

void kb_base64_encode(struct kb_buf *out, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t at = 0; at < len; at += 3) {
		size_t n = len - at < 3 ? len - at : 3;
		uint32_t bits = 0;

		for (size_t i = 0; i < 3; i++)
			bits = bits << 8 | (i < n ? p[at + i] : 0);
		for (size_t i = 0; i < 4; i++)
			kb_buf_addch(out, i > n ? '=' :
				     digits[bits >> (18 - 6 * i) & 63]);
	}
}

/* Four characters, of which the last `padding` are '='; `padding` is 0 to
 * 2. Their bits, left-aligned in 24, or UINT32_MAX. */
static uint32_t read_group(const char *text, size_t padding)
{
	uint32_t bits = 0;

	for (size_t i = 0; i < 4 - padding; i++) {
		const char *digit = memchr(digits, text[i], 64);

		if (!digit)
			return UINT32_MAX;
		bits |= (uint32_t)(digit - digits) << (18 - 6 * i);
	}
	/* Bits below the last whole byte belong to nothing. */
	return bits & ((1U << 8 * padding) - 1) ? UINT32_MAX : bits;
}

static size_t count_padding(const char *text, size_t len)
{
	size_t n = 0;

	while (n < 2 && n < len && text[len - 1 - n] == '=')
		n++;
	return n;
}

bool kb_base64_decode(struct kb_buf *out, const char *text)
{
	size_t len = strlen(text), padding = count_padding(text, len);
	size_t start = out->len;

	if (len % 4 != 0)
		return false;
	for (size_t at = 0; at < len; at += 4) {
		size_t missing = at + 4 == len ? padding : 0;
		uint32_t bits = read_group(text + at, missing);

		if (bits == UINT32_MAX) {
			out->len = start;
			if (out->capacity)
				out->data[start] = '\0';
			return false;
		}
		for (size_t i = 0; i < 3 - missing; i++)
			kb_buf_addch(out, (char)(bits >> (16 - 8 * i)));
	}
	return true;
}
