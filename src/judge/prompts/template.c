#include "prompts/template.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"

static const char *value_of(const struct kb_placeholder with[],
			    const char *name, size_t len)
{
	for (; with->name; with++)
		if (strlen(with->name) == len && !memcmp(with->name, name, len))
			return with->value;
	return NULL;
}

/* `*text` is behind the opening brace, and is moved behind the closing. */
static int fill_one(struct kb_buf *out, const char **text,
		    const struct kb_placeholder with[], struct kb_err *err)
{
	const size_t len = strcspn(*text, "}");
	const char *value;

	if (!(*text)[len])
		return kb_err(err, KB_ERR_INPUT,
			      "a template has a '{' without '}'");
	value = value_of(with, *text, len);
	if (!value)
		return kb_err(err, KB_ERR_INPUT,
			      "a template has a place '{%.*s}' that nothing fills",
			      len > 60 ? 60 : (int)len, *text);
	kb_buf_addstr(out, value);
	*text += len + 1;
	return 0;
}

int kb_template_fill(struct kb_buf *out, const char *text,
		     const struct kb_placeholder with[], struct kb_err *err)
{
	int ret = 0;

	while (ret == 0 && *text) {
		const char c = *text++;

		if ((c == '{' || c == '}') && *text == c)
			kb_buf_addch(out, *text++);
		else if (c == '{')
			ret = fill_one(out, &text, with, err);
		else if (c == '}')
			ret = kb_err(err, KB_ERR_INPUT,
				     "a template has a '}' without '{'");
		else
			kb_buf_addch(out, c);
	}
	return ret;
}

/* As Python has it: the separators, too. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

void kb_template_strip(struct kb_buf *out, const char *text, size_t len)
{
	while (len && is_space(*text))
		text++, len--;
	while (len && is_space(text[len - 1]))
		len--;
	kb_buf_add(out, text, len);
}
