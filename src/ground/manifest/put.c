/* Members of a record, written as kb_fields_*() read them. */

#include "manifest/fields.h"

#include <math.h>

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/decimal.h"
#include "manifest/record.h"

void kb_put_int(struct kb_json *object, const char *key, int64_t i)
{
	if (i == KB_UNKNOWN)
		kb_json_set(object, key, kb_json_null());
	else
		kb_json_set_int(object, key, i);
}

void kb_put_digest(struct kb_json *object, const char *key,
		   const struct kb_digest *d)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(d, hex);
	kb_json_set_string(object, key, hex);
}

void kb_put_decimal(struct kb_json *object, const char *key, double x)
{
	char text[KB_DECIMAL_SIZE];

	if (isnan(x) || x < 0)
		KB_BUG("a record's decimal is negative or not a number");
	kb_decimal_print(text, fabs(x));
	kb_json_set_string(object, key, text);
}

void kb_put_real(struct kb_json *object, const char *key, double x)
{
	char text[KB_DECIMAL_SIZE];

	if (!isfinite(x))
		KB_BUG("a record's real number is not finite");
	kb_decimal_print(text, x);
	kb_json_set_string(object, key, text);
}

void kb_put_key(struct kb_json *object, struct kb_key key)
{
	char text[KB_KEY_SIZE];

	kb_key_format(text, key);
	kb_json_set_string(object, "key", text);
	kb_json_set_int(object, "level", key.level);
	kb_json_set_int(object, "problem_id", key.problem_id);
}

void kb_put_keys(struct kb_json *object, const char *key,
		 const struct kb_key keys[], size_t count)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < count; i++) {
		char text[KB_KEY_SIZE];

		kb_key_format(text, keys[i]);
		kb_json_append(array, kb_json_string(text));
	}
	kb_json_set(object, key, array);
}

void kb_put_counts(struct kb_json *object, const char *key,
		   const int64_t counts[KB_STATUS_COUNT])
{
	struct kb_json *o = kb_json_object();

	for (int i = 0; i < KB_STATUS_COUNT; i++)
		if (counts[i])
			kb_json_set_int(o, kb_status_name((enum kb_status)i),
					counts[i]);
	kb_json_set(object, key, o);
}
