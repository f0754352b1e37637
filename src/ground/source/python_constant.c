#include "source/python_constant.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "source/python_lines.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

/* A search for one constant, line by line. */
struct search {
	const char *text;
	const char *name;
	bool in_scope;			/* the block is of a def or a class */
	bool is_found;
	struct kb_python_constant *out;
};

bool kb_constant_name_valid(const char *name)
{
	return *name && strspn(name, LETTERS) > 0 &&
	       !name[strspn(name, LETTERS DIGITS)] &&
	       strlen(name) <= KB_CONSTANT_NAME_BYTES_MAX;
}

static bool is_token(const struct kb_python_line *l, size_t i, const char *text)
{
	return i < l->count && kb_python_token_is(&l->tokens[i], text);
}

/* The name itself, and no attribute that is called so. */
static bool is_name(const struct kb_python_line *l, size_t i, const char *name)
{
	return is_token(l, i, name) && l->tokens[i].kind == KB_PYTHON_WORD &&
	       !(i && is_token(l, i - 1, "."));
}

static bool mentions_name(const struct kb_python_line *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (is_name(l, i, name))
			return true;
	return false;
}

static bool has_token(const struct kb_python_line *l, const char *text)
{
	for (size_t i = 0; i < l->count; i++)
		if (is_token(l, i, text))
			return true;
	return false;
}

/* Wherever in the module that stands. */
static bool declares_global(const struct kb_python_line *l, const char *name)
{
	return has_token(l, "global") && mentions_name(l, name);
}

static bool has_walrus(const struct kb_python_line *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (is_name(l, i, name) && is_token(l, i + 1, ":="))
			return true;
	return false;
}

static bool begins_scope(const struct kb_python_line *l)
{
	return is_token(l, 0, "def") || is_token(l, 0, "class") ||
	       is_token(l, 0, "async") || is_token(l, 0, "@");
}

/* `other = value`, where the name is in the value and is assigned nothing. */
static bool uses_in_value(const struct kb_python_line *l, const char *name)
{
	if (l->tokens[0].kind != KB_PYTHON_WORD || !is_token(l, 1, "=") ||
	    is_name(l, 0, name))
		return false;
	for (size_t i = 2; i < l->count; i++)
		if (is_name(l, i, name) && l->tokens[i].depth == 0 &&
		    is_token(l, i + 1, "="))
			return false;
	return true;
}

/* The head of a function or class that is not called so, or a decorator. */
static bool uses_in_head(const struct kb_python_line *l, const char *name)
{
	const size_t named = is_token(l, 0, "async") ? 2 : 1;

	return begins_scope(l) &&
	       (is_token(l, 0, "@") || !is_name(l, named, name));
}

/* Python knows no number with zeros in front. */
static bool is_decimal(const struct kb_python_token *t)
{
	for (size_t i = 0; i < t->len; i++)
		if (t->text[i] < '0' || t->text[i] > '9')
			return false;
	return t->len == 1 || t->text[0] != '0';
}

static int read_value(struct search *s, const struct kb_python_line *l,
		      struct kb_err *err)
{
	const struct kb_python_token *t = &l->tokens[2];
	int64_t value = 0;

	if (l->count != 3 || t->kind != KB_PYTHON_NUMBER || !is_decimal(t))
		return kb_err(err, KB_ERR_INPUT,
			      "line %zu: '%s' is not assigned a decimal "
			      "integer alone", l->number, s->name);
	for (size_t i = 0; i < t->len && value <= KB_CONSTANT_MAX; i++)
		value = value * 10 + (t->text[i] - '0');
	if (value > KB_CONSTANT_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "line %zu: '%s' is more than %" PRId64,
			      l->number, s->name, KB_CONSTANT_MAX);
	*s->out = (struct kb_python_constant){
		.at = (size_t)(t->text - s->text), .len = t->len,
		.value = value,
	};
	return 0;
}

static int take_assignment(struct search *s, const struct kb_python_line *l,
			   struct kb_err *err)
{
	if (s->is_found)
		return kb_err(err, KB_ERR_INPUT,
			      "line %zu: '%s' is assigned once more",
			      l->number, s->name);
	s->is_found = true;
	return read_value(s, l, err);
}

/* A line of the module itself. */
static int take_top_line(struct search *s, const struct kb_python_line *l,
			 struct kb_err *err)
{
	if (is_token(l, 0, "from") && is_token(l, l->count - 1, "*"))
		return kb_err(err, KB_ERR_INPUT,
			      "line %zu: 'import *' may give '%s' another "
			      "value", l->number, s->name);
	if (!mentions_name(l, s->name))
		return 0;
	if (!l->is_indented && is_name(l, 0, s->name) && is_token(l, 1, "="))
		return take_assignment(s, l, err);
	if (uses_in_value(l, s->name) || uses_in_head(l, s->name))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "line %zu: '%s' may get another value here", l->number,
		      s->name);
}

static int take_line(struct search *s, const struct kb_python_line *l,
		     struct kb_err *err)
{
	if (declares_global(l, s->name) || has_walrus(l, s->name))
		return kb_err(err, KB_ERR_INPUT,
			      "line %zu: '%s' may get another value here",
			      l->number, s->name);
	if (!l->is_indented)
		s->in_scope = begins_scope(l);
	return l->is_indented && s->in_scope ? 0 : take_top_line(s, l, err);
}

int kb_python_constant_find(struct kb_python_constant *out, const char *text,
			    size_t len, const char *name, struct kb_err *err)
{
	kb_auto(python_line) struct kb_python_line l = KB_PYTHON_LINE_INIT;
	struct search s = { .text = text, .name = name, .out = out };
	int ret;

	kb_python_line_begin(&l, text, len);
	while ((ret = kb_python_line_read(&l, err)) > 0) {
		ret = take_line(&s, &l, err);
		if (ret < 0)
			return ret;
	}
	if (ret == 0 && !s.is_found)
		ret = kb_err(err, KB_ERR_INPUT,
			     "'%s' is not assigned at top level", name);
	return ret;
}

void kb_python_constant_set(struct kb_buf *module,
			    const struct kb_python_constant *c, int64_t value)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, before = *module;

	kb_buf_add(&out, before.data, c->at);
	kb_buf_addf(&out, "%" PRId64, value);
	kb_buf_add(&out, before.data + c->at + c->len,
		   before.len - c->at - c->len);
	*module = out;
	out = (struct kb_buf)KB_BUF_INIT;
}
