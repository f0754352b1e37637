#include "generate/toml.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "generate/escape.h"
#include "generate/reader.h"
#include "json/json.h"
#include "json/utf8.h"

/* Templates are KernelBench's prompts.toml. As much of TOML 1.0 is read as such
 * a file has: tables, strings of all four forms, arrays, booleans and integers.
 * Dates, fractions and arrays of tables are refused by name, and not misread. */
static void skip_blanks(struct kb_reader *r)
{
	while (kb_at(r, ' ') || kb_at(r, '\t'))
		r->p++;
}

static void skip_comment(struct kb_reader *r)
{
	if (kb_at(r, '#'))
		while (r->p < r->end && *r->p != '\n')
			r->p++;
}

/* Blanks, line ends and comments. */
static void skip_lines(struct kb_reader *r)
{
	while (r->p < r->end) {
		skip_blanks(r);
		skip_comment(r);
		if (!kb_take(r, '\n') && !(kb_at_text(r, "\r\n") && r->p++))
			return;
	}
}

static int end_line(struct kb_reader *r)
{
	skip_blanks(r);
	skip_comment(r);
	if (r->p == r->end || kb_take(r, '\n'))
		return 0;
	if (kb_at_text(r, "\r\n")) {
		r->p += 2;
		return 0;
	}
	return kb_refuse(r, "there is more after the value");
}

/* --- strings ----------------------------------------------------------- */

/* Behind a backslash at a line's end: up to what is not white space. */
static bool join_lines(struct kb_reader *r)
{
	const char *p = r->p;

	while (p < r->end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	if (p == r->end || *p != '\n')
		return false;
	while (p < r->end && isspace((unsigned char)*p))
		p++;
	r->p = p;
	return true;
}

static int take_escape(struct kb_buf *out, struct kb_reader *r, bool is_long)
{
	static const char from[] = "btnfr\"\\", to[] = "\b\t\n\f\r\"\\";
	const char *which;

	if (is_long && join_lines(r))
		return 0;
	if (r->p == r->end)
		return kb_refuse(r, "the string has no end");
	which = *r->p ? strchr(from, *r->p) : NULL;
	if (which) {
		kb_buf_addch(out, to[which - from]);
		r->p++;
		return 0;
	}
	if ((kb_at(r, 'u') || kb_at(r, 'U')) &&
	    kb_escape_unicode(out, &r->p, r->end))
		return 0;
	return kb_refuse(r, "the string has an escape that TOML does not have");
}

/* The character at `p`, which is not the string's end. */
static int take_character(struct kb_buf *out, struct kb_reader *r, char quote,
			  bool is_long)
{
	const unsigned char c = (unsigned char)*r->p;

	if (c == '\r' && r->p + 1 < r->end && r->p[1] == '\n' && is_long) {
		r->p++;			/* a line ends in LF, as Python has it */
		return 0;
	}
	if ((c < ' ' && c != '\t' && !(c == '\n' && is_long)) || c == 0x7f)
		return kb_refuse(r, c == '\n' ? "the string has no end"
				: "the string has a control character");
	r->p++;
	if (c == '\\' && quote == '"')
		return take_escape(out, r, is_long);
	kb_buf_addch(out, (char)c);
	return 0;
}

static int take_short(struct kb_buf *out, struct kb_reader *r, char quote)
{
	int ret = 0;

	r->p++;
	while (ret == 0 && r->p < r->end && !kb_at(r, quote))
		ret = take_character(out, r, quote, false);
	if (ret == 0 && !kb_take(r, quote))
		ret = kb_refuse(r, "the string has no end");
	return ret;
}

/* One or two quotes may stand before the three that end it. */
static void take_last_quotes(struct kb_buf *out, struct kb_reader *r,
			     char quote)
{
	r->p += 3;
	for (int i = 0; i < 2 && kb_take(r, quote); i++)
		kb_buf_addch(out, quote);
}

static int take_long(struct kb_buf *out, struct kb_reader *r,
		     const char *quotes)
{
	int ret = 0;

	r->p += 3;
	if (kb_at_text(r, "\r\n"))
		r->p++;
	kb_take(r, '\n');
	while (ret == 0 && r->p < r->end && !kb_at_text(r, quotes))
		ret = take_character(out, r, *quotes, true);
	if (ret < 0)
		return ret;
	if (r->p == r->end)
		return kb_refuse(r, "the string has no end");
	take_last_quotes(out, r, *quotes);
	return 0;
}

static int take_string(struct kb_buf *out, struct kb_reader *r)
{
	if (kb_at_text(r, "\"\"\""))
		return take_long(out, r, "\"\"\"");
	if (kb_at_text(r, "'''"))
		return take_long(out, r, "'''");
	return take_short(out, r, *r->p);
}

/* --- keys -------------------------------------------------------------- */

static bool is_bare(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static int take_key_part(struct kb_buf *out, struct kb_reader *r)
{
	skip_blanks(r);
	kb_buf_clear(out);
	if (kb_at(r, '"') || kb_at(r, '\''))
		return take_short(out, r, *r->p);
	while (r->p < r->end && is_bare(*r->p))
		kb_buf_addch(out, *r->p++);
	return out->len ? 0 : kb_refuse(r, "a key is wanted");
}

/* The table `key` of `table`, made if need be; NULL if that is something
 * else. */
static struct kb_json *open_table(struct kb_json *table, const char *key)
{
	struct kb_json *v = (struct kb_json *)(uintptr_t)
		kb_json_find(table, key);

	if (!v) {
		v = kb_json_object();
		kb_json_set(table, key, v);
	}
	return kb_json_type(v) == KB_JSON_OBJECT ? v : NULL;
}

/* A dotted key: `*table` moves to where its last part, `last`, is to be. */
static int take_key(struct kb_json **table, struct kb_buf *last,
		    struct kb_reader *r)
{
	int depth = 0, ret = take_key_part(last, r);

	for (skip_blanks(r); ret == 0 && kb_take(r, '.'); skip_blanks(r)) {
		*table = open_table(*table, last->data);
		if (!*table || ++depth > KB_TOML_DEPTH_MAX)
			return kb_refuse(r, *table ? "the key has too many parts"
					 : "the key is no table");
		ret = take_key_part(last, r);
	}
	return ret;
}

/* --- values ------------------------------------------------------------ */

static int take_value(struct kb_json **out, struct kb_reader *r, int depth);

static int take_pair(struct kb_json *table, struct kb_reader *r, int depth)
{
	kb_auto(buf) struct kb_buf key = KB_BUF_INIT;
	struct kb_json *v = NULL;
	int ret = take_key(&table, &key, r);

	if (ret < 0)
		return ret;
	if (!kb_take(r, '='))
		return kb_refuse(r, "'=' is wanted after the key");
	skip_blanks(r);
	if (kb_json_find(table, key.data))
		return kb_refuse(r, "the key is there twice");
	ret = take_value(&v, r, depth);
	if (ret == 0)
		kb_json_set(table, key.data, v);
	return ret;
}

static int take_array(struct kb_json *array, struct kb_reader *r, int depth)
{
	int ret = 0;

	r->p++;
	for (skip_lines(r); ret == 0 && !kb_at(r, ']'); skip_lines(r)) {
		struct kb_json *v = NULL;

		ret = take_value(&v, r, depth + 1);
		if (ret < 0)
			return ret;
		kb_json_append(array, v);
		skip_lines(r);
		if (!kb_take(r, ',') && !kb_at(r, ']'))
			return kb_refuse(r, "',' or ']' is wanted");
	}
	r->p++;
	return ret;
}

static int take_inline(struct kb_json *table, struct kb_reader *r, int depth)
{
	int ret;

	r->p++;
	skip_blanks(r);
	if (kb_take(r, '}'))
		return 0;
	for (;;) {
		ret = take_pair(table, r, depth + 1);
		if (ret < 0)
			return ret;
		skip_blanks(r);
		if (kb_take(r, '}'))
			return 0;
		if (!kb_take(r, ','))
			return kb_refuse(r, "',' or '}' is wanted");
	}
}

static int take_int(struct kb_json **out, struct kb_reader *r)
{
	const bool is_negative = kb_at(r, '-');
	int64_t n = 0;

	if (kb_at(r, '-') || kb_at(r, '+'))
		r->p++;
	if (r->p == r->end || !isdigit((unsigned char)*r->p))
		return kb_refuse(r, "a value is wanted");
	for (; r->p < r->end && isdigit((unsigned char)*r->p); r->p++) {
		n = 10 * n + (*r->p - '0');
		if (n > KB_JSON_INT_MAX)
			return kb_refuse(r, "the integer is too large");
	}
	/* What makes a number a fraction, a date, a time or one of another
	 * base, of which the digits before it would be a wrong value. */
	if (r->p < r->end && strchr(".eE:_-xob", *r->p) && *r->p)
		return kb_refuse(r,
				 "of numbers, plain integers are read alone");
	*out = kb_json_int(is_negative ? -n : n);
	return 0;
}

static int take_text(struct kb_json **out, struct kb_reader *r)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = take_string(&text, r);

	if (ret == 0)
		*out = kb_json_string(text.data);
	return ret;
}

/* `*out` is the caller's once it is complete. */
static int take_container(struct kb_json **out, struct kb_reader *r, int depth)
{
	kb_auto(json) struct kb_json *v = kb_at(r, '[') ? kb_json_array()
						     : kb_json_object();
	int ret = kb_at(r, '[') ? take_array(v, r, depth)
			     : take_inline(v, r, depth);

	if (ret == 0)
		*out = kb_steal(v);
	return ret;
}

static int take_value(struct kb_json **out, struct kb_reader *r, int depth)
{
	if (depth > KB_TOML_DEPTH_MAX)
		return kb_refuse(r, "values are nested too deep");
	if (kb_at(r, '"') || kb_at(r, '\''))
		return take_text(out, r);
	if (kb_at(r, '[') || kb_at(r, '{'))
		return take_container(out, r, depth);
	if (kb_at_text(r, "true") || kb_at_text(r, "false")) {
		const bool b = kb_at(r, 't');

		r->p += b ? 4 : 5;
		*out = kb_json_bool(b);
		return 0;
	}
	return take_int(out, r);
}

/* --- the document ------------------------------------------------------ */

/* [a.b]: what follows is in that table. */
static int take_header(struct kb_json **table, struct kb_json *root,
		       struct kb_reader *r)
{
	kb_auto(buf) struct kb_buf key = KB_BUF_INIT;
	int ret;

	r->p++;
	if (kb_at(r, '['))
		return kb_refuse(r, "arrays of tables are not read");
	*table = root;
	ret = take_key(table, &key, r);
	if (ret < 0)
		return ret;
	*table = open_table(*table, key.data);
	if (!*table)
		return kb_refuse(r, "the key is no table");
	return kb_take(r, ']') ? end_line(r) : kb_refuse(r, "']' is wanted");
}

static int take_document(struct kb_json *root, struct kb_reader *r)
{
	struct kb_json *table = root;
	int ret = 0;

	for (skip_lines(r); ret == 0 && r->p < r->end; skip_lines(r)) {
		if (kb_at(r, '[')) {
			ret = take_header(&table, root, r);
			continue;
		}
		ret = take_pair(table, r, 0);
		if (ret == 0)
			ret = end_line(r);
	}
	return ret;
}

int kb_toml_parse(struct kb_json **out, const void *data, size_t len,
		  const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *root = kb_json_object();
	struct kb_reader r = { .p = data, .begin = data, .name = name,
			    .end = (const char *)data + len, .err = err };
	int ret;

	if (!kb_utf8_valid(data, len) || memchr(data, '\0', len))
		return kb_err(err, KB_ERR_INPUT, "%s: is not UTF-8 text",
			      name);
	ret = take_document(root, &r);
	if (ret == 0)
		*out = kb_steal(root);
	return ret;
}
