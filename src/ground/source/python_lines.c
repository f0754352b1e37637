#include "source/python_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"

#define refuse(l, err, fmt, ...)					\
	kb_err(err, KB_ERR_INPUT, "line %zu: " fmt, (l)->at_line,	\
	       ##__VA_ARGS__)

static bool is_word_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_word_start(c) || is_digit(c);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_line_end(char c)
{
	return c == '\n' || c == '\r';
}

/* The byte `ahead` of the next, or NUL behind the end. */
static char peek_byte(const struct kb_python_line *l, size_t ahead)
{
	return (size_t)(l->end - l->next) > ahead ? l->next[ahead] : '\0';
}

static bool starts_with(const struct kb_python_line *l, const char *text)
{
	const size_t len = strlen(text);

	return (size_t)(l->end - l->next) >= len &&
	       !memcmp(l->next, text, len);
}

/* Behind the end of a physical line, which may be of two bytes. */
static void skip_line_end(struct kb_python_line *l)
{
	l->next += starts_with(l, "\r\n") ? 2 : 1;
	l->at_line++;
}

static void skip_comment(struct kb_python_line *l)
{
	while (l->next < l->end && !is_line_end(*l->next))
		l->next++;
}

static void add_token(struct kb_python_line *l, enum kb_python_token_kind kind,
		      const char *start, int depth)
{
	l->tokens = kb_grow(l->tokens, l->count, &l->capacity,
			    sizeof(*l->tokens));
	l->tokens[l->count++] = (struct kb_python_token){
		.kind = kind, .text = start,
		.len = (size_t)(l->next - start), .depth = depth,
	};
}

/* --- strings ----------------------------------------------------------- */

/* Letters may stand before the quotes of a string: how many, and -1 if what
 * is next is no string. */
static int letters_of_string(const struct kb_python_line *l)
{
	int letters = 0;

	while (letters < 2 && peek_byte(l, (size_t)letters) &&
	       strchr("rRbBfFuU", peek_byte(l, (size_t)letters)))
		letters++;
	return peek_byte(l, (size_t)letters) == '"' ||
	       peek_byte(l, (size_t)letters) == '\'' ? letters : -1;
}

/* A backslash takes the next byte along in a raw string as well. */
static int skip_string(struct kb_python_line *l, const char *quotes,
		       struct kb_err *err)
{
	while (l->next < l->end && !starts_with(l, quotes)) {
		if (*l->next == '\0' ||
		    (is_line_end(*l->next) && strlen(quotes) == 1))
			break;
		if (*l->next == '\\' && l->next + 1 < l->end)
			l->next++;
		if (is_line_end(*l->next))
			skip_line_end(l);
		else
			l->next++;
	}
	if (!starts_with(l, quotes))
		return refuse(l, err, "a string has no end");
	l->next += strlen(quotes);
	return 0;
}

static int read_string(struct kb_python_line *l, int letters, int depth,
		       struct kb_err *err)
{
	const char *start = l->next;
	const char quote = start[letters];
	const char one[] = { quote, '\0' };
	const char three[] = { quote, quote, quote, '\0' };
	bool is_long;
	int ret;

	l->next += letters;
	is_long = starts_with(l, three);
	l->next += is_long ? 3 : 1;
	ret = skip_string(l, is_long ? three : one, err);
	if (ret == 0)
		add_token(l, KB_PYTHON_STRING, start, depth);
	return ret;
}

/* --- words, numbers, operators ------------------------------------------ */

static void read_word(struct kb_python_line *l, int depth)
{
	const char *start = l->next;
	const bool is_number = is_digit(*start);

	while (l->next < l->end &&
	       (is_word(*l->next) || (is_number && *l->next == '.')))
		l->next++;
	add_token(l, is_number ? KB_PYTHON_NUMBER : KB_PYTHON_WORD, start, depth);
}

/* Tell operators of several bytes that end in "=" from "=" itself. */
static void read_operator(struct kb_python_line *l, int depth)
{
	const char *start = l->next++;

	if (strchr("*/<>", *start) && peek_byte(l, 0) == *start)
		l->next++;
	if (strchr("=!<>+-*/%@&|^:", *start) && peek_byte(l, 0) == '=')
		l->next++;
	add_token(l, KB_PYTHON_OPERATOR, start, depth);
}

static int read_bracket(struct kb_python_line *l, int *depth,
			struct kb_err *err)
{
	const bool opens = strchr("([{", *l->next) != NULL;

	if (!opens && *depth == 0)
		return refuse(l, err, "a bracket is closed that is not open");
	l->next++;
	*depth -= !opens;
	add_token(l, KB_PYTHON_OPERATOR, l->next - 1, *depth);
	*depth += opens;
	return 0;
}

static int refuse_byte(const struct kb_python_line *l, struct kb_err *err)
{
	return refuse(l, err, "byte 0x%02x is not read here",
		      (unsigned)(unsigned char)*l->next);
}

static int read_token(struct kb_python_line *l, int *depth,
		      struct kb_err *err)
{
	const int letters = letters_of_string(l);
	const char c = *l->next;

	if (letters >= 0)
		return read_string(l, letters, *depth, err);
	if (is_word(c))
		read_word(l, *depth);
	else if (c && strchr("()[]{}", c))
		return read_bracket(l, depth, err);
	else if (c && strchr("=!<>+-*/%@&|^:~,.", c))
		read_operator(l, *depth);
	else
		return refuse_byte(l, err);
	return 0;
}

/* --- lines --------------------------------------------------------------- */

/* To the first token of a line, over lines that have none. False: there is no
 * more. */
static bool find_start(struct kb_python_line *l)
{
	while (l->next < l->end) {
		const char *start = l->next;

		while (l->next < l->end && is_blank(*l->next))
			l->next++;
		if (l->is_fresh)
			l->is_indented = l->next > start;
		if (l->next == l->end)
			break;
		if (*l->next == '#')
			skip_comment(l);
		if (l->next < l->end && !is_line_end(*l->next))
			return true;
		if (l->next < l->end)
			skip_line_end(l);
		l->is_fresh = true;
	}
	return false;
}

/* Skip what is between tokens. Returns true if there was any. */
static bool skip_between(struct kb_python_line *l, int depth)
{
	const char c = *l->next;

	if (is_blank(c))
		l->next++;
	else if (c == '#')
		skip_comment(l);
	else if (is_line_end(c) && depth)
		skip_line_end(l);
	else if (starts_with(l, "\\\n") || starts_with(l, "\\\r")) {
		l->next++;
		skip_line_end(l);
	} else {
		return false;
	}
	return true;
}

/* Behind the end of the line that is read, if it stands here. */
static bool take_end(struct kb_python_line *l, int depth)
{
	if (depth || (*l->next != ';' && !is_line_end(*l->next)))
		return false;
	l->is_fresh = *l->next != ';';
	if (l->is_fresh)
		skip_line_end(l);
	else
		l->next++;
	return true;
}

void kb_python_line_begin(struct kb_python_line *l, const char *text,
			  size_t len)
{
	*l = (struct kb_python_line){
		.next = text, .end = text + len, .at_line = 1,
		.is_fresh = true,
	};
}

void kb_python_line_release(struct kb_python_line *l)
{
	free(l->tokens);
	*l = (struct kb_python_line)KB_PYTHON_LINE_INIT;
}

int kb_python_line_read(struct kb_python_line *l, struct kb_err *err)
{
	int depth = 0, ret;

	l->count = 0;
	if (!find_start(l))
		return 0;
	l->number = l->at_line;
	/* Python has rules of its own for where such a line is indented. */
	if (*l->next == '\\' || *l->next == ';')
		return refuse_byte(l, err);
	while (l->next < l->end && !take_end(l, depth)) {
		if (skip_between(l, depth))
			continue;
		ret = read_token(l, &depth, err);
		if (ret < 0)
			return ret;
	}
	if (depth)
		return refuse(l, err, "a bracket is open at the end");
	return 1;
}

bool kb_python_token_is(const struct kb_python_token *t, const char *text)
{
	return t->len == strlen(text) && !memcmp(t->text, text, t->len);
}
