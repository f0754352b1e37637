/*
 * Values are cJSON items under another name: `struct kb_json` is never
 * defined, and this is the only file that knows what is behind it.
 */

#include "json/json.h"

#include <cjson/cJSON.h>
#include <locale.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/pool.h"
#include "json/scan.h"
#include "json/utf8.h"

_Static_assert(CJSON_NESTING_LIMIT > KB_JSON_DEPTH_MAX,
	       "cJSON must parse whatever the scanner accepts");

static const cJSON *look(const struct kb_json *v)
{
	return (const cJSON *)v;
}

/* For freeing or moving `v`: cJSON would take its siblings along. */
static cJSON *own(struct kb_json *v)
{
	cJSON *item = (cJSON *)v;

	if (item->prev || item->next)
		KB_BUG("a value belongs to a container already");
	return item;
}

/* cJSON says NULL when memory runs out. */
static struct kb_json *made(cJSON *item)
{
	if (!item)
		KB_BUG("cJSON made no item");
	return (struct kb_json *)item;
}

/* What is to be parsed; all borrowed. */
struct input {
	const char *data;
	size_t len;
	enum kb_json_dialect dialect;
	const char *name;
};

/* The scanner has seen that it is not; the printer sees where. */
static int not_canonical(const struct input *in, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v =
		made(cJSON_ParseWithLength(in->data, in->len));
	kb_auto(buf) struct kb_buf want = KB_BUF_INIT;
	size_t at = 0;

	kb_json_print(&want, v);
	while (at < in->len && at < want.len && in->data[at] == want.data[at])
		at++;
	return kb_err(err, KB_ERR_INPUT,
		      "cannot parse '%s': not canonical at byte %zu", in->name,
		      at);
}

/*
 * Where cJSON's memory comes from while it parses into a pool: all that it
 * can be given is functions. What it gives back stays there.
 */
static struct kb_json_pool *pool_in_use;

static void *take_from_pool(size_t size)
{
	return kb_json_pool_take(pool_in_use, size);
}

static void leave_in_pool(void *p)
{
	(void)p;
}

static cJSON *parse_into(struct kb_json_pool *pool, const struct input *in)
{
	cJSON_Hooks hooks = { take_from_pool, leave_in_pool };
	cJSON *item;

	kb_json_pool_reset(pool);
	pool_in_use = pool;
	cJSON_InitHooks(&hooks);
	item = cJSON_ParseWithLength(in->data, in->len);
	cJSON_InitHooks(NULL);
	pool_in_use = NULL;
	return item;
}

/* Into the heap if there is no pool. */
static int parse(struct kb_json **out, struct kb_json_pool *pool,
		 const struct input *in, struct kb_err *err)
{
	bool canonical = false;
	int ret;

	ret = kb_json_scan(&canonical, in->data, in->len, in->dialect,
			   in->name, err);
	if (ret < 0)
		return ret;
	if (in->dialect == KB_JSON_CANONICAL && !canonical)
		return not_canonical(in, err);
	*out = made(pool ? parse_into(pool, in) :
			   cJSON_ParseWithLength(in->data, in->len));
	return 0;
}

/* strtod(), ours and cJSON's, reads "1.5" as the locale has it. */
static int parse_in_c_locale(struct kb_json **out, struct kb_json_pool *pool,
			     const struct input *in, struct kb_err *err)
{
	locale_t c, before;
	int ret;

	if (in->dialect != KB_JSON_FOREIGN)
		return parse(out, pool, in, err);	/* integers only */
	c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!c)
		KB_BUG("there is no C locale");
	before = uselocale(c);
	ret = parse(out, pool, in, err);
	uselocale(before);
	freelocale(c);
	return ret;
}

int kb_json_parse(struct kb_json **out, const void *data, size_t len,
		  enum kb_json_dialect dialect, const char *name,
		  struct kb_err *err)
{
	return parse_in_c_locale(out, NULL, &(struct input){
		data, len, dialect, name }, err);
}

int kb_json_parse_in(const struct kb_json **out, struct kb_json_pool *pool,
		     const void *data, size_t len,
		     enum kb_json_dialect dialect, const char *name,
		     struct kb_err *err)
{
	struct kb_json *v = NULL;
	int ret = parse_in_c_locale(&v, pool, &(struct input){
		data, len, dialect, name }, err);

	if (ret == 0)
		*out = v;
	return ret;
}

void kb_json_free(struct kb_json *v)
{
	if (v)
		cJSON_Delete(own(v));
}

struct kb_json *kb_json_object(void)
{
	return made(cJSON_CreateObject());
}

struct kb_json *kb_json_array(void)
{
	return made(cJSON_CreateArray());
}

struct kb_json *kb_json_string(const char *s)
{
	if (!kb_utf8_valid(s, strlen(s)))
		KB_BUG("a string is not UTF-8");
	return made(cJSON_CreateString(s));
}

struct kb_json *kb_json_int(int64_t i)
{
	if (i < -KB_JSON_INT_MAX || i > KB_JSON_INT_MAX)
		KB_BUG("an integer is beyond +-(2^53 - 1)");
	return made(cJSON_CreateNumber((double)i));
}

struct kb_json *kb_json_bool(bool b)
{
	return made(cJSON_CreateBool(b));
}

struct kb_json *kb_json_null(void)
{
	return made(cJSON_CreateNull());
}

void kb_json_set(struct kb_json *object, const char *key, struct kb_json *v)
{
	if (kb_json_type(object) != KB_JSON_OBJECT)
		KB_BUG("only an object has members");
	if (!kb_utf8_valid(key, strlen(key)))
		KB_BUG("a key is not UTF-8");
	if (!cJSON_AddItemToObject((cJSON *)object, key, own(v)))
		KB_BUG("cJSON did not add a member");
}

void kb_json_append(struct kb_json *array, struct kb_json *v)
{
	if (kb_json_type(array) != KB_JSON_ARRAY)
		KB_BUG("only an array has elements");
	if (!cJSON_AddItemToArray((cJSON *)array, own(v)))
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
	struct kb_json *copy = made(cJSON_Duplicate(look(v), true));
	cJSON *item = own(copy);

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

enum kb_json_type kb_json_type(const struct kb_json *v)
{
	switch (look(v)->type & 0xff) {
	case cJSON_NULL:
		return KB_JSON_NULL;
	case cJSON_False:
	case cJSON_True:
		return KB_JSON_BOOL;
	case cJSON_Number:
		return is_safe_integer(look(v)->valuedouble) ? KB_JSON_INT :
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

const char *kb_json_string_value(const struct kb_json *v)
{
	if (kb_json_type(v) != KB_JSON_STRING)
		KB_BUG("a value is not a string");
	return look(v)->valuestring;
}

int64_t kb_json_int_value(const struct kb_json *v)
{
	if (kb_json_type(v) != KB_JSON_INT)
		KB_BUG("a value is not an integer");
	return (int64_t)look(v)->valuedouble;
}

bool kb_json_bool_value(const struct kb_json *v)
{
	if (kb_json_type(v) != KB_JSON_BOOL)
		KB_BUG("a value is not a boolean");
	return cJSON_IsTrue(look(v));
}

double kb_json_number_value(const struct kb_json *v)
{
	if (!cJSON_IsNumber(look(v)))
		KB_BUG("a value is not a number");
	return look(v)->valuedouble;
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
	return (const struct kb_json *)look(container)->child;
}

const struct kb_json *kb_json_next(const struct kb_json *v)
{
	return (const struct kb_json *)look(v)->next;
}

const char *kb_json_key(const struct kb_json *v)
{
	return look(v)->string;
}

/* As cJSON_GetObjectItemCaseSensitive(), which compares whole keys: most are
 * told apart by their first letter, and records are read by many keys. */
const struct kb_json *kb_json_find(const struct kb_json *object,
				   const char *key)
{
	const cJSON *item = object ? look(object)->child : NULL;

	while (item && item->string &&
	       (item->string[0] != key[0] || strcmp(item->string, key)))
		item = item->next;
	return (const struct kb_json *)(item && item->string ? item : NULL);
}
