/* The canonical encoding, RFC 8785. */

#include "json/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/utf8.h"

static void print_value(struct kb_buf *out, const struct kb_json *v,
			int depth);

/* The letter that escapes the control character `c`, or 0 for \u00xx. */
static char short_escape(char c)
{
	switch (c) {
	case '\b':
		return 'b';
	case '\t':
		return 't';
	case '\n':
		return 'n';
	case '\f':
		return 'f';
	case '\r':
		return 'r';
	default:
		return 0;
	}
}

static void print_escape(struct kb_buf *out, char c)
{
	char letter = c == '"' || c == '\\' ? c : short_escape(c);

	if (letter)
		kb_buf_addf(out, "\\%c", letter);
	else
		kb_buf_addf(out, "\\u%04x", (unsigned)c);
}

static bool must_escape(char c)
{
	return (unsigned char)c < 0x20 || c == '"' || c == '\\';
}

static void print_string(struct kb_buf *out, const char *s)
{
	kb_buf_addch(out, '"');
	while (*s) {
		const char *run = s;

		while (*s && !must_escape(*s))
			s++;
		kb_buf_add(out, run, (size_t)(s - run));
		if (*s)
			print_escape(out, *s++);
	}
	kb_buf_addch(out, '"');
}

static void print_array(struct kb_buf *out, const struct kb_json *array,
			int depth)
{
	const struct kb_json *v;

	kb_buf_addch(out, '[');
	for (v = kb_json_first(array); v; v = kb_json_next(v)) {
		if (v != kb_json_first(array))
			kb_buf_addch(out, ',');
		print_value(out, v, depth);
	}
	kb_buf_addch(out, ']');
}

static int compare_members(const void *pa, const void *pb)
{
	const struct kb_json *const *a = pa, *const *b = pb;

	return kb_utf8_compare_utf16(kb_json_key(*a), kb_json_key(*b));
}

static const struct kb_json **sorted_members(const struct kb_json *object,
					     size_t count)
{
	const struct kb_json **members =
		kb_xreallocarray(NULL, count, sizeof(*members));
	const struct kb_json *v = kb_json_first(object);

	for (size_t i = 0; i < count; i++, v = kb_json_next(v))
		members[i] = v;
	qsort(members, count, sizeof(*members), compare_members);
	/* Sorted, equal keys are neighbours: the one check that every object of
	 * ours passes before it is bytes. */
	for (size_t i = 1; i < count; i++) {
		if (!compare_members(&members[i - 1], &members[i]))
			KB_BUG("a key was set twice");
	}
	return members;
}

static void print_object(struct kb_buf *out, const struct kb_json *object,
			 int depth)
{
	size_t count = kb_json_count(object);
	kb_auto(mem) const struct kb_json **members =
		sorted_members(object, count);

	kb_buf_addch(out, '{');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			kb_buf_addch(out, ',');
		print_string(out, kb_json_key(members[i]));
		kb_buf_addch(out, ':');
		print_value(out, members[i], depth);
	}
	kb_buf_addch(out, '}');
}

/* `depth` is the number of containers around `v`. */
static void print_value(struct kb_buf *out, const struct kb_json *v, int depth)
{
	switch (kb_json_type(v)) {
	case KB_JSON_NULL:
		kb_buf_addstr(out, "null");
		return;
	case KB_JSON_BOOL:
		kb_buf_addstr(out, kb_json_bool_value(v) ? "true" : "false");
		return;
	case KB_JSON_INT:
		kb_buf_addf(out, "%" PRId64, kb_json_int_value(v));
		return;
	case KB_JSON_FLOAT:
		KB_BUG("a record cannot hold a float");
	case KB_JSON_STRING:
		print_string(out, kb_json_string_value(v));
		return;
	case KB_JSON_ARRAY:
	case KB_JSON_OBJECT:
		break;
	}

	/* We must be able to read our own output. */
	if (depth == KB_JSON_DEPTH_MAX)
		KB_BUG("a record is nested too deep");
	if (kb_json_type(v) == KB_JSON_ARRAY)
		print_array(out, v, depth + 1);
	else
		print_object(out, v, depth + 1);
}

void kb_json_print(struct kb_buf *out, const struct kb_json *v)
{
	print_value(out, v, 0);
}

void kb_json_print_string(struct kb_buf *out, const char *text)
{
	kb_auto(json) struct kb_json *v = kb_json_string(text);

	kb_json_print(out, v);
}

/* Canonical text is equal exactly if values are, and objects whose members are
 * in another order become alike by it. */
bool kb_json_equal(const struct kb_json *a, const struct kb_json *b)
{
	kb_auto(buf) struct kb_buf of_a = KB_BUF_INIT, of_b = KB_BUF_INIT;

	if (!a || !b)
		return a == b;
	kb_json_print(&of_a, a);
	kb_json_print(&of_b, b);
	return of_a.len == of_b.len && !memcmp(of_a.data, of_b.data, of_a.len);
}
