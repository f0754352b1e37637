#include "pages/escape.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "json/utf8.h"

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
	else if (kb_utf8_hidden(c))
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
