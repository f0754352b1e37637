#include "json/build.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "json/json.h"
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

/* At the character after a backslash; "u" is for control characters alone,
 * of which the first two digits say nothing. */
static char take_escape(struct build *b)
{
	static const char escapes[] = "\"\\bfnrt";
	static const char meanings[] = "\"\\\b\f\n\r\t";
	static const char digits[] = "0123456789abcdef";
	const char c = *b->at++;

	if (c != 'u')
		return meanings[strchr(escapes, c) - escapes];
	b->at += 4;
	return (char)((strchr(digits, b->at[-2]) - digits) * 16 +
		      (strchr(digits, b->at[-1]) - digits));
}

/* From the first escape on: no longer than it is written. */
static void take_escaped(struct build *b, char *out)
{
	while (*b->at != '"') {
		if (*b->at == '\\') {
			b->at++;
			*out++ = take_escape(b);
		} else {
			*out++ = *b->at++;
		}
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

static cJSON *take_integer(struct build *b)
{
	cJSON *item = new_item(b, cJSON_Number);
	const bool is_negative = *b->at == '-';
	int64_t magnitude = 0;

	for (b->at += is_negative; *b->at >= '0' && *b->at <= '9'; b->at++)
		magnitude = 10 * magnitude + (*b->at - '0');
	item->valuedouble = (double)(is_negative ? -magnitude : magnitude);
	return item;
}

static cJSON *take_word(struct build *b, int type, size_t len)
{
	b->at += len;
	return new_item(b, type);
}

/* Nothing is checked here: the scanner has accepted the text, and only
 * canonical text comes this way, so that an escape, a bracket or a digit is
 * where it has to be. */
static cJSON *take_value(struct build *b);

/* As cJSON has it, the first of the children knows the last. */
static cJSON *take_children(struct build *b, int type, char close)
{
	cJSON *item = new_item(b, type), *last = NULL;

	b->at++;
	while (*b->at != close) {
		char *key = NULL;
		cJSON *child;

		if (last)
			b->at++;	/* the comma */
		if (type == cJSON_Object) {
			key = take_string(b);
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
		return take_integer(b);
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
