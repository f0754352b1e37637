#include "export/foreign_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/record.h"
#include "manifest/share.h"

#define INDENT 4
#define DOUBLE_DIGITS_MAX 17	/* which always read back as the same */
#define DOUBLE_SIZE 64		/* bytes that "%.17g" fits, with the NUL */

static void begin_line(struct kb_foreign_json *j)
{
	kb_buf_addf(j->out, "\n%*s", INDENT * j->depth, "");
}

static void begin_value(struct kb_foreign_json *j, const char *key)
{
	if (j->has_member)
		kb_buf_addch(j->out, ',');
	if (j->depth)
		begin_line(j);
	if (key) {
		kb_json_print_string(j->out, key);
		kb_buf_addstr(j->out, ": ");
	}
	j->has_member = true;
}

void kb_foreign_json_open(struct kb_foreign_json *j, const char *key,
			  char bracket)
{
	begin_value(j, key);
	kb_buf_addch(j->out, bracket);
	j->depth++;
	j->has_member = false;
}

void kb_foreign_json_close(struct kb_foreign_json *j, char bracket)
{
	j->depth--;
	if (j->has_member)
		begin_line(j);
	kb_buf_addch(j->out, bracket);
	j->has_member = true;
	if (!j->depth)
		kb_buf_addch(j->out, '\n');
}

void kb_foreign_json_string(struct kb_foreign_json *j, const char *key,
			    const char *value)
{
	begin_value(j, key);
	kb_json_print_string(j->out, value);
}

void kb_foreign_json_int(struct kb_foreign_json *j, const char *key,
			 int64_t value)
{
	begin_value(j, key);
	kb_buf_addf(j->out, "%" PRId64, value);
}

void kb_foreign_json_bool(struct kb_foreign_json *j, const char *key,
			  bool value)
{
	begin_value(j, key);
	kb_buf_addstr(j->out, value ? "true" : "false");
}

void kb_foreign_json_null(struct kb_foreign_json *j, const char *key)
{
	begin_value(j, key);
	kb_buf_addstr(j->out, "null");
}

void kb_foreign_json_double(struct kb_foreign_json *j, const char *key,
			    double value)
{
	begin_value(j, key);
	kb_double_print(j->out, value);
}

/* The exact fraction has as many digits as it needs. Either number may be beyond
 * a double: then the millionths must do. */
static double value_of(const struct kb_share *share)
{
	char *slash;
	const long double over = strtold(share->exact, &slash);
	const long double under = strtold(slash + 1, NULL);
	const double value = (double)(over / under);

	return isfinite(value) ? value : (double)share->ppm / 1e6;
}

void kb_foreign_json_share(struct kb_foreign_json *j, const char *key,
			   const struct kb_share *share)
{
	kb_foreign_json_double(j, key, value_of(share));
}

void kb_foreign_json_scaled(struct kb_foreign_json *j, const char *key,
			    int64_t value, double scale)
{
	if (value == KB_UNKNOWN)
		kb_foreign_json_null(j, key);
	else
		kb_foreign_json_double(j, key, (double)value / scale);
}

/* A locale's decimal point is whatever is none of these, of any length. */
static void add_with_point(struct kb_buf *out, const char *text)
{
	while (*text) {
		size_t plain = strspn(text, "0123456789+-e");

		kb_buf_add(out, text, plain);
		text += plain;
		if (!*text)
			return;
		kb_buf_addch(out, '.');
		text += strcspn(text, "0123456789+-e");
	}
}

void kb_double_print(struct kb_buf *out, double value)
{
	char text[DOUBLE_SIZE];

	if (!isfinite(value))
		KB_BUG("JSON has no number for this");
	/* The shortest decimal that reads back as the same double is what
	 * Python prints, and what its users compare files with. */
	for (int digits = 1; digits <= DOUBLE_DIGITS_MAX; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	add_with_point(out, text);
	/* Python tells 1 from 1.0 when it reads JSON. */
	if (strspn(text, "-0123456789") == strlen(text))
		kb_buf_addstr(out, ".0");
}
