#include "generate/reader.h"

#include <string.h>

#include "base/err.h"

/* Lines are counted when there is something to say, and not at every step. */
int kb_refuse(const struct kb_reader *r, const char *why)
{
	size_t line = 1;

	for (const char *p = r->begin; p < r->p; p++)
		line += *p == '\n';
	return kb_err(r->err, KB_ERR_INPUT, "line %zu of %s: %s", line,
		      r->name, why);
}

bool kb_at(const struct kb_reader *r, char c)
{
	return r->p < r->end && *r->p == c;
}

bool kb_at_text(const struct kb_reader *r, const char *text)
{
	const size_t len = strlen(text);

	return (size_t)(r->end - r->p) >= len && !memcmp(r->p, text, len);
}

bool kb_take(struct kb_reader *r, char c)
{
	if (!kb_at(r, c))
		return false;
	r->p++;
	return true;
}
