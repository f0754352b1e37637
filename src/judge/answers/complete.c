#include "answers/complete.h"

#include <ctype.h>
#include <string.h>

struct scan {
	const char *p, *end;
	char open[KB_BRACKETS_MAX];	/* the closing ones that are wanted */
	size_t depth;
};

/* A bracket, or any other byte. False if it closes what is not open. */
static bool take_bracket(struct scan *s, char c)
{
	static const char opening[] = "([{", closing[] = ")]}";
	const char *at = c ? strchr(opening, c) : NULL;

	if (at) {
		if (s->depth == KB_BRACKETS_MAX)
			return false;
		s->open[s->depth++] = closing[at - opening];
		return true;
	}
	if (c && strchr(closing, c))
		return s->depth && s->open[--s->depth] == c;
	return true;
}

static bool starts_with(const struct scan *s, const char *with)
{
	const size_t len = strlen(with);

	return (size_t)(s->end - s->p) >= len && !memcmp(s->p, with, len);
}

/* Up to the line's end, which stays. */
static void skip_line(struct scan *s)
{
	while (s->p < s->end && *s->p != '\n')
		s->p++;
}

/* Behind the closing `quote`; `p` is behind the opening one. */
static bool skip_string(struct scan *s, char quote)
{
	for (; s->p < s->end; s->p++) {
		if (*s->p == quote) {
			s->p++;
			return true;
		}
		if (*s->p == '\n')
			return false;
		if (*s->p == '\\' && ++s->p == s->end)
			return false;
	}
	return false;
}

static bool skip_triple(struct scan *s, const char *quotes)
{
	for (; s->p < s->end; s->p++) {
		if (starts_with(s, quotes)) {
			s->p += 3;
			return true;
		}
		if (*s->p == '\\' && ++s->p == s->end)
			return false;
	}
	return false;
}

static bool take_python(struct scan *s)
{
	const char c = *s->p;

	if (starts_with(s, "\"\"\"") || starts_with(s, "'''")) {
		s->p += 3;
		return skip_triple(s, c == '"' ? "\"\"\"" : "'''");
	}
	s->p++;
	if (c == '#') {
		skip_line(s);
		return true;
	}
	return c == '"' || c == '\'' ? skip_string(s, c) : take_bracket(s, c);
}

bool kb_complete_python(const char *text, size_t len)
{
	struct scan s = { .p = text, .end = text + len };

	while (s.p < s.end)
		if (!take_python(&s))
			return false;
	return s.depth == 0;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static void skip_blanks(struct scan *s)
{
	while (s->p < s->end && is_blank(*s->p))
		s->p++;
}

/* Pass over this word, if it comes next. */
static bool take_this(struct scan *s, const char *word)
{
	const char *behind = s->p + strlen(word);

	if (!starts_with(s, word) || (behind < s->end && is_word(*behind)))
		return false;
	s->p = behind;
	skip_blanks(s);
	return true;
}

/* `s` is a copy, at the first token of a line. */
static bool begins_definition(struct scan s, const char *name)
{
	if (take_this(&s, "class"))
		return take_this(&s, name);
	return take_this(&s, name) && s.depth == 0 && starts_with(&s, "=") &&
	       !starts_with(&s, "==");
}

bool kb_defines_python(const char *text, size_t len, const char *name)
{
	struct scan s = { .p = text, .end = text + len };
	bool begins_line = true;

	while (s.p < s.end) {
		if (begins_line && begins_definition(s, name))
			return true;
		begins_line = *s.p == '\n' ||
			      (begins_line && is_blank(*s.p));
		take_python(&s);
	}
	return false;
}

/* Behind *\/; `p` is behind the opening. */
static bool skip_comment(struct scan *s)
{
	for (; s->p < s->end; s->p++) {
		if (starts_with(s, "*/")) {
			s->p += 2;
			return true;
		}
	}
	return false;
}

/* R"delimiter(...)delimiter", of which `p` is behind the quote. */
static bool skip_raw(struct scan *s)
{
	const char *delimiter = s->p;
	size_t len = 0;

	while (s->p < s->end && *s->p != '(' && len <= 16)
		s->p++, len++;
	if (s->p == s->end || *s->p != '(' || len > 16)
		return false;
	for (; s->p < s->end; s->p++) {
		if (*s->p != ')' || (size_t)(s->end - s->p) < len + 2 ||
		    memcmp(s->p + 1, delimiter, len) || s->p[len + 1] != '"')
			continue;
		s->p += len + 2;
		return true;
	}
	return false;
}

/* R, LR, uR, UR or u8R. */
static bool is_raw_prefix(const char *word, size_t len)
{
	return len && word[len - 1] == 'R' &&
	       (len == 1 || (len == 2 && strchr("LuU", *word)) ||
		(len == 3 && !memcmp(word, "u8", 2)));
}

/* A name, a prefix of a string or a number, in which quotes separate
 * digits. */
static bool take_word(struct scan *s)
{
	const char *word = s->p;
	const bool is_number = isdigit((unsigned char)*word);

	while (s->p < s->end &&
	       (is_word(*s->p) ||
		(is_number && *s->p == '\'' && s->p + 1 < s->end &&
		 is_word(s->p[1]))))
		s->p++;
	if (s->p < s->end && *s->p == '"' &&
	    is_raw_prefix(word, (size_t)(s->p - word))) {
		s->p++;
		return skip_raw(s);
	}
	return true;
}

/* The rest of the line after these two is text for people. */
static bool is_message(const struct scan *s)
{
	struct scan at = *s;

	at.p++;
	while (at.p < at.end && (*at.p == ' ' || *at.p == '\t'))
		at.p++;
	return starts_with(&at, "error") || starts_with(&at, "warning");
}

static bool take_c(struct scan *s)
{
	const char c = *s->p;

	if (is_word(c))
		return take_word(s);
	if (starts_with(s, "//") || (c == '#' && is_message(s))) {
		skip_line(s);
		return true;
	}
	if (starts_with(s, "/*")) {
		s->p += 2;
		return skip_comment(s);
	}
	s->p++;
	return c == '"' || c == '\'' ? skip_string(s, c) : take_bracket(s, c);
}

bool kb_complete_c(const char *text, size_t len)
{
	struct scan s = { .p = text, .end = text + len };

	while (s.p < s.end)
		if (!take_c(&s))
			return false;
	return s.depth == 0;
}

/* How much of `name (...) {` there has been. */
enum heading {
	NOTHING,
	NAME,
	ARGUMENTS,
	CLOSED,
};

/* The next token begins with `c`; `depth` is the name's, of brackets. */
static enum heading next_heading(enum heading h, char c, const struct scan *s,
				 size_t depth)
{
	if (h == ARGUMENTS)
		return s->depth == depth ? CLOSED : ARGUMENTS;
	return h == NAME && c == '(' ? ARGUMENTS : NOTHING;
}

bool kb_defines_c(const char *text, size_t len, const char *name)
{
	struct scan s = { .p = text, .end = text + len };
	enum heading h = NOTHING;
	size_t depth = 0;

	while (s.p < s.end) {
		struct scan at = s;

		take_c(&s);
		if (isspace((unsigned char)*at.p) || starts_with(&at, "//") ||
		    starts_with(&at, "/*"))
			continue;
		if (h == CLOSED && *at.p == '{')
			return true;
		if (h != ARGUMENTS && take_this(&at, name)) {
			h = NAME;
			depth = at.depth;
			continue;
		}
		h = next_heading(h, *at.p, &s, depth);
	}
	return false;
}
