#include "store/quote.h"

#include <string.h>

static char printable_char(char c)
{
	return c >= ' ' && c <= '~' && c != '\'' ? c : '?';
}

struct kb_quote kb_quote(const void *data, size_t len)
{
	static const char ellipsis[] = "...";
	struct kb_quote q;
	const char *s = data;
	size_t room = sizeof(q.text) - sizeof(ellipsis);
	size_t n = len < room ? len : room;

	for (size_t i = 0; i < n; i++)
		q.text[i] = printable_char(s[i]);
	strcpy(q.text + n, len > n ? ellipsis : "");
	return q;
}

struct kb_quote kb_quote_str(const char *s)
{
	return kb_quote(s, strlen(s));
}
