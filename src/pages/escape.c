#include "pages/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "json/utf8.h"

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

static bool is_hidden(uint32_t c)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(hidden) && c >= hidden[i].first; i++)
		if (c <= hidden[i].last)
			return true;
	return (c & 0xfffe) == 0xfffe;	/* of any plane */
}

static const char *reference_to(uint32_t c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/* U+2400 to U+241F and U+2421 are E2 90 80 and on. */
static void add_picture(struct kb_buf *out, uint32_t control)
{
	kb_buf_addstr(out, "\xe2\x90");
	kb_buf_addch(out, (char)(0x80 + (control == 0x7f ? 0x21 : control)));
}

static void add_character(struct kb_buf *out, uint32_t c, const char *bytes,
			  size_t len)
{
	const char *reference = reference_to(c);

	if (reference)
		kb_buf_addstr(out, reference);
	else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
		add_picture(out, c);
	else if (is_hidden(c))
		kb_buf_addf(out, "[U+%04X]", (unsigned int)c);
	else
		kb_buf_add(out, bytes, len);
}

void kb_escape(struct kb_buf *out, const void *data, size_t len)
{
	const char *p = data;

	for (size_t i = 0; i < len;) {
		uint32_t c;
		size_t bytes = kb_utf8_decode(&c, p + i, len - i);

		/* A byte that is no UTF-8 becomes U+FFFD: that something was
		 * there is seen. */
		if (bytes)
			add_character(out, c, p + i, bytes);
		else
			kb_buf_addstr(out, "\xef\xbf\xbd");
		i += bytes ? bytes : 1;
	}
}

void kb_escape_str(struct kb_buf *out, const char *s)
{
	kb_escape(out, s, strlen(s));
}
