#ifndef KB_MANIFEST_FIELDS_H
#define KB_MANIFEST_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"
#include "manifest/status.h"
#include "source/runtime.h"
#include "store/digest.h"

struct kb_err;
struct kb_json;

/*
 * Reading one object of a record, member by member.
 *
 * Each kb_fields_*() below takes the member `key`, which must be there
 * (kb_fields_has() tells where it need not), and returns its value. The
 * first failure is kept in `ret` and `err`; after it every call returns 0,
 * NULL or false and does nothing, so that a reader is a plain list of its
 * fields. kb_fields_end() then refuses the members that nobody asked for.
 *
 *	struct kb_fields f;
 *
 *	kb_fields_begin(&f, object, where, err);
 *	x->name = kb_fields_string(&f, "name");
 *	x->size_bytes = kb_fields_int(&f, "size_bytes", 0, KB_JSON_INT_MAX);
 *	return kb_fields_end(&f);
 *
 * All failures are KB_ERR_INPUT and begin with `where`.
 */
#define KB_FIELDS_MAX 32

struct kb_fields {
	const struct kb_json *object;
	const struct kb_json *last;	/* of its members that was found */
	const char *where;
	struct kb_err *err;
	int ret;			/* 0, or the first failure */
	const struct kb_json *seen[KB_FIELDS_MAX];	/* members, as read */
	size_t seen_count;
};

/* `object` may be any value; `where` is borrowed until the end. What is read
 * often is read in the order of its keys, and found at once. */
void kb_fields_begin(struct kb_fields *f, const struct kb_json *object,
		     const char *where, struct kb_err *err);
int kb_fields_end(struct kb_fields *f);

/*
 * Begin reading the member `key` of `f`, an object, by `inner`. False after a
 * failure: `inner` is not to be read then. In the end the outer reader is told
 * how it went: f->ret = kb_fields_end(&inner).
 */
bool kb_fields_enter(struct kb_fields *inner, struct kb_fields *f,
		     const char *key);

/* As kb_fields_enter(), but failures begin with "<where>: <key>". That text is
 * `*place`, which the caller frees; NULL after a failure. */
bool kb_fields_enter_at(struct kb_fields *inner, char **place,
			struct kb_fields *f, const char *key);

/* A failure of the reader's own, unless there is one already. */
void kb_fields_fail(struct kb_fields *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The member is there. That does not count as reading it: whoever asks
 * reads it then, with one of the others. */
bool kb_fields_has(struct kb_fields *f, const char *key);

/* The member is null. It then counts as read. */
bool kb_fields_null(struct kb_fields *f, const char *key);

/* Borrowed from the object. */
const char *kb_fields_text(struct kb_fields *f, const char *key);
const struct kb_json *kb_fields_array(struct kb_fields *f, const char *key);
const struct kb_json *kb_fields_object(struct kb_fields *f, const char *key);

/* An array of `min` to `max` elements: a record may come from anywhere, and
 * elements are allocated before they are read. Borrowed, too. */
const struct kb_json *kb_fields_list(struct kb_fields *f, const char *key,
				     size_t min, size_t max);

/* The caller frees; "" is refused. */
char *kb_fields_string(struct kb_fields *f, const char *key);

/* The caller frees; null gives NULL, "" is refused. */
char *kb_fields_string_or_null(struct kb_fields *f, const char *key);

/* As kb_fields_string_or_null(), and `digits` lower-case hex digits. */
char *kb_fields_hex_or_null(struct kb_fields *f, const char *key,
			    size_t digits);

int64_t kb_fields_int(struct kb_fields *f, const char *key, int64_t min,
		      int64_t max);

/* Null gives KB_UNKNOWN. */
int64_t kb_fields_int_or_null(struct kb_fields *f, const char *key,
			      int64_t min, int64_t max);
bool kb_fields_bool(struct kb_fields *f, const char *key);
struct kb_digest kb_fields_digest(struct kb_fields *f, const char *key);

/* A string as kb_put_decimal() writes it, and in no other spelling. */
double kb_fields_decimal(struct kb_fields *f, const char *key);

/* The same of kb_put_real(). */
double kb_fields_real(struct kb_fields *f, const char *key);

/* A string that kb_number_valid() takes, without a minus unless it may have one;
 * as it is spelt: to read and print it could change its last digit. The caller
 * frees. */
char *kb_fields_number(struct kb_fields *f, const char *key, bool may_be_negative);

/* The index of the member's word in `words`. */
int kb_fields_word(struct kb_fields *f, const char *key,
		   const char *const words[], int count);
enum kb_status kb_fields_status(struct kb_fields *f, const char *key);
enum kb_runtime kb_fields_runtime(struct kb_fields *f, const char *key);

/* The members "key", "level" and "problem_id", which must agree. */
struct kb_key kb_fields_key(struct kb_fields *f);

/* An array of distinct keys in order; the caller frees. */
struct kb_key *kb_fields_keys(struct kb_fields *f, const char *key,
			      size_t *count);

/* {"<status>": 1 or more, ...}: only what occurs is listed. */
void kb_fields_counts(struct kb_fields *f, const char *key,
		      int64_t counts[KB_STATUS_COUNT]);

/* A flat object whose members are strings. A copy; the caller frees. */
struct kb_json *kb_fields_strings(struct kb_fields *f, const char *key);

/* A flat object of strings, integers and booleans. A copy, too. */
struct kb_json *kb_fields_scalars(struct kb_fields *f, const char *key);

/* The same forms, written. KB_UNKNOWN becomes null. */
void kb_put_int(struct kb_json *object, const char *key, int64_t i);
void kb_put_digest(struct kb_json *object, const char *key,
		   const struct kb_digest *d);

/* Nine significant digits; `x` is 0 or more and may be infinite. */
void kb_put_decimal(struct kb_json *object, const char *key, double x);

/* The same of any finite number. */
void kb_put_real(struct kb_json *object, const char *key, double x);
void kb_put_key(struct kb_json *object, struct kb_key key);
void kb_put_keys(struct kb_json *object, const char *key,
		 const struct kb_key keys[], size_t count);
void kb_put_counts(struct kb_json *object, const char *key,
		   const int64_t counts[KB_STATUS_COUNT]);

/* `text` is exactly `digits` of 0-9 a-f. */
bool kb_hex_valid(const char *text, size_t digits);

/* `text` is a JSON number, 0, -2, 0.70, 1e-3, of at most 32 bytes: one that
 * is kept as it is spelt and not computed with. */
bool kb_number_valid(const char *text);

#endif
