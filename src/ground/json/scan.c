#include "json/scan.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "json/escape.h"
#include "json/plain.h"
#include "json/utf8.h"

struct scan {
	const uint8_t *data;
	size_t len;
	size_t at;		/* the next byte */
	bool integers_only;
	bool canonical;		/* so far */
	int depth;		/* containers open */
	size_t *keys;		/* where those of open objects are */
	size_t key_count, key_capacity;
	const char *name;
	struct kb_err *err;
};

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
static int peek_byte(const struct scan *s)
{
	return s->at < s->len ? s->data[s->at] : -1;
}

static bool take_byte(struct scan *s, char c)
{
	if (peek_byte(s) != c)
		return false;
	s->at++;
	return true;
}

static bool is_space(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static __attribute__((noinline)) void skip_spaces(struct scan *s)
{
	while (is_space(peek_byte(s))) {
		s->canonical = false;
		s->at++;
	}
}

/* Nearly always there is none. */
static inline void skip_space(struct scan *s)
{
	if (s->at >= s->len || s->data[s->at] <= ' ')
		skip_spaces(s);
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int scan_escape(struct scan *s, uint32_t *out)
{
	struct kb_json_escape e;
	const char *wrong = kb_json_escape_read(&e, s->data + s->at,
						s->len - s->at);

	s->at += e.bytes;
	if (wrong)
		return fail_here(s, wrong);
	if (!e.canonical)
		s->canonical = false;
	*out = e.character;
	return 0;
}

static int scan_character(struct scan *s, uint32_t *out)
{
	int c = peek_byte(s);
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

static void skip_plain(struct scan *s)
{
	s->at += kb_json_plain(s->data + s->at, s->len - s->at);
}

static int scan_string(struct scan *s)
{
	uint32_t c;

	s->at++;
	for (skip_plain(s); !take_byte(s, '"'); skip_plain(s)) {
		int ret = scan_character(s, &c);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* Integers of so many digits are all below 2^53. */
#define SAFE_DIGITS 15

/* The digits from `start` are an integer that a double holds exactly. */
static int check_integer(struct scan *s, size_t start, size_t digits)
{
	uint64_t magnitude = 0;

	if (s->data[start] == '-' && s->data[digits] == '0')
		return fail_at(s, start, "negative zero");
	if (s->at - digits <= SAFE_DIGITS)
		return 0;
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
	if (!is_digit(peek_byte(s)))
		return fail_here(s, "want a digit");
	while (is_digit(peek_byte(s)))
		s->at++;
	return 0;
}

/* The fraction and the exponent of a number, both optional. */
static int scan_scale(struct scan *s)
{
	int ret = 0;

	if (take_byte(s, '.'))
		ret = scan_digits(s);
	if (ret < 0)
		return ret;
	if (take_byte(s, 'e') || take_byte(s, 'E')) {
		(void)(take_byte(s, '+') || take_byte(s, '-'));
		ret = scan_digits(s);
	}
	return ret;
}

static int scan_number(struct scan *s)
{
	size_t start = s->at, digits, scale;
	int ret;

	take_byte(s, '-');
	digits = s->at;
	if (take_byte(s, '0') && is_digit(peek_byte(s)))
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
		if (!take_byte(s, *word))
			return fail_here(s, "want a value");
	}
	return 0;
}

/*
 * Words that other writers, such as Python's, put where JSON has none. The
 * maker of a foreign file should learn which. For our own records "no value" is
 * enough.
 */
static int fail_not_a_value(struct scan *s)
{
	static const char *const names[] = { "NaN", "Infinity", "-Infinity" };

	for (size_t i = 0; i < KB_ARRAY_LEN(names) && !s->integers_only; i++)
		if (s->len - s->at >= strlen(names[i]) &&
		    !memcmp(s->data + s->at, names[i], strlen(names[i])))
			return fail_here(s, "NaN and Infinity are not JSON, want a value");
	return fail_here(s, "want a value");
}

static int scan_array(struct scan *s)
{
	s->at++;
	skip_space(s);
	if (take_byte(s, ']'))
		return 0;
	for (;;) {
		int ret = scan_value(s);

		if (ret < 0)
			return ret;
		if (take_byte(s, ']'))
			return 0;
		if (!take_byte(s, ','))
			return fail_here(s, "want ',' or ']'");
	}
}

/*
 * The next character of a string that was scanned, in the order of UTF-16:
 * surrogates, and so what is above U+FFFF, come before U+E000. 0 at the end.
 */
static uint32_t next_rank(struct scan *s)
{
	uint32_t c = 0;

	if (peek_byte(s) == '"' || scan_character(s, &c) < 0)
		return 0;
	return c >= 0xe000 && c <= 0xffff ? c + 0x110000 : c;
}

static int compare_characters(const struct scan *s, size_t a, size_t b)
{
	struct scan x = { .data = s->data, .len = s->len, .at = a };
	struct scan y = { .data = s->data, .len = s->len, .at = b };
	uint32_t p, q;

	do {
		p = next_rank(&x);
		q = next_rank(&y);
	} while (p && p == q);
	return (p > q) - (p < q);
}

/* Keys that were scanned, by where they are. Most are plain where they begin
 * to differ. */
static int compare_keys(const struct scan *s, size_t a, size_t b)
{
	const uint8_t *p = s->data + a + 1, *q = s->data + b + 1;

	while (*p == *q && kb_json_is_plain(*p)) {
		p++;
		q++;
	}
	if (kb_json_is_plain(*p) && kb_json_is_plain(*q))
		return *p - *q;
	return compare_characters(s, (size_t)(p - s->data),
				  (size_t)(q - s->data));
}

static int compare_places(const void *pa, const void *pb, void *scan)
{
	const size_t a = *(const size_t *)pa, b = *(const size_t *)pb;
	const int order = compare_keys(scan, a, b);

	return order ? order : (a > b) - (a < b);
}

/* Sorted first: an object of a million keys must not cost a million^2. */
static int check_keys(struct scan *s, size_t *keys, size_t count)
{
	qsort_r(keys, count, sizeof(*keys), compare_places, s);
	for (size_t i = 1; i < count; i++)
		if (!compare_keys(s, keys[i - 1], keys[i]))
			return kb_err(s->err, KB_ERR_INPUT,
				      "cannot parse '%s': key at byte %zu repeats the one at byte %zu",
				      s->name, keys[i], keys[i - 1]);
	return 0;
}

static int scan_member(struct scan *s)
{
	int ret;

	skip_space(s);
	if (peek_byte(s) != '"')
		return fail_here(s, "want a key");
	s->keys = kb_grow(s->keys, s->key_count, &s->key_capacity,
			  sizeof(*s->keys));
	s->keys[s->key_count++] = s->at;
	ret = scan_string(s);
	if (ret < 0)
		return ret;

	skip_space(s);
	if (!take_byte(s, ':'))
		return fail_here(s, "want ':'");
	return scan_value(s);
}

/* All keys from number `first` on are the object's. */
static int end_object(struct scan *s, size_t first)
{
	const size_t count = s->key_count - first;
	bool ascend = true;

	for (size_t i = first + 1; i < s->key_count && ascend; i++)
		ascend = compare_keys(s, s->keys[i - 1], s->keys[i]) < 0;
	s->key_count = first;
	if (ascend)			/* so they are distinct */
		return 0;
	s->canonical = false;
	return check_keys(s, s->keys + first, count);
}

static int scan_object(struct scan *s)
{
	const size_t first = s->key_count;

	s->at++;
	skip_space(s);
	if (take_byte(s, '}'))
		return 0;
	for (;;) {
		int ret = scan_member(s);

		if (ret < 0)
			return ret;
		if (take_byte(s, '}'))
			return end_object(s, first);
		if (!take_byte(s, ','))
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
	switch (peek_byte(s)) {
	case '{':
	case '[':
		return scan_container(s);
	case '"':
		return scan_string(s);
	case 't':
		return scan_word(s, "true");
	case 'f':
		return scan_word(s, "false");
	case 'n':
		return scan_word(s, "null");
	case '-':
		if (s->at + 1 < s->len && s->data[s->at + 1] == 'I')
			return fail_not_a_value(s);
		return scan_number(s);
	case '0' ... '9':
		return scan_number(s);
	default:
		return fail_not_a_value(s);
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

/* JSON lines begin with a value that is whole. */
static int fail_more(struct scan *s)
{
	if (s->integers_only)
		return fail_here(s, "more after the value");
	if (peek_byte(s) == '{' || peek_byte(s) == '[')
		return fail_here(s, "want one value, not JSON lines, and another begins");
	return fail_here(s, "want the end, and there is more after the value");
}

int kb_json_scan(bool *canonical, const void *data, size_t len,
		 enum kb_json_dialect dialect, const char *name,
		 struct kb_err *err)
{
	struct scan s = {
		.data = data,
		.len = len,
		.integers_only = dialect != KB_JSON_FOREIGN,
		.canonical = true,
		.name = name,
		.err = err,
	};
	int ret = scan_value(&s);

	free(s.keys);
	if (ret < 0)
		return ret;
	if (s.at < s.len)
		return fail_more(&s);
	*canonical = s.canonical;
	return 0;
}
