#ifndef KB_EXPORT_FOREIGN_JSON_H
#define KB_EXPORT_FOREIGN_JSON_H

#include <stdbool.h>
#include <stdint.h>

struct kb_buf;
struct kb_share;

/*
 * JSON as other tools write it, which our own never is: with fractions, one
 * value a line, indented by four, members in the order that they are added.
 *
 *	struct kb_foreign_json j = { .out = &buf };
 *
 *	kb_foreign_json_open(&j, NULL, '{');
 *	kb_foreign_json_double(&j, "mean", 0.1);
 *	kb_foreign_json_close(&j, '}');
 *
 * `key` is NULL for the root and in an array. Strings are UTF-8. The caller
 * pairs brackets and sets each key once.
 */
struct kb_foreign_json {
	struct kb_buf *out;		/* borrowed */
	int depth;
	bool has_member;		/* of the innermost that is open */
};

void kb_foreign_json_open(struct kb_foreign_json *j, const char *key,
			  char bracket);
void kb_foreign_json_close(struct kb_foreign_json *j, char bracket);

void kb_foreign_json_string(struct kb_foreign_json *j, const char *key,
			    const char *value);
void kb_foreign_json_int(struct kb_foreign_json *j, const char *key,
			 int64_t value);
void kb_foreign_json_bool(struct kb_foreign_json *j, const char *key,
			  bool value);
void kb_foreign_json_null(struct kb_foreign_json *j, const char *key);

/* Finite. See kb_double_print(). */
void kb_foreign_json_double(struct kb_foreign_json *j, const char *key,
			    double value);

/* The double nearest to an exact fraction, as near as two roundings get. */
void kb_foreign_json_share(struct kb_foreign_json *j, const char *key,
			   const struct kb_share *share);

/* Millionths or billionths, or whatever 1 / `scale` is, of something; null if
 * `value` is KB_UNKNOWN. */
void kb_foreign_json_scaled(struct kb_foreign_json *j, const char *key,
			    int64_t value, double scale);

/*
 * Append the shortest decimal that strtod(3) reads back as `value`, which is
 * finite, with a fraction or an exponent so that it is no integer to
 * anybody: 0.1, 5.0, 1e-07. The thread's locale does not matter.
 */
void kb_double_print(struct kb_buf *out, double value);

#endif
