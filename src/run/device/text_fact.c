#include "device/text_fact.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

/* A part of a text; borrowed. */
struct span {
	const char *p;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct span trim_span(struct span s)
{
	while (s.len > 0 && is_blank(s.p[0])) {
		s.p++;
		s.len--;
	}
	while (s.len > 0 && is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

static bool next_line(struct span *line, struct span *text)
{
	const char *end;

	if (text->len == 0)
		return false;
	end = memchr(text->p, '\n', text->len);
	line->p = text->p;
	line->len = end ? (size_t)(end - text->p) : text->len;
	text->p += line->len + (end != NULL);
	text->len -= line->len + (end != NULL);
	return true;
}

/* "<left> <separator> <right>" */
static bool split_span(struct span line, char separator, struct span *left,
		       struct span *right)
{
	const char *at = line.len ? memchr(line.p, separator, line.len) : NULL;

	if (!at)
		return false;
	*left = (struct span){ line.p, (size_t)(at - line.p) };
	*right = (struct span){ at + 1, line.len - left->len - 1 };
	return true;
}

static bool span_is(struct span s, const char *word)
{
	return s.len == strlen(word) && !memcmp(s.p, word, s.len);
}

static bool is_printable(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < ' ' || s.p[i] > '~')
			return false;
	return s.len > 0;
}

static int add_value(struct kb_buf *out, struct span value, const char *what,
		     const char *name, struct kb_err *err)
{
	value = trim_span(value);
	if (!is_printable(value))
		return kb_err(err, KB_ERR_INPUT,
			      "%s in '%s' is not printable ASCII", what, name);
	kb_buf_add(out, value.p, value.len);
	return 0;
}

int kb_text_fact_field(struct kb_buf *out, const void *text, size_t len,
		       const char *field, const char *name, struct kb_err *err)
{
	struct span rest = { text, len }, line, left, right;

	while (next_line(&line, &rest))
		if (split_span(line, ':', &left, &right) && span_is(trim_span(left), field))
			return add_value(out, right, field, name, err);
	return kb_err(err, KB_ERR_MISSING, "'%s' has no field '%s'", name,
		      field);
}

int kb_text_fact_line(struct kb_buf *out, const void *text, size_t len,
		      const char *name, struct kb_err *err)
{
	struct span rest = { text, len }, line;

	if (!next_line(&line, &rest))
		return kb_err(err, KB_ERR_MISSING, "'%s' is empty", name);
	return add_value(out, line, "the first line", name, err);
}

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* Take text between single quotes, or without quotes. */
static bool unquote_plain(struct kb_buf *out, struct span s,
			  const char *special)
{
	for (size_t i = 0; i < s.len; i++)
		if (is_one_of(s.p[i], special))
			return false;
	kb_buf_add(out, s.p, s.len);
	return true;
}

static bool unquote_double(struct kb_buf *out, struct span s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (is_one_of(s.p[i], "\"$`"))
			return false;
		if (s.p[i] == '\\') {
			i++;
			if (i == s.len || !is_one_of(s.p[i], "\\\"$`"))
				return false;
		}
		kb_buf_addch(out, s.p[i]);
	}
	return true;
}

/* os-release(5) wants values as a shell takes them, but without its expansions.
 * What a shell would make something else of is refused, not guessed at. */
static bool unquote_span(struct kb_buf *out, struct span s)
{
	char quote = s.len ? s.p[0] : '\0';
	struct span inner;

	if (quote != '"' && quote != '\'')
		return unquote_plain(out, s, " \t\"'\\$`;&|<>()#*?[]~");
	if (s.len < 2 || s.p[s.len - 1] != quote)
		return false;

	inner = (struct span){ s.p + 1, s.len - 2 };
	if (quote == '"')
		return unquote_double(out, inner);
	return unquote_plain(out, inner, "'");
}

int kb_text_fact_variable(struct kb_buf *out, const void *text, size_t len,
			  const char *variable, const char *name,
			  struct kb_err *err)
{
	struct span rest = { text, len }, line, left, right;
	struct span last = { NULL, 0 };
	kb_auto(buf) struct kb_buf plain = KB_BUF_INIT;

	while (next_line(&line, &rest))
		if (split_span(line, '=', &left, &right) && span_is(left, variable))
			/* As a shell has it: a later assignment replaces an
			 * earlier one. */
			last = right;
	if (!last.p)
		return kb_err(err, KB_ERR_MISSING, "'%s' does not set '%s'",
			      name, variable);
	if (!unquote_span(&plain, trim_span(last)))
		return kb_err(err, KB_ERR_INPUT,
			      "%s in '%s' is not quoted as it must be",
			      variable, name);
	return add_value(out, (struct span){ plain.data, plain.len }, variable,
			 name, err);
}
