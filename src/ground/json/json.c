/*
 * Values are cJSON items under another name: `struct kb_json` is never
 * defined, and only this file and build.c know what is behind it.
 */

#include "json/json.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/alloc.h"
#include "json/utf8.h"

static const cJSON *cjson_of(const struct kb_json *v)
{
	return (const cJSON *)v;
}

/* For freeing or moving `v`: cJSON would take its siblings along. */
static cJSON *detached_item(struct kb_json *v)
{
	cJSON *item = (cJSON *)v;

	if (item->prev || item->next)
		KB_BUG("a value belongs to a container already");
	return item;
}

/* cJSON says NULL when memory runs out. */
static struct kb_json *checked_item(cJSON *item)
{
	if (!item)
		KB_BUG("cJSON made no item");
	return (struct kb_json *)item;
}

void kb_json_free(struct kb_json *v)
{
	if (v)
		cJSON_Delete(detached_item(v));
}

struct kb_json *kb_json_object(void)
{
	return checked_item(cJSON_CreateObject());
}

struct kb_json *kb_json_array(void)
{
	return checked_item(cJSON_CreateArray());
}

struct kb_json *kb_json_string(const char *s)
{
	if (!kb_utf8_valid(s, strlen(s)))
		KB_BUG("a string is not UTF-8");
	return checked_item(cJSON_CreateString(s));
}

struct kb_json *kb_json_int(int64_t i)
{
	if (i < -KB_JSON_INT_MAX || i > KB_JSON_INT_MAX)
		KB_BUG("an integer is beyond +-(2^53 - 1)");
	return checked_item(cJSON_CreateNumber((double)i));
}

struct kb_json *kb_json_bool(bool b)
{
	return checked_item(cJSON_CreateBool(b));
}

struct kb_json *kb_json_null(void)
{
	return checked_item(cJSON_CreateNull());
}

void kb_json_set(struct kb_json *object, const char *key, struct kb_json *v)
{
	if (kb_json_type(object) != KB_JSON_OBJECT)
		KB_BUG("only an object has members");
	if (!kb_utf8_valid(key, strlen(key)))
		KB_BUG("a key is not UTF-8");
	if (!cJSON_AddItemToObject((cJSON *)object, key, detached_item(v)))
		KB_BUG("cJSON did not add a member");
}

void kb_json_append(struct kb_json *array, struct kb_json *v)
{
	if (kb_json_type(array) != KB_JSON_ARRAY)
		KB_BUG("only an array has elements");
	if (!cJSON_AddItemToArray((cJSON *)array, detached_item(v)))
		KB_BUG("cJSON did not add an element");
}

void kb_json_set_string(struct kb_json *object, const char *key, const char *s)
{
	kb_json_set(object, key, s ? kb_json_string(s) : kb_json_null());
}

void kb_json_set_int(struct kb_json *object, const char *key, int64_t i)
{
	kb_json_set(object, key, kb_json_int(i));
}

void kb_json_set_bool(struct kb_json *object, const char *key, bool b)
{
	kb_json_set(object, key, kb_json_bool(b));
}

struct kb_json *kb_json_copy(const struct kb_json *v)
{
	struct kb_json *copy = checked_item(cJSON_Duplicate(cjson_of(v), true));
	cJSON *item = detached_item(copy);

	/* A root has no key, though what it was copied from may. */
	cJSON_free(item->string);
	item->string = NULL;
	return copy;
}

/* An integer that no other integer is rounded to. */
static bool is_safe_integer(double d)
{
	return d >= (double)-KB_JSON_INT_MAX && d <= (double)KB_JSON_INT_MAX &&
	       d == (double)(int64_t)d;
}

/* The functions of this file ask so for every value, without a call. */
static inline enum kb_json_type type_of(const struct kb_json *v)
{
	switch (cjson_of(v)->type & 0xff) {
	case cJSON_NULL:
		return KB_JSON_NULL;
	case cJSON_False:
	case cJSON_True:
		return KB_JSON_BOOL;
	case cJSON_Number:
		return is_safe_integer(cjson_of(v)->valuedouble) ? KB_JSON_INT :
							      KB_JSON_FLOAT;
	case cJSON_String:
		return KB_JSON_STRING;
	case cJSON_Array:
		return KB_JSON_ARRAY;
	case cJSON_Object:
		return KB_JSON_OBJECT;
	default:
		KB_BUG("a value has no type");
	}
}

enum kb_json_type kb_json_type(const struct kb_json *v)
{
	return type_of(v);
}

const char *kb_json_type_name(enum kb_json_type type)
{
	static const char *const names[] = {
		[KB_JSON_NULL] = "null",
		[KB_JSON_BOOL] = "a boolean",
		[KB_JSON_INT] = "an integer",
		[KB_JSON_FLOAT] = "a float",
		[KB_JSON_STRING] = "a string",
		[KB_JSON_ARRAY] = "an array",
		[KB_JSON_OBJECT] = "an object",
	};

	return names[type];
}

/* Types were checked when the record was read. To ask for another one is a
 * mistake of ours. */
const char *kb_json_string_value(const struct kb_json *v)
{
	if (type_of(v) != KB_JSON_STRING)
		KB_BUG("a value is not a string");
	return cjson_of(v)->valuestring;
}

int64_t kb_json_int_value(const struct kb_json *v)
{
	if (type_of(v) != KB_JSON_INT)
		KB_BUG("a value is not an integer");
	return (int64_t)cjson_of(v)->valuedouble;
}

bool kb_json_bool_value(const struct kb_json *v)
{
	if (type_of(v) != KB_JSON_BOOL)
		KB_BUG("a value is not a boolean");
	return cJSON_IsTrue(cjson_of(v));
}

double kb_json_number_value(const struct kb_json *v)
{
	if (!cJSON_IsNumber(cjson_of(v)))
		KB_BUG("a value is not a number");
	return cjson_of(v)->valuedouble;
}

size_t kb_json_count(const struct kb_json *v)
{
	size_t count = 0;

	for (v = kb_json_first(v); v; v = kb_json_next(v))
		count++;
	return count;
}

const struct kb_json *kb_json_first(const struct kb_json *container)
{
	return (const struct kb_json *)cjson_of(container)->child;
}

const struct kb_json *kb_json_next(const struct kb_json *v)
{
	return (const struct kb_json *)cjson_of(v)->next;
}

const char *kb_json_key(const struct kb_json *v)
{
	return cjson_of(v)->string;
}

/* Most are told apart by their first letter, and records are read by many
 * keys. From `item` to before `end`. */
static const cJSON *find_before(const cJSON *item, const cJSON *end,
				const char *key)
{
	while (item != end && item->string &&
	       (item->string[0] != key[0] || strcmp(item->string, key)))
		item = item->next;
	return item != end && item->string ? item : NULL;
}

const struct kb_json *kb_json_find(const struct kb_json *object,
				   const char *key)
{
	return kb_json_find_from(object, NULL, key);
}

const struct kb_json *kb_json_find_from(const struct kb_json *object,
					const struct kb_json *from,
					const char *key)
{
	const cJSON *first = object ? cjson_of(object)->child : NULL;
	const cJSON *found = find_before(from ? cjson_of(from) : first, NULL, key);

	if (!found && from)
		found = find_before(first, cjson_of(from), key);
	return (const struct kb_json *)found;
}
