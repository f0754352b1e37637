#include "json/build.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json/escape.h"
#include "json/plain.h"
#include "json/pool.h"

/* A copy of the text, which strings stay in: each ends where its quote was. */
struct build {
	char *at;			/* the next byte */
	const char *end;
	struct kb_json_pool *pool;
};

static cJSON *new_item(struct build *b, int type)
{
	cJSON *item = kb_json_pool_take(b->pool, sizeof(*item));

	*item = (cJSON){ .type = type };
	return item;
}

static void skip_space(struct build *b)
{
	while (*b->at == ' ' || *b->at == '\t' || *b->at == '\n' ||
	       *b->at == '\r')
		b->at++;
}

/* Returns how many bytes `c` has in UTF-8. */
static size_t put_character(char *out, uint32_t c)
{
	const size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const uint8_t marks[] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	for (size_t i = len - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(marks[len] | c);
	return len;
}

/* From the first escape on: a character is no longer than its escape. */
static void take_escaped(struct build *b, char *out)
{
	while (*b->at != '"') {
		struct kb_json_escape e;

		if (*b->at != '\\') {
			*out++ = *b->at++;
			continue;
		}
		if (kb_json_escape_read(&e, (const uint8_t *)b->at,
					(size_t)(b->end - b->at)))
			KB_BUG("an escape that was not scanned");
		b->at += e.bytes;
		out += put_character(out, e.character);
	}
	*out = '\0';
}

static char *take_string(struct build *b)
{
	char *text = ++b->at;

	while (*b->at != '"' && *b->at != '\\')
		b->at += kb_json_plain(b->at, (size_t)(b->end - b->at)) ?: 1;
	if (*b->at == '\\')
		take_escaped(b, b->at);
	else
		*b->at = '\0';
	b->at++;
	return text;
}

/* So many digits are exact in a double, and need no strtod(). */
#define PLAIN_DIGITS 15

static cJSON *take_number(struct build *b)
{
	cJSON *item = new_item(b, cJSON_Number);
	const bool is_negative = *b->at == '-';
	const char *digits = b->at + is_negative;
	const size_t count = strspn(digits, "0123456789");
	int64_t magnitude = 0;

	if (count > PLAIN_DIGITS || (is_negative && *digits == '0') ||
	    strchr(".eE", digits[count])) {
		item->valuedouble = strtod(b->at, &b->at);
		return item;
	}
	for (size_t i = 0; i < count; i++)
		magnitude = 10 * magnitude + (digits[i] - '0');
	b->at += is_negative + count;
	item->valuedouble = (double)(is_negative ? -magnitude : magnitude);
	return item;
}

static cJSON *take_word(struct build *b, int type, size_t len)
{
	b->at += len;
	return new_item(b, type);
}

/* Nothing is checked here: the scanner has accepted the text, so that an
 * escape, a bracket or a digit is where it has to be. */
static cJSON *take_value(struct build *b);

/* As cJSON has it, the first of the children knows the last. */
static cJSON *take_children(struct build *b, int type, char close)
{
	cJSON *item = new_item(b, type), *last = NULL;

	b->at++;
	for (skip_space(b); *b->at != close; skip_space(b)) {
		char *key = NULL;
		cJSON *child;

		if (last) {
			b->at++;	/* the comma */
			skip_space(b);
		}
		if (type == cJSON_Object) {
			key = take_string(b);
			skip_space(b);
			b->at++;	/* the colon */
		}
		child = take_value(b);
		child->string = key;
		child->prev = last;
		*(last ? &last->next : &item->child) = child;
		last = child;
	}
	b->at++;
	if (last)
		item->child->prev = last;
	return item;
}

static cJSON *take_value(struct build *b)
{
	cJSON *item;

	skip_space(b);
	switch (*b->at) {
	case '{':
		return take_children(b, cJSON_Object, '}');
	case '[':
		return take_children(b, cJSON_Array, ']');
	case '"':
		item = new_item(b, cJSON_String);
		item->valuestring = take_string(b);
		return item;
	case 't':
		return take_word(b, cJSON_True, 4);
	case 'f':
		return take_word(b, cJSON_False, 5);
	case 'n':
		return take_word(b, cJSON_NULL, 4);
	default:
		return take_number(b);
	}
}

const struct kb_json *kb_json_build(struct kb_json_pool *pool,
				    const char *data, size_t len)
{
	struct build b = { .pool = pool };

	kb_json_pool_reset(pool);
	b.at = kb_json_pool_take(pool, len + 1);
	memcpy(b.at, data, len);
	b.at[len] = '\0';
	b.end = b.at + len;
	return (const struct kb_json *)take_value(&b);
}
