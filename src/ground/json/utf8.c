#include "json/utf8.h"

#include "base/alloc.h"
#include "base/buf.h"

static bool is_continuation(uint8_t byte)
{
	return (byte & 0xc0) == 0x80;
}

/* Bytes in the sequence that `lead` begins; 0 if it can begin none. */
static size_t sequence_length(uint8_t lead)
{
	if (lead < 0x80)
		return 1;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 2;
	if (lead >= 0xe0 && lead <= 0xef)
		return 3;
	if (lead >= 0xf0 && lead <= 0xf4)
		return 4;
	return 0;
}

size_t kb_utf8_decode(uint32_t *out, const void *s, size_t len)
{
	/* The least character that needs this many bytes. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const uint8_t *p = s;
	size_t n = len ? sequence_length(p[0]) : 0;
	uint32_t c;

	if (n == 0 || n > len)
		return 0;
	if (n == 1) {
		*out = p[0];
		return 1;
	}

	c = p[0] & (0xffu >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if (!is_continuation(p[i]))
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*out = c;
	return n;
}

bool kb_utf8_valid(const void *s, size_t len)
{
	const uint8_t *p = s;
	uint32_t c;

	while (len > 0) {
		size_t n = kb_utf8_decode(&c, p, len);

		if (n == 0)
			return false;
		p += n;
		len -= n;
	}
	return true;
}

/*
 * Bytewise order is code point order. UTF-16 differs from it in one place:
 * characters above U+FFFF become surrogates (D800 to DFFF) and so sort
 * before U+E000 to U+FFFF, whose lead bytes are EE and EF (ED is followed
 * by U+D000 to U+D7FF only, which stay before). Moving those two above F4,
 * the last lead byte, is all it takes. Continuation bytes are below C0.
 */
static int utf16_rank(uint8_t byte)
{
	return byte == 0xee || byte == 0xef ? byte + 0x10 : byte;
}

int kb_utf8_compare_utf16(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return utf16_rank((uint8_t)*a) - utf16_rank((uint8_t)*b);
}

/* Characters that are not seen, or change how those around them are: of
 * Unicode's categories Cc, Cf, Zl and Zp what is not for a script's own
 * spelling, and blanks that look like nothing. Sorted. */
static const struct {
	uint32_t first, last;
} hidden[] = {
	{ 0x80, 0x9f },			/* C1 */
	{ 0xad, 0xad },			/* soft hyphen */
	{ 0x034f, 0x034f },		/* combining grapheme joiner */
	{ 0x061c, 0x061c },		/* Arabic letter mark */
	{ 0x115f, 0x1160 },		/* Hangul fillers */
	{ 0x17b4, 0x17b5 },		/* Khmer vowels that are not shown */
	{ 0x180b, 0x180f },		/* Mongolian selectors, separator */
	{ 0x200b, 0x200f },		/* no width, joiners, marks */
	{ 0x2028, 0x202e },		/* separators, embeddings, overrides */
	{ 0x2060, 0x206f },		/* isolates, invisible operators */
	{ 0x3164, 0x3164 },		/* Hangul filler */
	{ 0xfdd0, 0xfdef },		/* noncharacters */
	{ 0xfe00, 0xfe0f },		/* variation selectors */
	{ 0xfeff, 0xfeff },		/* byte order mark */
	{ 0xffa0, 0xffa0 },
	{ 0xfff0, 0xfffb },		/* annotations */
	{ 0xfffe, 0xffff },
	{ 0x1bca0, 0x1bca3 },		/* shorthand format controls */
	{ 0x1d173, 0x1d17a },		/* musical format controls */
	{ 0xe0000, 0xe0fff },		/* tags, more selectors */
};

bool kb_utf8_hidden(uint32_t c)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(hidden) && c >= hidden[i].first; i++)
		if (c <= hidden[i].last)
			return true;
	return (c & 0xfffe) == 0xfffe;	/* of any plane */
}

/* Not a control: what could drive somebody's terminal. */
static bool is_harmless(uint32_t c)
{
	return c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f) ||
	       (c > 0x7f && !kb_utf8_hidden(c));
}

/* Most texts are ASCII. */
static size_t printable_length(const uint8_t *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] >= ' ' && p[n] < 0x7f)
		n++;
	return n;
}

/* The first character, which has `*len` bytes. */
static bool begins_harmless(const uint8_t *p, size_t left, size_t *len)
{
	uint32_t c;
	const size_t n = kb_utf8_decode(&c, p, left);

	*len = n ? n : 1;
	return n && is_harmless(c);
}

void kb_utf8_clean(struct kb_buf *out, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t i = 0, n; i < len; i += n) {
		n = printable_length(p + i, len - i);
		if (n || begins_harmless(p + i, len - i, &n))
			kb_buf_add(out, p + i, n);
		else
			kb_buf_addch(out, '?');
	}
}

void kb_utf8_clean_line(struct kb_buf *out, const void *data, size_t len)
{
	const size_t start = out->len;

	kb_utf8_clean(out, data, len);
	for (size_t i = start; i < out->len; i++)
		if (out->data[i] == '\n' || out->data[i] == '\t')
			out->data[i] = '?';
}
