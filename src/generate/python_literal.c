#include "generate/python_literal.h"

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

/*
 * KernelBench's table of GPUs is a Python file that assigns literals to names.
 * It is read without a Python and without running anything: strings, integers,
 * lists and dictionaries of literals, and whatever is more is refused.
 */

/* White space and comments; of line ends only those within brackets. */
static void skip(struct kb_reader *r)
{
	while (r->p < r->end) {
		if (*r->p == '#')
			while (r->p < r->end && *r->p != '\n')
				r->p++;
		else if (*r->p == ' ' || *r->p == '\t' || *r->p == '\r' ||
			 (*r->p == '\n' && r->depth))
			r->p++;
		else if (kb_at_text(r, "\\\n"))
			r->p += 2;
		else
			return;
	}
}

/* --- strings ----------------------------------------------------------- */

static int take_escape(struct kb_buf *out, struct kb_reader *r)
{
	static const char from[] = "abfnrtv\\'\"", to[] = "\a\b\f\n\r\t\v\\'\"";
	const char *which = r->p < r->end && *r->p ? strchr(from, *r->p)
						   : NULL;

	if (which) {
		kb_buf_addch(out, to[which - from]);
		r->p++;
		return 0;
	}
	if (kb_take(r, '\n'))
		return 0;
	if ((kb_at(r, 'u') || kb_at(r, 'U')) &&
	    kb_escape_unicode(out, &r->p, r->end))
		return 0;
	return kb_refuse(r, "the string has an escape that is not read");
}

static int take_quoted(struct kb_buf *out, struct kb_reader *r, bool is_raw)
{
	const char quote = *r->p;
	const char quotes[4] = { quote, quote, quote, '\0' };
	const bool is_long = kb_at_text(r, quotes);
	const char *end = is_long ? quotes : quotes + 2;
	int ret = 0;

	r->p += is_long ? 3 : 1;
	while (ret == 0 && r->p < r->end && !kb_at_text(r, end)) {
		if (*r->p == '\n' && !is_long)
			return kb_refuse(r, "the string has no end");
		if (*r->p != '\\' || is_raw) {
			/* What escapes in a raw string stays, too. */
			if (*r->p == '\\' && r->p + 1 < r->end)
				kb_buf_addch(out, *r->p++);
			kb_buf_addch(out, *r->p++);
			continue;
		}
		r->p++;
		ret = take_escape(out, r);
	}
	if (ret == 0 && r->p == r->end)
		ret = kb_refuse(r, "the string has no end");
	if (ret == 0)
		r->p += strlen(end);
	return ret;
}

static bool at_string(const struct kb_reader *r)
{
	struct kb_reader next = *r;

	if (kb_at(r, '"') || kb_at(r, '\''))
		return true;
	if (!kb_at(r, 'r') && !kb_at(r, 'R') && !kb_at(r, 'u') &&
	    !kb_at(r, 'U'))
		return false;
	next.p++;
	return kb_at(&next, '"') || kb_at(&next, '\'');
}

/* One, or several side by side. */
static int take_string(struct kb_buf *out, struct kb_reader *r)
{
	int ret = 0;

	for (; ret == 0 && at_string(r); skip(r)) {
		const bool is_raw = kb_at(r, 'r') || kb_at(r, 'R');

		if (!kb_at(r, '"') && !kb_at(r, '\''))
			r->p++;
		ret = take_quoted(out, r, is_raw);
	}
	return ret;
}

/* --- values ------------------------------------------------------------ */

static int take_value(struct kb_json **out, struct kb_reader *r);

/* Python takes the last of two equal keys. A file that has one twice is more
 * likely a mistake than meant. */
static int take_entry(struct kb_json *container, struct kb_reader *r)
{
	kb_auto(buf) struct kb_buf key = KB_BUF_INIT;
	struct kb_json *v = NULL;
	const bool is_dict = kb_json_type(container) == KB_JSON_OBJECT;
	int ret = 0;

	if (is_dict) {
		if (!at_string(r))
			return kb_refuse(r, "a string is wanted for a key");
		ret = take_string(&key, r);
		if (ret == 0 && !kb_take(r, ':'))
			ret = kb_refuse(r, "':' is wanted after the key");
		if (ret == 0 && kb_json_find(container, key.data))
			ret = kb_refuse(r, "the key is there twice");
		skip(r);
	}
	if (ret == 0)
		ret = take_value(&v, r);
	if (ret < 0)
		return ret;
	if (is_dict)
		kb_json_set(container, key.data, v);
	else
		kb_json_append(container, v);
	return 0;
}

static int take_entries(struct kb_json *container, struct kb_reader *r,
			char close)
{
	int ret = 0;

	for (skip(r); ret == 0 && !kb_at(r, close); skip(r)) {
		ret = take_entry(container, r);
		skip(r);
		if (ret == 0 && !kb_take(r, ',') && !kb_at(r, close))
			ret = kb_refuse(r, "',' or the closing bracket is "
					"wanted");
	}
	return ret;
}

static int take_container(struct kb_json **out, struct kb_reader *r)
{
	static const char opening[] = "{[(", closing[] = "}])";
	kb_auto(json) struct kb_json *v = kb_at(r, '{') ? kb_json_object()
						     : kb_json_array();
	const char close = closing[strchr(opening, *r->p) - opening];
	int ret;

	r->p++;
	/* The reader calls itself for each bracket, and a file of brackets must
	 * not exhaust the stack. */
	if (++r->depth > KB_PYTHON_DEPTH_MAX)
		return kb_refuse(r, "values are nested too deep");
	ret = take_entries(v, r, close);
	if (ret < 0)
		return ret;
	r->p++;
	r->depth--;
	*out = kb_steal(v);
	return 0;
}

static bool take_word(struct kb_reader *r, const char *word)
{
	if (!kb_at_text(r, word))
		return false;
	r->p += strlen(word);
	return true;
}

static int take_int(struct kb_json **out, struct kb_reader *r)
{
	const bool is_negative = kb_take(r, '-');
	int64_t n = 0;

	if (r->p == r->end || !isdigit((unsigned char)*r->p))
		return kb_refuse(r, "a literal is wanted");
	for (; r->p < r->end && isdigit((unsigned char)*r->p); r->p++) {
		n = 10 * n + (*r->p - '0');
		if (n > KB_JSON_INT_MAX)
			return kb_refuse(r, "the integer is too large");
	}
	*out = kb_json_int(is_negative ? -n : n);
	return 0;
}

static int take_text(struct kb_json **out, struct kb_reader *r)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = take_string(&text, r);

	if (ret == 0 && (memchr(text.data, '\0', text.len) ||
			 !kb_utf8_valid(text.data, text.len)))
		ret = kb_refuse(r, "the string is not text");
	if (ret == 0)
		*out = kb_json_string(text.data);
	return ret;
}

static int take_value(struct kb_json **out, struct kb_reader *r)
{
	if (at_string(r))
		return take_text(out, r);
	if (kb_at(r, '{') || kb_at(r, '[') || kb_at(r, '('))
		return take_container(out, r);
	if (take_word(r, "True"))
		*out = kb_json_bool(true);
	else if (take_word(r, "False"))
		*out = kb_json_bool(false);
	else if (take_word(r, "None"))
		*out = kb_json_null();
	else
		return take_int(out, r);
	return 0;
}

/* --- statements -------------------------------------------------------- */

static int take_assignment(struct kb_json *names, struct kb_reader *r)
{
	kb_auto(buf) struct kb_buf key = KB_BUF_INIT;
	struct kb_json *v = NULL;
	int ret;

	while (r->p < r->end && (isalnum((unsigned char)*r->p) ||
				 *r->p == '_'))
		kb_buf_addch(&key, *r->p++);
	skip(r);
	if (!key.len || !kb_take(r, '='))
		return kb_refuse(r, "an assignment of a literal is wanted");
	skip(r);
	ret = take_value(&v, r);
	if (ret < 0)
		return ret;
	if (kb_json_find(names, key.data)) {
		kb_json_free(v);
		return kb_refuse(r, "the name is assigned twice");
	}
	kb_json_set(names, key.data, v);
	return 0;
}

/* A string by itself is a docstring, which Python drops as well. */
static int take_statement(struct kb_json *names, struct kb_reader *r)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = at_string(r) ? take_string(&text, r)
			       : take_assignment(names, r);

	skip(r);
	if (ret == 0 && r->p < r->end && !kb_at(r, '\n'))
		ret = kb_refuse(r, "there is more after the literal");
	return ret;
}

int kb_python_literals_parse(struct kb_json **out, const void *data,
			     size_t len, const char *name,
			     struct kb_err *err)
{
	kb_auto(json) struct kb_json *names = kb_json_object();
	struct kb_reader r = { .p = data, .begin = data, .name = name,
			    .end = (const char *)data + len, .err = err };
	int ret = 0;

	if (!kb_utf8_valid(data, len) || memchr(data, '\0', len))
		return kb_err(err, KB_ERR_INPUT, "%s: is not UTF-8 text",
			      name);
	for (skip(&r); ret == 0 && r.p < r.end; skip(&r))
		if (!kb_take(&r, '\n'))
			ret = take_statement(names, &r);
	if (ret == 0)
		*out = kb_steal(names);
	return ret;
}
