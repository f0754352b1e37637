#include "json/scan.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/utf8.h"

struct scan {
	const uint8_t *data;
	size_t len;
	size_t at;		/* the next byte */
	bool integers_only;
	int depth;		/* containers open */
	const char *name;
	struct kb_err *err;
};

/* The keys of one object. */
struct key {
	size_t at;		/* in the input */
	size_t text;		/* in `texts` */
};

struct keys {
	struct key *v;
	size_t count, capacity;
	struct kb_buf texts;	/* unescaped, each with its NUL */
};

static void kb_cleanup_keys(struct keys *keys)
{
	free(keys->v);
	kb_buf_release(&keys->texts);
}

static int scan_value(struct scan *s);

static int fail_at(struct scan *s, size_t at, const char *what)
{
	return kb_err(s->err, KB_ERR_INPUT, "cannot parse '%s': %s at byte %zu",
		      s->name, what, at);
}

/* The next byte is not what it must be, if there is one at all. */
static int fail_here(struct scan *s, const char *what)
{
	return fail_at(s, s->at, s->at < s->len ? what : "ends too soon");
}

/* The next byte, or -1 at the end. */
static int peek(const struct scan *s)
{
	return s->at < s->len ? s->data[s->at] : -1;
}

static bool take(struct scan *s, char c)
{
	if (peek(s) != c)
		return false;
	s->at++;
	return true;
}

static void skip_space(struct scan *s)
{
	while (take(s, ' ') || take(s, '\t') || take(s, '\n') || take(s, '\r'))
		;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int hex_value(int c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The four digits after a \u. */
static int scan_hex4(struct scan *s, uint32_t *out)
{
	*out = 0;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(peek(s));

		if (digit < 0)
			return fail_here(s, "want four hex digits");
		*out = *out << 4 | (uint32_t)digit;
		s->at++;
	}
	return 0;
}

/*
 * A \u escape, or two that make a surrogate pair; `s` is at the u, the
 * backslash before it at `start`.
 */
static int scan_unicode(struct scan *s, size_t start, uint32_t *out)
{
	uint32_t low;
	int ret;

	s->at++;
	ret = scan_hex4(s, out);
	if (ret < 0)
		return ret;
	if (*out == 0)
		return fail_at(s, start, "escaped NUL");
	if (*out < 0xd800 || *out > 0xdfff)
		return 0;

	if (*out > 0xdbff || !take(s, '\\') || !take(s, 'u'))
		return fail_at(s, start, "lone surrogate");
	ret = scan_hex4(s, &low);
	if (ret < 0)
		return ret;
	if (low < 0xdc00 || low > 0xdfff)
		return fail_at(s, start, "lone surrogate");
	*out = 0x10000 + ((*out - 0xd800) << 10) + (low - 0xdc00);
	return 0;
}

static int scan_escape(struct scan *s, uint32_t *out)
{
	static const char escapes[] = "\"\\/bfnrt";
	static const char meanings[] = "\"\\/\b\f\n\r\t";
	size_t start = s->at++;
	const char *found;

	if (peek(s) == 'u')
		return scan_unicode(s, start, out);
	found = memchr(escapes, peek(s), sizeof(escapes) - 1);
	if (!found)
		return fail_here(s, "unknown escape");
	*out = (uint32_t)meanings[found - escapes];
	s->at++;
	return 0;
}

static int scan_character(struct scan *s, uint32_t *out)
{
	int c = peek(s);
	size_t n;

	if (c == '\\')
		return scan_escape(s, out);
	if (c < 0x20)
		return fail_here(s, "control character in a string");
	n = kb_utf8_decode(out, s->data + s->at, s->len - s->at);
	if (n == 0)
		return fail_here(s, "invalid UTF-8");
	s->at += n;
	return 0;
}

/* `text`, if not NULL, receives what the string says. */
static int scan_string(struct scan *s, struct kb_buf *text)
{
	uint32_t c;

	s->at++;
	while (!take(s, '"')) {
		int ret = scan_character(s, &c);

		if (ret < 0)
			return ret;
		if (text)
			kb_utf8_encode(text, c);
	}
	return 0;
}

/* The digits from `start` are an integer that a double holds exactly. */
static int check_integer(struct scan *s, size_t start, size_t digits)
{
	uint64_t magnitude = 0;

	if (s->data[start] == '-' && s->data[digits] == '0')
		return fail_at(s, start, "negative zero");
	for (size_t i = digits; i < s->at; i++) {
		magnitude = 10 * magnitude + (s->data[i] - '0');
		if (magnitude > KB_JSON_INT_MAX)
			return fail_at(s, start,
				       "integer beyond +-(2^53 - 1)");
	}
	return 0;
}

/* Any number that a double comes near to. */
static int check_finite(struct scan *s, size_t start)
{
	char text[KB_JSON_NUMBER_MAX_BYTES + 1];
	size_t n = s->at - start;

	if (n > KB_JSON_NUMBER_MAX_BYTES)
		return fail_at(s, start, "number too long");
	memcpy(text, s->data + start, n);
	text[n] = '\0';
	if (!isfinite(strtod(text, NULL)))
		return fail_at(s, start, "number too large for a double");
	return 0;
}

static int scan_digits(struct scan *s)
{
	if (!is_digit(peek(s)))
		return fail_here(s, "want a digit");
	while (is_digit(peek(s)))
		s->at++;
	return 0;
}

/* The fraction and the exponent of a number, both optional. */
static int scan_scale(struct scan *s)
{
	int ret = 0;

	if (take(s, '.'))
		ret = scan_digits(s);
	if (ret < 0)
		return ret;
	if (take(s, 'e') || take(s, 'E')) {
		(void)(take(s, '+') || take(s, '-'));
		ret = scan_digits(s);
	}
	return ret;
}

static int scan_number(struct scan *s)
{
	size_t start = s->at, digits, scale;
	int ret;

	take(s, '-');
	digits = s->at;
	if (take(s, '0') && is_digit(peek(s)))
		return fail_at(s, digits, "leading zero");
	if (s->at == digits) {
		ret = scan_digits(s);
		if (ret < 0)
			return ret;
	}

	scale = s->at;
	ret = scan_scale(s);
	if (ret < 0)
		return ret;
	if (!s->integers_only)
		return check_finite(s, start);
	if (s->at != scale)
		return fail_at(s, scale, "fraction or exponent");
	return check_integer(s, start, digits);
}

static int scan_word(struct scan *s, const char *word)
{
	for (; *word; word++) {
		if (!take(s, *word))
			return fail_here(s, "want a value");
	}
	return 0;
}

static int scan_array(struct scan *s)
{
	s->at++;
	skip_space(s);
	if (take(s, ']'))
		return 0;
	for (;;) {
		int ret = scan_value(s);

		if (ret < 0)
			return ret;
		if (take(s, ']'))
			return 0;
		if (!take(s, ','))
			return fail_here(s, "want ',' or ']'");
	}
}

static int compare_keys(const void *pa, const void *pb, void *texts)
{
	const struct key *a = pa, *b = pb;
	int order = strcmp((char *)texts + a->text, (char *)texts + b->text);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* Sorted first: an object of a million keys must not cost a million^2. */
static int check_keys(struct scan *s, struct keys *keys)
{
	const char *texts = keys->texts.data;

	qsort_r(keys->v, keys->count, sizeof(*keys->v), compare_keys,
		keys->texts.data);
	for (size_t i = 1; i < keys->count; i++) {
		const struct key *a = &keys->v[i - 1], *b = a + 1;

		if (!strcmp(texts + a->text, texts + b->text))
			return kb_err(s->err, KB_ERR_INPUT,
				      "cannot parse '%s': key at byte %zu repeats the one at byte %zu",
				      s->name, b->at, a->at);
	}
	return 0;
}

static int scan_member(struct scan *s, struct keys *keys)
{
	int ret;

	skip_space(s);
	if (peek(s) != '"')
		return fail_here(s, "want a key");
	keys->v = kb_grow(keys->v, keys->count, &keys->capacity,
			  sizeof(*keys->v));
	keys->v[keys->count++] = (struct key){
		.at = s->at,
		.text = keys->texts.len,
	};
	ret = scan_string(s, &keys->texts);
	if (ret < 0)
		return ret;
	kb_buf_addch(&keys->texts, '\0');

	skip_space(s);
	if (!take(s, ':'))
		return fail_here(s, "want ':'");
	return scan_value(s);
}

static int scan_object(struct scan *s)
{
	kb_auto(keys) struct keys keys = { .texts = KB_BUF_INIT };

	s->at++;
	skip_space(s);
	if (take(s, '}'))
		return 0;
	for (;;) {
		int ret = scan_member(s, &keys);

		if (ret < 0)
			return ret;
		if (take(s, '}'))
			return check_keys(s, &keys);
		if (!take(s, ','))
			return fail_here(s, "want ',' or '}'");
	}
}

static int scan_container(struct scan *s)
{
	int ret;

	if (s->depth == KB_JSON_DEPTH_MAX)
		return fail_here(s, "nesting too deep");
	s->depth++;
	ret = s->data[s->at] == '{' ? scan_object(s) : scan_array(s);
	s->depth--;
	return ret;
}

static int scan_bare_value(struct scan *s)
{
	switch (peek(s)) {
	case '{':
	case '[':
		return scan_container(s);
	case '"':
		return scan_string(s, NULL);
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	case '-':
	case '0' ... '9':
		return scan_number(s);
	default:
		return fail_here(s, "want a value");
	}
}

/* A value and the space around it. */
static int scan_value(struct scan *s)
{
	int ret;

	skip_space(s);
	ret = scan_bare_value(s);
	skip_space(s);
	return ret;
}

int kb_json_scan(const void *data, size_t len, enum kb_json_dialect dialect,
		 const char *name, struct kb_err *err)
{
	struct scan s = {
		.data = data,
		.len = len,
		.integers_only = dialect != KB_JSON_FOREIGN,
		.name = name,
		.err = err,
	};
	int ret = scan_value(&s);

	if (ret < 0)
		return ret;
	if (s.at < s.len)
		return fail_here(&s, "more after the value");
	return 0;
}
