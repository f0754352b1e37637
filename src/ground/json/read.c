/* Members of a record: there, of the right type, and no others. */

#include "json/json.h"

#include <inttypes.h>
#include <string.h>

#include "base/err.h"

const char *kb_json_text_or(const struct kb_json *object, const char *key,
			    const char *otherwise)
{
	const struct kb_json *v = kb_json_find(object, key);

	return v && kb_json_type(v) == KB_JSON_STRING ? kb_json_string_value(v)
						      : otherwise;
}

const char *kb_json_text(const struct kb_json *object, const char *key)
{
	return kb_json_text_or(object, key, NULL);
}

int64_t kb_json_int_or(const struct kb_json *object, const char *key,
		       int64_t otherwise)
{
	const struct kb_json *v = kb_json_find(object, key);

	return v && kb_json_type(v) == KB_JSON_INT ? kb_json_int_value(v)
						   : otherwise;
}

bool kb_json_text_is(const struct kb_json *object, const char *key,
		     const char *text)
{
	const char *found = kb_json_text(object, key);

	return found && !strcmp(found, text);
}

int kb_json_want_object(const struct kb_json *v, const char *where,
			struct kb_err *err)
{
	enum kb_json_type type = kb_json_type(v);

	if (type == KB_JSON_OBJECT)
		return 0;
	return kb_err(err, KB_ERR_INPUT, "%s: is %s, want %s", where,
		      kb_json_type_name(type),
		      kb_json_type_name(KB_JSON_OBJECT));
}

static int is_missing(const char *key, const char *where, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "%s: '%s' is missing", where, key);
}

static int read_any(const struct kb_json **out, const struct kb_json *object,
		    const char *key, const char *where, struct kb_err *err)
{
	const struct kb_json *v;
	int ret;

	ret = kb_json_want_object(object, where, err);
	if (ret < 0)
		return ret;
	v = kb_json_find(object, key);
	if (!v)
		return is_missing(key, where, err);
	*out = v;
	return 0;
}

static int wrong_type(const struct kb_json *v, const char *want,
		      const char *where, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "%s: '%s' is %s, want %s", where,
		      kb_json_key(v), kb_json_type_name(kb_json_type(v)), want);
}

int kb_json_want(const struct kb_json *v, const char *key,
		 enum kb_json_type want, const char *where,
		 struct kb_err *err)
{
	if (!v)
		return is_missing(key, where, err);
	return kb_json_type(v) == want ? 0 :
		wrong_type(v, kb_json_type_name(want), where, err);
}

int kb_json_read(const struct kb_json **out, const struct kb_json *object,
		 const char *key, enum kb_json_type want, const char *where,
		 struct kb_err *err)
{
	const struct kb_json *v = NULL;
	int ret;

	ret = read_any(&v, object, key, where, err);
	if (ret == 0)
		ret = kb_json_want(v, key, want, where, err);
	if (ret == 0)
		*out = v;
	return ret;
}

int kb_json_read_string(const char **out, const struct kb_json *object,
			const char *key, const char *where,
			struct kb_err *err)
{
	const struct kb_json *v = NULL;
	int ret;

	ret = kb_json_read(&v, object, key, KB_JSON_STRING, where, err);
	if (ret < 0)
		return ret;
	*out = kb_json_string_value(v);
	return 0;
}

int kb_json_read_string_or_null(const char **out, const struct kb_json *object,
				const char *key, const char *where,
				struct kb_err *err)
{
	const struct kb_json *v = NULL;
	int ret;

	ret = read_any(&v, object, key, where, err);
	if (ret < 0)
		return ret;

	switch (kb_json_type(v)) {
	case KB_JSON_STRING:
		*out = kb_json_string_value(v);
		return 0;
	case KB_JSON_NULL:
		*out = NULL;
		return 0;
	default:
		return wrong_type(v, "a string or null", where, err);
	}
}

int kb_json_want_int(int64_t *out, const struct kb_json *v, const char *key,
		     int64_t min, int64_t max, const char *where,
		     struct kb_err *err)
{
	int ret = kb_json_want(v, key, KB_JSON_INT, where, err);
	int64_t i;

	if (ret < 0)
		return ret;
	i = kb_json_int_value(v);
	if (i >= min && i <= max) {
		*out = i;
		return 0;
	}
	return min == max ?
		kb_err(err, KB_ERR_INPUT,
		       "%s: '%s' is %" PRId64 ", want %" PRId64, where, key, i,
		       min) :
		kb_err(err, KB_ERR_INPUT,
		       "%s: '%s' is %" PRId64 ", want %" PRId64 " to %" PRId64,
		       where, key, i, min, max);
}

int kb_json_read_int(int64_t *out, const struct kb_json *object,
		     const char *key, int64_t min, int64_t max,
		     const char *where, struct kb_err *err)
{
	const struct kb_json *v = NULL;
	int ret = read_any(&v, object, key, where, err);

	return ret < 0 ? ret : kb_json_want_int(out, v, key, min, max, where,
						err);
}

int kb_json_read_bool(bool *out, const struct kb_json *object, const char *key,
		      const char *where, struct kb_err *err)
{
	const struct kb_json *v = NULL;
	int ret;

	ret = kb_json_read(&v, object, key, KB_JSON_BOOL, where, err);
	if (ret < 0)
		return ret;
	*out = kb_json_bool_value(v);
	return 0;
}

static bool is_listed(const char *key, const char *const keys[])
{
	for (; *keys; keys++) {
		if (key[0] == (*keys)[0] && !strcmp(key, *keys))
			return true;
	}
	return false;
}

int kb_json_only(const struct kb_json *object, const char *const keys[],
		 const char *where, struct kb_err *err)
{
	const struct kb_json *v;
	int ret;

	ret = kb_json_want_object(object, where, err);
	if (ret < 0)
		return ret;
	for (v = kb_json_first(object); v; v = kb_json_next(v)) {
		if (!is_listed(kb_json_key(v), keys))
			return kb_err(err, KB_ERR_INPUT,
				      "%s: '%s' is not a known member", where,
				      kb_json_key(v));
	}
	return 0;
}
