#ifndef KB_JSON_JSON_H
#define KB_JSON_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/numbers.h"

struct kb_buf;
struct kb_err;

/*
 * JSON, strictly.
 *
 * Two dialects. Our own records are RFC 8785 canonical JSON and hold only
 * objects, arrays, strings, booleans, null and integers within +-(2^53 - 1):
 * one value has one encoding, so a record can be named by its digest. Other
 * people's files (KB_JSON_FOREIGN) may also hold fractions and white space.
 * Both refuse duplicate keys, lone surrogates, invalid UTF-8, NUL (raw or
 * escaped), bytes after the value and nesting beyond KB_JSON_DEPTH_MAX.
 * Keys are duplicates if they say the same characters, however escaped.
 *
 * A value belongs to the container that it was put in, a root to whoever
 * made it. Pointers read from a value are borrowed until its root is freed.
 *
 * What the caller must see to (the type of a value that is looked into,
 * the limits of one that is built) is checked too: breaking it aborts.
 */

#define KB_JSON_DEPTH_MAX 64				/* 1 is [] */
#define KB_JSON_INT_MAX KB_EXACT_INT_MAX
#define KB_JSON_NUMBER_MAX_BYTES 63			/* as it is spelled */

enum kb_json_dialect {
	KB_JSON_OURS,		/* integers only; any spacing and key order */
	KB_JSON_CANONICAL,	/* as OURS, and byte for byte canonical */
	KB_JSON_FOREIGN,	/* fractions and exponents allowed */
};

/*
 * Numbers go by value, not by spelling: 1.0 and 10e-1 are the integer 1.
 * A float is a number that has a fraction or is beyond KB_JSON_INT_MAX.
 */
enum kb_json_type {
	KB_JSON_NULL,
	KB_JSON_BOOL,
	KB_JSON_INT,
	KB_JSON_FLOAT,		/* KB_JSON_FOREIGN only; finite */
	KB_JSON_STRING,
	KB_JSON_ARRAY,
	KB_JSON_OBJECT,
};

struct kb_json;

/*
 * Parse `len` bytes. `name` is only used in messages, which give the
 * offset of the byte that is wrong, the first being 0. The thread's locale
 * does not matter. Caller frees `*out` with kb_json_free().
 *
 * Fails with KB_ERR_INPUT.
 */
int kb_json_parse(struct kb_json **out, const void *data, size_t len,
		  enum kb_json_dialect dialect, const char *name,
		  struct kb_err *err);

/*
 * The same of KB_JSON_CANONICAL in memory that is used again and again, for values that are looked
 * at one after the other: `*out` is borrowed until the next one is parsed
 * into `pool`, or that is freed. It can be copied, but neither changed nor
 * put into anything.
 */
struct kb_json_pool;

struct kb_json_pool *kb_json_pool_new(void);
void kb_json_pool_free(struct kb_json_pool *pool);	/* NULL is allowed */

int kb_json_parse_in(const struct kb_json **out, struct kb_json_pool *pool,
		     const void *data, size_t len, const char *name,
		     struct kb_err *err);

/* NULL is allowed. Only for roots. */
void kb_json_free(struct kb_json *v);

/*
 * Append the canonical encoding, without a line end. The value must hold
 * no KB_JSON_FLOAT, no key twice and no more than KB_JSON_DEPTH_MAX levels.
 */
void kb_json_print(struct kb_buf *out, const struct kb_json *v);
void kb_json_print_string(struct kb_buf *out, const char *text);

/* Do both print to the same bytes? NULL equals NULL alone. */
bool kb_json_equal(const struct kb_json *a, const struct kb_json *b);

/* Building. Strings are copied and must be UTF-8: see kb_utf8_valid(). */
struct kb_json *kb_json_object(void);
struct kb_json *kb_json_array(void);
struct kb_json *kb_json_string(const char *s);
struct kb_json *kb_json_int(int64_t i);		/* within +-KB_JSON_INT_MAX */
struct kb_json *kb_json_bool(bool b);
struct kb_json *kb_json_null(void);

/* `v`, a root, moves into the container. A key may be set once. */
void kb_json_set(struct kb_json *object, const char *key, struct kb_json *v);
void kb_json_append(struct kb_json *array, struct kb_json *v);

/* Shorthands for the above; a NULL string is stored as null. */
void kb_json_set_string(struct kb_json *object, const char *key, const char *s);
void kb_json_set_int(struct kb_json *object, const char *key, int64_t i);
void kb_json_set_bool(struct kb_json *object, const char *key, bool b);

/* A copy that shares nothing with `v`. */
struct kb_json *kb_json_copy(const struct kb_json *v);

/* Looking. */
enum kb_json_type kb_json_type(const struct kb_json *v);
const char *kb_json_type_name(enum kb_json_type type);	/* "an integer" */
const char *kb_json_string_value(const struct kb_json *v);
int64_t kb_json_int_value(const struct kb_json *v);
bool kb_json_bool_value(const struct kb_json *v);
double kb_json_number_value(const struct kb_json *v);	/* INT or FLOAT */

/*
 * Children of an array or object, in the order they came in; a scalar has
 * none. kb_json_count() and kb_json_find() walk them all.
 */
size_t kb_json_count(const struct kb_json *v);

/* First child, or NULL; next sibling, or NULL. */
const struct kb_json *kb_json_first(const struct kb_json *container);
const struct kb_json *kb_json_next(const struct kb_json *v);
const char *kb_json_key(const struct kb_json *v);	/* of an object's child */

/* Member of an object, or NULL; nothing has none. */
const struct kb_json *kb_json_find(const struct kb_json *object,
				   const char *key);

/* The same, looked for from the child `from` on, and then from the first: who
 * reads members in the order that canonical JSON has them in, and hands in the
 * last that was found, finds the next at once. NULL is the first. */
const struct kb_json *kb_json_find_from(const struct kb_json *object,
					const struct kb_json *from,
					const char *key);

/* The text of a member that is a string; else NULL, or `otherwise`. Borrowed. */
const char *kb_json_text(const struct kb_json *object, const char *key);
const char *kb_json_text_or(const struct kb_json *object, const char *key,
			    const char *otherwise);

/* The same of a member that is an integer. */
int64_t kb_json_int_or(const struct kb_json *object, const char *key,
		       int64_t otherwise);

/* Is there such a member, and is it this string? */
bool kb_json_text_is(const struct kb_json *object, const char *key,
		     const char *text);

/* Fails with KB_ERR_INPUT: "<where>: is an array, want an object". */
int kb_json_want_object(const struct kb_json *v, const char *where,
			struct kb_err *err);

/*
 * Reading records: a member that must be there and of that type. `where`
 * names the object in messages: "<where>: '<key>' is missing", "<where>:
 * '<key>' is a string, want an integer", and, as `object` may be any value,
 * what kb_json_want_object() says. Fail with KB_ERR_INPUT.
 */
int kb_json_read(const struct kb_json **out, const struct kb_json *object,
		 const char *key, enum kb_json_type want, const char *where,
		 struct kb_err *err);
int kb_json_read_string(const char **out, const struct kb_json *object,
			const char *key, const char *where,
			struct kb_err *err);
int kb_json_read_int(int64_t *out, const struct kb_json *object,
		     const char *key, int64_t min, int64_t max,
		     const char *where, struct kb_err *err);
int kb_json_read_bool(bool *out, const struct kb_json *object, const char *key,
		      const char *where, struct kb_err *err);

/* The same of the member `v` that was found under `key`, or NULL. */
int kb_json_want(const struct kb_json *v, const char *key,
		 enum kb_json_type want, const char *where,
		 struct kb_err *err);
int kb_json_want_int(int64_t *out, const struct kb_json *v, const char *key,
		     int64_t min, int64_t max, const char *where,
		     struct kb_err *err);

/* A string or null; null gives NULL. The member must be there. */
int kb_json_read_string_or_null(const char **out, const struct kb_json *object,
				const char *key, const char *where,
				struct kb_err *err);

/*
 * The object holds no member but those in `keys`, a NULL-terminated list:
 * a record with a field that we do not know is not one that we can vouch
 * for. Fails with KB_ERR_INPUT.
 */
int kb_json_only(const struct kb_json *object, const char *const keys[],
		 const char *where, struct kb_err *err);

static inline void kb_cleanup_json(struct kb_json **v)
{
	kb_json_free(*v);
}

#endif
