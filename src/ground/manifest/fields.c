#include "manifest/fields.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/decimal.h"
#include "manifest/record.h"

#define NUMBER_BYTES_MAX 32

void kb_fields_begin(struct kb_fields *f, const struct kb_json *object,
		     const char *where, struct kb_err *err)
{
	*f = (struct kb_fields){
		.object = object, .where = where, .err = err,
	};
	f->ret = kb_json_want_object(object, where, err);
}

/* From number `*next` on, and then from the first: members are often read in
 * the order that they are in. */
static bool was_seen(const struct kb_fields *f, size_t *next,
		     const struct kb_json *v)
{
	for (size_t i = 0; i < f->seen_count; i++) {
		if (*next >= f->seen_count)
			*next = 0;
		if (f->seen[(*next)++] == v)
			return true;
	}
	return false;
}

int kb_fields_end(struct kb_fields *f)
{
	size_t next = 0;

	if (f->ret < 0)
		return f->ret;
	for (const struct kb_json *v = kb_json_first(f->object); v;
	     v = kb_json_next(v))
		if (!was_seen(f, &next, v)) {
			kb_fields_fail(f, "'%s' is not a known member",
				       kb_json_key(v));
			break;
		}
	return f->ret;
}

void kb_fields_fail(struct kb_fields *f, const char *fmt, ...)
{
	char why[KB_ERR_MSG_MAX];
	va_list ap;

	if (f->ret < 0)
		return;
	va_start(ap, fmt);
	/* The first failure is the one to report: those that follow from it
	 * would only hide it. */
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	f->ret = kb_err(f->err, KB_ERR_INPUT, "%s: %s", f->where, why);
}

/* The search goes on behind the member that was found last. A canonical object
 * is sorted, so that a reader that asks in the order of keys finds each member
 * at the first look. */
static const struct kb_json *find_next(struct kb_fields *f, const char *key)
{
	const struct kb_json *v = kb_json_find_from(f->object, f->last, key);

	if (v)
		f->last = v;
	return v;
}

/* An array of fixed size instead of a set: a reader has a fixed list of fields,
 * and one that has more is a mistake of ours and none of the input's. */
static void mark_seen(struct kb_fields *f, const struct kb_json *v)
{
	if (f->seen_count == KB_FIELDS_MAX)
		KB_BUG("an object has too many fields");
	f->seen[f->seen_count++] = v;
}

bool kb_fields_has(struct kb_fields *f, const char *key)
{
	return f->ret == 0 && find_next(f, key);
}

static bool is_null(const struct kb_json *v)
{
	return v && kb_json_type(v) == KB_JSON_NULL;
}

bool kb_fields_null(struct kb_fields *f, const char *key)
{
	const struct kb_json *v = f->ret < 0 ? NULL : find_next(f, key);

	if (!is_null(v))
		return false;
	mark_seen(f, v);
	return true;
}

/* Nothing is read once something has failed. */
static const struct kb_json *take_child(struct kb_fields *f, const char *key,
					enum kb_json_type want)
{
	const struct kb_json *v;

	if (f->ret < 0)
		return NULL;
	v = find_next(f, key);
	f->ret = kb_json_want(v, key, want, f->where, f->err);
	if (f->ret < 0)
		return NULL;
	mark_seen(f, v);
	return v;
}

const char *kb_fields_text(struct kb_fields *f, const char *key)
{
	const struct kb_json *v = take_child(f, key, KB_JSON_STRING);

	return v ? kb_json_string_value(v) : NULL;
}

const struct kb_json *kb_fields_array(struct kb_fields *f, const char *key)
{
	return take_child(f, key, KB_JSON_ARRAY);
}

const struct kb_json *kb_fields_object(struct kb_fields *f, const char *key)
{
	return take_child(f, key, KB_JSON_OBJECT);
}

const struct kb_json *kb_fields_list(struct kb_fields *f, const char *key,
				     size_t min, size_t max)
{
	const struct kb_json *array = kb_fields_array(f, key);

	if (!array)
		return NULL;
	if (kb_json_count(array) < min || kb_json_count(array) > max) {
		kb_fields_fail(f, "'%s' has %zu elements, want %zu to %zu", key,
			       kb_json_count(array), min, max);
		return NULL;
	}
	return array;
}

bool kb_fields_enter(struct kb_fields *inner, struct kb_fields *f,
		     const char *key)
{
	const struct kb_json *object = kb_fields_object(f, key);

	if (!object)
		return false;
	kb_fields_begin(inner, object, f->where, f->err);
	return true;
}

bool kb_fields_enter_at(struct kb_fields *inner, char **place,
			struct kb_fields *f, const char *key)
{
	*place = NULL;
	if (!kb_fields_enter(inner, f, key))
		return false;
	inner->where = *place = kb_xasprintf("%s: %s", f->where, key);
	return true;
}

char *kb_fields_string(struct kb_fields *f, const char *key)
{
	const char *text = kb_fields_text(f, key);

	if (!text)
		return NULL;
	if (!*text) {
		kb_fields_fail(f, "'%s' is empty", key);
		return NULL;
	}
	return kb_xstrdup(text);
}

char *kb_fields_string_or_null(struct kb_fields *f, const char *key)
{
	return kb_fields_null(f, key) ? NULL : kb_fields_string(f, key);
}

bool kb_hex_valid(const char *text, size_t digits)
{
	return strlen(text) == digits &&
	       strspn(text, "0123456789abcdef") == digits;
}

static const char *skip_digits(const char *p)
{
	return p + strspn(p, "0123456789");
}

bool kb_number_valid(const char *text)
{
	const char *whole = text + (*text == '-');
	const char *p = skip_digits(whole);

	if (p == whole || (whole[0] == '0' && p - whole > 1))
		return false;
	if (*p == '.') {
		const char *fraction = p + 1;

		p = skip_digits(fraction);
		if (p == fraction)
			return false;
	}
	if (*p == 'e' || *p == 'E') {
		const char *exponent = p + 1;

		if (*exponent == '+' || *exponent == '-')
			exponent++;
		p = skip_digits(exponent);
		if (p == exponent)
			return false;
	}
	return *p == '\0' && p - text <= NUMBER_BYTES_MAX;
}

char *kb_fields_hex_or_null(struct kb_fields *f, const char *key,
			    size_t digits)
{
	const char *text = kb_fields_null(f, key) ? NULL
						  : kb_fields_text(f, key);

	if (!text)
		return NULL;
	if (!kb_hex_valid(text, digits)) {
		kb_fields_fail(f, "'%s' is not %zu lower-case hex digits", key,
			       digits);
		return NULL;
	}
	return kb_xstrdup(text);
}

static int64_t read_int(struct kb_fields *f, const struct kb_json *v,
			const char *key, int64_t min, int64_t max)
{
	int64_t i = 0;

	f->ret = kb_json_want_int(&i, v, key, min, max, f->where, f->err);
	if (f->ret < 0)
		return 0;
	mark_seen(f, v);
	return i;
}

int64_t kb_fields_int(struct kb_fields *f, const char *key, int64_t min,
		      int64_t max)
{
	return f->ret < 0 ? 0 : read_int(f, find_next(f, key), key, min, max);
}

int64_t kb_fields_int_or_null(struct kb_fields *f, const char *key,
			      int64_t min, int64_t max)
{
	const struct kb_json *v;

	if (f->ret < 0)
		return 0;
	v = find_next(f, key);
	if (!is_null(v))
		return read_int(f, v, key, min, max);
	mark_seen(f, v);
	return KB_UNKNOWN;
}

bool kb_fields_bool(struct kb_fields *f, const char *key)
{
	const struct kb_json *v = take_child(f, key, KB_JSON_BOOL);

	return v && kb_json_bool_value(v);
}

struct kb_digest kb_fields_digest(struct kb_fields *f, const char *key)
{
	const char *text = kb_fields_text(f, key);
	struct kb_digest d = { .bytes = { 0 } };

	if (text && kb_digest_parse(&d, text, NULL) < 0)
		kb_fields_fail(f, "'%s' is not 64 lower-case hex digits", key);
	return d;
}

/* A number that prints as it was read has one spelling. Printing takes several
 * times as long as reading. */
static bool is_as_printed(const char *text, double x)
{
	char again[KB_DECIMAL_SIZE];

	if (kb_decimal_is_printed(text))
		return true;
	kb_decimal_print(again, x);
	return !strcmp(again, text);
}

static double read_decimal(struct kb_fields *f, const char *key,
			   bool may_be_negative)
{
	const char *text = kb_fields_text(f, key);
	double x;

	if (!text)
		return 0;
	x = strtod(text, NULL);
	if (isnan(x) || !is_as_printed(text, x) ||
	    (may_be_negative ? isinf(x) : signbit(x))) {
		kb_fields_fail(f, "'%s' is not a decimal as we write it", key);
		return 0;
	}
	return x;
}

double kb_fields_decimal(struct kb_fields *f, const char *key)
{
	return read_decimal(f, key, false);
}

double kb_fields_real(struct kb_fields *f, const char *key)
{
	return read_decimal(f, key, true);
}

char *kb_fields_number(struct kb_fields *f, const char *key, bool may_be_negative)
{
	const char *text = kb_fields_text(f, key);

	if (!text)
		return NULL;
	if (!kb_number_valid(text) || (!may_be_negative && *text == '-')) {
		kb_fields_fail(f, "'%s' is not a decimal%s", key,
			       may_be_negative ? "" : " of 0 or more");
		return NULL;
	}
	return kb_xstrdup(text);
}

int kb_fields_word(struct kb_fields *f, const char *key,
		   const char *const words[], int count)
{
	const char *text = kb_fields_text(f, key);

	if (!text)
		return 0;
	for (int i = 0; i < count; i++)
		if (!strcmp(words[i], text))
			return i;
	kb_fields_fail(f, "'%s' is '%s', which is not known", key, text);
	return 0;
}

enum kb_status kb_fields_status(struct kb_fields *f, const char *key)
{
	const char *text = kb_fields_text(f, key);
	enum kb_status status = KB_STATUS_MISSING;

	if (text && kb_status_parse(&status, text, NULL) < 0)
		kb_fields_fail(f, "'%s' is '%s', which is not known", key,
			       text);
	return status;
}

enum kb_runtime kb_fields_runtime(struct kb_fields *f, const char *key)
{
	const char *text = kb_fields_text(f, key);
	enum kb_runtime runtime = KB_RUNTIME_TORCH;

	if (text && kb_runtime_parse(&runtime, text, NULL) < 0)
		kb_fields_fail(f, "'%s' is '%s', which is not known", key,
			       text);
	return runtime;
}

/* The key is in a record twice, as text for tools that join tables and as two
 * numbers for those that sort. kb reads both, so that a forger cannot show each
 * reader another problem. */
struct kb_key kb_fields_key(struct kb_fields *f)
{
	const char *text = kb_fields_text(f, "key");
	char want[KB_KEY_SIZE];
	struct kb_key key, said;

	key.level = (int)kb_fields_int(f, "level", 1, KB_LEVEL_MAX);
	key.problem_id = (int)kb_fields_int(f, "problem_id", 1,
					    KB_PROBLEM_ID_MAX);
	if (f->ret < 0)
		return key;
	if (kb_key_parse(&said, text, NULL) == 0 && !kb_key_compare(said, key))
		return key;
	kb_key_format(want, key);
	kb_fields_fail(f, "'key' is '%s', but level and problem make '%s'",
		       text, want);
	return key;
}

static bool read_key(struct kb_key *out, const struct kb_json *v)
{
	return kb_json_type(v) == KB_JSON_STRING &&
	       kb_key_parse(out, kb_json_string_value(v), NULL) == 0;
}

struct kb_key *kb_fields_keys(struct kb_fields *f, const char *key,
			      size_t *count)
{
	const struct kb_json *array = kb_fields_array(f, key);
	kb_auto(mem) struct kb_key *keys = NULL;
	size_t n = 0;

	*count = 0;
	if (!array)
		return NULL;
	/* Sorted and without repetition, there is one spelling of a set, and a
	 * search in it is a bisection. */
	keys = kb_xcalloc(kb_json_count(array), sizeof(*keys));
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v), n++) {
		if (!read_key(&keys[n], v)) {
			kb_fields_fail(f, "'%s' has an element that is no problem key",
				       key);
			return NULL;
		}
		if (n > 0 && kb_key_compare(keys[n - 1], keys[n]) >= 0) {
			kb_fields_fail(f, "'%s' is not sorted, or has a key twice",
				       key);
			return NULL;
		}
	}
	*count = n;
	return kb_steal(keys);
}

void kb_fields_counts(struct kb_fields *f, const char *key,
		      int64_t counts[KB_STATUS_COUNT])
{
	const struct kb_json *object = kb_fields_object(f, key);
	struct kb_fields inner;

	memset(counts, 0, KB_STATUS_COUNT * sizeof(counts[0]));
	if (!object)
		return;
	kb_fields_begin(&inner, object, f->where, f->err);
	for (int i = 0; i < KB_STATUS_COUNT; i++) {
		const char *name = kb_status_name((enum kb_status)i);

		/* A status that did not occur is absent, and not 0: a record
		 * then need not change when kb learns a new status. */
		if (kb_json_find(object, name))
			counts[i] = kb_fields_int(&inner, name, 1,
						  KB_JSON_INT_MAX);
	}
	f->ret = kb_fields_end(&inner);
}

static struct kb_json *take_flat(struct kb_fields *f, const char *key,
				 bool strings_only)
{
	const struct kb_json *object = kb_fields_object(f, key);

	if (!object)
		return NULL;
	for (const struct kb_json *v = kb_json_first(object); v;
	     v = kb_json_next(v)) {
		enum kb_json_type type = kb_json_type(v);

		if (type == KB_JSON_STRING)
			continue;
		if (!strings_only &&
		    (type == KB_JSON_INT || type == KB_JSON_BOOL))
			continue;
		kb_fields_fail(f, "'%s.%s' is %s", key, kb_json_key(v),
			       kb_json_type_name(type));
		return NULL;
	}
	return kb_json_copy(object);
}

struct kb_json *kb_fields_strings(struct kb_fields *f, const char *key)
{
	return take_flat(f, key, true);
}

struct kb_json *kb_fields_scalars(struct kb_fields *f, const char *key)
{
	return take_flat(f, key, false);
}
