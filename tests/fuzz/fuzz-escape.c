/*
 * Any bytes as text of a page: valid UTF-8 without a character that ends
 * anything, is not seen, or is not allowed in XML.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "fuzz/must.h"
#include "json/utf8.h"
#include "pages/escape.h"
#include "pages/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool begins_reference(const char *p)
{
	static const char *const references[] = {
		"&amp;", "&lt;", "&gt;", "&quot;", "&#39;",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(references); i++)
		if (!strncmp(p, references[i], strlen(references[i])))
			return true;
	return false;
}

static void check_character(const char *p, uint32_t c)
{
	must(c >= 0x20 || c == '\n' || c == '\t');
	must(c < 0x7f || c > 0x9f);
	must(c != '<' && c != '>' && c != '"' && c != '\'');
	must(c != '&' || begins_reference(p));
	must(!(c >= 0x200b && c <= 0x200f) && !(c >= 0x2028 && c <= 0x202e));
	must(!(c >= 0x2060 && c <= 0x206f) && (c & 0xfffe) != 0xfffe);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, cell = KB_BUF_INIT;
	kb_auto(mem) char *text = kb_xstrndup((const char *)data, size);

	kb_escape(&out, data, size);
	must(strlen(out.data) == out.len);
	for (size_t i = 0; i < out.len;) {
		uint32_t c;
		size_t len = kb_utf8_decode(&c, out.data + i, out.len - i);

		must(len > 0);
		check_character(out.data + i, c);
		i += len;
	}
	kb_html_addf(&cell, "<td title=\"%s\">%s</td>", text, text);
	must(strchr(cell.data + 1, '<') == strstr(cell.data, "</td>"));
	return 0;
}
