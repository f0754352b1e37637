#include "source/code_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Code that is being read: `first` is what the next word will be. A candidate
 * in Python often holds C++ or CUDA in strings, and which it is written in
 * shows there: strings are read as C, one level deep, and their words marked.
 * Comments and docstrings are no code. Nothing is refused, since any bytes may
 * be submitted, and what is no Python gives words of some kind. */
struct reader {
	struct kb_code_words *words;
	const char *p, *end;
	size_t depth;			/* of brackets */
	bool first, in_string;
};

/* Characters of Unicode are parts of names as well. */
static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (unsigned char)c >= 0x80;
}

static bool is_name(char c)
{
	return is_name_start(c) || (c >= '0' && c <= '9');
}

static void add_word(struct reader *r, const char *text, size_t len)
{
	struct kb_code_words *w = r->words;

	if (w->count == w->capacity) {
		w->capacity = w->capacity ? 2 * w->capacity : 256;
		w->items = kb_xreallocarray(w->items, w->capacity,
					    sizeof(*w->items));
	}
	w->items[w->count++] = (struct kb_code_word){
		.text = text, .len = len, .is_name = is_name_start(text[0]),
		.in_string = r->in_string, .is_first = r->first,
	};
	r->first = false;
}

static bool starts_with(const struct reader *r, const char *text)
{
	const size_t len = strlen(text);

	return (size_t)(r->end - r->p) >= len && !memcmp(r->p, text, len);
}

/* Behind `text`, or to the end. */
static void skip_past(struct reader *r, const char *text)
{
	while (r->p < r->end && !starts_with(r, text))
		r->p++;
	r->p += r->p < r->end ? strlen(text) : 0;
}

static void read_name(struct reader *r)
{
	const char *start = r->p;

	while (r->p < r->end && is_name(*r->p))
		r->p++;
	add_word(r, start, (size_t)(r->p - start));
}

/* Behind the quotes that close what `quote` opened, which is one or three
 * times the same; a string in one line ends with that at the latest. */
static void skip_string(struct reader *r, const char *quote, bool is_long)
{
	while (r->p < r->end && !starts_with(r, quote)) {
		if (*r->p == '\n' && !is_long)
			return;
		r->p += *r->p == '\\' && r->p + 1 < r->end ? 2 : 1;
	}
	r->p += r->p < r->end ? strlen(quote) : 0;
}

/* --- C in a string ----------------------------------------------------- */

static void read_c(struct reader *r)
{
	const char quote[] = { *r->p, '\0' };

	if (starts_with(r, "//")) {
		skip_past(r, "\n");
	} else if (starts_with(r, "/*")) {
		r->p += 2;
		skip_past(r, "*/");
	} else if (*r->p == '"') {
		r->p++;
		skip_string(r, quote, false);
	} else if (is_name_start(*r->p)) {
		read_name(r);
	} else {
		if (!strchr(" \t\r\n", *r->p))
			add_word(r, r->p, 1);
		r->p++;
	}
}

static void read_string_as_c(struct kb_code_words *w, const char *text,
			     const char *end)
{
	struct reader r = { .words = w, .p = text, .end = end, .first = true,
			    .in_string = true };

	while (r.p < r.end)
		read_c(&r);
}

/* --- Python ------------------------------------------------------------ */

/* A string that is a whole statement is a docstring, and is for people. */
static bool ends_statement(const struct reader *r)
{
	const char *p = r->p;

	while (p < r->end && strchr(" \t\r", *p))
		p++;
	return p == r->end || strchr("\n#;", *p);
}

/* Where the next thing stands behind a string; `first`: it began a statement. */
static void read_string(struct reader *r)
{
	const char one[] = { *r->p, '\0' };
	const char three[] = { *r->p, *r->p, *r->p, '\0' };
	const bool is_long = starts_with(r, three), was_first = r->first;
	const char *quote = is_long ? three : one, *text;
	size_t quotes = strlen(quote), len;

	r->p += quotes;
	text = r->p;
	skip_string(r, quote, is_long);
	len = (size_t)(r->p - text);
	if (len >= quotes && !memcmp(r->p - quotes, quote, quotes))
		len -= quotes;
	r->first = false;
	if (!was_first || r->depth || !ends_statement(r))
		read_string_as_c(r->words, text, text + len);
}

/* Letters before a string's quotes are no name. */
static bool opens_string(const struct reader *r)
{
	const char *p = r->p;

	while (p < r->end && p - r->p < 2 && strchr("rRbBfFuUtT", *p))
		p++;
	return p < r->end && (*p == '"' || *p == '\'');
}

static void read_character(struct reader *r)
{
	const char c = *r->p;

	if (c == '(' || c == '[' || c == '{')
		r->depth++;
	else if ((c == ')' || c == ']' || c == '}') && r->depth)
		r->depth--;
	if ((c == '\n' || c == ';') && !r->depth)
		r->first = true;
	else if (!strchr(" \t\r\n", c))
		add_word(r, r->p, 1);
	r->p++;
	/* A block in one line. */
	if (c == ':' && !r->depth)
		r->first = true;
}

static void read_python(struct reader *r)
{
	if (*r->p == '#') {
		while (r->p < r->end && *r->p != '\n')
			r->p++;
	} else if (*r->p == '\\' && r->p + 1 < r->end && r->p[1] == '\n') {
		r->p += 2;
	} else if (opens_string(r)) {
		while (*r->p != '"' && *r->p != '\'')
			r->p++;
		read_string(r);
	} else if (is_name_start(*r->p)) {
		read_name(r);
	} else {
		read_character(r);
	}
}

void kb_code_words_read(struct kb_code_words *w, const char *code, size_t len)
{
	struct reader r = { .words = w, .p = code, .end = code + len,
			    .first = true };

	while (r.p < r.end)
		read_python(&r);
}

void kb_code_words_release(struct kb_code_words *w)
{
	free(w->items);
	*w = (struct kb_code_words)KB_CODE_WORDS_INIT;
}

bool kb_code_word_is(const struct kb_code_word *w, const char *text)
{
	return w->len == strlen(text) && !memcmp(w->text, text, w->len);
}
