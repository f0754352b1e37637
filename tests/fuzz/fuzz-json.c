/*
 * Any bytes, in each dialect. What is refused is refused with a reason;
 * what is accepted has one canonical encoding, which parses to itself and
 * is what a slow and plain reading of RFC 8785 says it must be.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "json/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same_scalar(const struct kb_json *a, const struct kb_json *b)
{
	switch (kb_json_type(a)) {
	case KB_JSON_BOOL:
		return kb_json_bool_value(a) == kb_json_bool_value(b);
	case KB_JSON_INT:
	case KB_JSON_FLOAT:
		return kb_json_number_value(a) == kb_json_number_value(b);
	case KB_JSON_STRING:
		return !strcmp(kb_json_string_value(a),
			       kb_json_string_value(b));
	default:
		return true;
	}
}

static bool is_same(const struct kb_json *a, const struct kb_json *b)
{
	if (kb_json_type(a) != kb_json_type(b) || !is_same_scalar(a, b) ||
	    kb_json_count(a) != kb_json_count(b))
		return false;
	b = kb_json_first(b);
	for (const struct kb_json *x = kb_json_first(a); x;
	     x = kb_json_next(x), b = kb_json_next(b)) {
		if (!kb_json_key(x) != !kb_json_key(b) ||
		    (kb_json_key(x) && strcmp(kb_json_key(x), kb_json_key(b))))
			return false;
		if (!is_same(x, b))
			return false;
	}
	return true;
}

/* In memory that has been used before, it is the same. */
static void check_in_pool(const struct kb_json *want, const void *data,
			  size_t size)
{
	static const char before[] = "[{\"a\":\"something\"},1,true,null]";
	struct kb_json_pool *pool = kb_json_pool_new();
	const struct kb_json *v = NULL;

	must(kb_json_parse_in(&v, pool, before, sizeof(before) - 1, "fuzz",
			      NULL) == 0);
	v = NULL;
	must((kb_json_parse_in(&v, pool, data, size, "fuzz", NULL) == 0) ==
	     (want != NULL));
	must(!v == !want);
	if (v)
		must(is_same(v, want));
	kb_json_pool_free(pool);
}

/* NULL if the bytes are refused. */
static struct kb_json *parse(const void *data, size_t size,
			     enum kb_json_dialect dialect)
{
	static const char reason[] = "cannot parse 'fuzz': ";
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *v = NULL;
	int ret;

	ret = kb_json_parse(&v, data, size, dialect, "fuzz", &err);
	must((ret == 0) == (v != NULL));
	if (dialect == KB_JSON_CANONICAL)
		check_in_pool(v, data, size);
	if (ret == 0) {
		must(err.kind == 0);
		return v;
	}
	must(ret == -KB_ERR_INPUT);
	must(!strncmp(err.msg, reason, strlen(reason)));
	must(strstr(err.msg, " at byte "));
	must(strtoul(strstr(err.msg, " at byte ") + 9, NULL, 10) <= size);
	return NULL;
}

static bool has_float(const struct kb_json *v)
{
	const struct kb_json *child;

	if (kb_json_type(v) == KB_JSON_FLOAT)
		return true;
	for (child = kb_json_first(v); child; child = kb_json_next(child)) {
		if (has_float(child))
			return true;
	}
	return false;
}

/* The UTF-16 code unit at `*s`; the second of a pair is left in `*low`. */
static uint32_t next_code_unit(const char **s, uint32_t *low)
{
	uint32_t c = *low;

	*low = 0;
	if (c)
		return c;
	must(kb_utf8_decode(&c, *s, strlen(*s) + 1) > 0);
	if (c)
		*s += kb_utf8_decode(&c, *s, strlen(*s));
	if (c < 0x10000)
		return c;
	*low = 0xdc00 + ((c - 0x10000) & 0x3ff);
	return 0xd800 + ((c - 0x10000) >> 10);
}

static bool sorts_before(const char *a, const char *b)
{
	uint32_t low_a = 0, low_b = 0, unit_a, unit_b;

	do {
		unit_a = next_code_unit(&a, &low_a);
		unit_b = next_code_unit(&b, &low_b);
	} while (unit_a && unit_a == unit_b);
	return unit_a < unit_b;
}

/* Of a tree parsed from canonical bytes: input order is sorted order. */
static void check_tree(const struct kb_json *v)
{
	const struct kb_json *child, *next;

	if (kb_json_type(v) == KB_JSON_STRING)
		must(kb_utf8_valid(kb_json_string_value(v),
				   strlen(kb_json_string_value(v))));
	for (child = kb_json_first(v); child; child = next) {
		next = kb_json_next(child);
		if (kb_json_type(v) == KB_JSON_OBJECT && next)
			must(sorts_before(kb_json_key(child),
					  kb_json_key(next)));
		if (kb_json_type(v) == KB_JSON_OBJECT)
			must(kb_json_find(v, kb_json_key(child)) == child);
		check_tree(child);
	}
}

static bool same(const struct kb_buf *b, const void *data, size_t size)
{
	return b->len == size && (size == 0 || !memcmp(b->data, data, size));
}

static void check_encoding(const struct kb_json *v, const void *data,
			   size_t size)
{
	kb_auto(buf) struct kb_buf once = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf twice = KB_BUF_INIT;
	kb_auto(json) struct kb_json *canonical = NULL;
	kb_auto(json) struct kb_json *copy = NULL;
	kb_auto(json) struct kb_json *input = NULL;

	kb_json_print(&once, v);
	must(kb_utf8_valid(once.data, once.len));
	must(!memchr(once.data, '\n', once.len));

	canonical = parse(once.data, once.len, KB_JSON_CANONICAL);
	must(canonical);
	check_tree(canonical);
	copy = kb_json_copy(canonical);
	kb_json_print(&twice, copy);
	must(same(&twice, once.data, once.len));

	input = parse(data, size, KB_JSON_CANONICAL);
	must((input != NULL) == same(&once, data, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(json) struct kb_json *foreign =
		parse(data, size, KB_JSON_FOREIGN);
	kb_auto(json) struct kb_json *ours = parse(data, size, KB_JSON_OURS);
	kb_auto(json) struct kb_json *canonical =
		parse(data, size, KB_JSON_CANONICAL);

	/* Each dialect is part of the next. */
	must(!canonical || ours);
	must(!ours || foreign);

	if (foreign)
		must(kb_utf8_valid(data, size) && !memchr(data, 0, size));
	if (ours)
		must(!has_float(ours));
	if (foreign && !has_float(foreign))
		check_encoding(foreign, data, size);
	if (ours)
		check_encoding(ours, data, size);
	return 0;
}
