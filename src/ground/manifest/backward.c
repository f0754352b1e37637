#include "manifest/backward.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

/* In gradients_bytes.S. */
extern const char kb_gradients_1[], kb_gradients_1_end[];
extern const char kb_gradients_2[], kb_gradients_2_end[];

const char *const kb_backward_rules[KB_BACKWARD_RULE_COUNT] = {
	[KB_BACKWARD_GRADIENTS_1] = "gradients-1",
	[KB_BACKWARD_GRADIENTS_2] = "gradients-2",
};

_Static_assert(offsetof(struct kb_left_out, key) == 0,
	       "kb_key_find() wants the key first");

void kb_backward_release(struct kb_backward *b)
{
	for (size_t i = 0; i < b->count; i++)
		free(b->left_out[i].reason);
	free(b->left_out);
	*b = (struct kb_backward)KB_BACKWARD_INIT;
}

static struct kb_left_out *add_left_out(struct kb_backward *b)
{
	b->left_out = kb_grow(b->left_out, b->count, &b->capacity,
			      sizeof(*b->left_out));
	b->left_out[b->count] = (struct kb_left_out){ .reason = NULL };
	return &b->left_out[b->count++];
}

static int compare_left_out(const void *a, const void *b)
{
	const struct kb_left_out *x = a, *y = b;

	return kb_key_compare(x->key, y->key);
}

/* It stands in messages and tables, which are made of lines. */
static bool is_reason(const char *text)
{
	const size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 127)
			return false;
	return len && len <= KB_REASON_BYTES_MAX;
}

static void leave_out(struct kb_backward *b, struct kb_key key,
		      const char *reason)
{
	struct kb_left_out *l = add_left_out(b);

	l->key = key;
	l->reason = kb_xstrdup(reason);
}

static void sort_left_out(struct kb_backward *b)
{
	if (b->count)
		qsort(b->left_out, b->count, sizeof(*b->left_out),
		      compare_left_out);
}

void kb_backward_leave_out(struct kb_backward *b, struct kb_key key,
			   const char *reason)
{
	leave_out(b, key, reason);
	sort_left_out(b);
}

const struct kb_left_out *kb_backward_find(const struct kb_backward *b,
					   struct kb_key key)
{
	return kb_key_find(b->left_out, b->count, sizeof(*b->left_out), key,
			   NULL);
}

void kb_backward_append(const struct kb_backward *b, struct kb_buf *file)
{
	static const char *const texts[KB_BACKWARD_RULE_COUNT][2] = {
		[KB_BACKWARD_GRADIENTS_1] = { kb_gradients_1,
					      kb_gradients_1_end },
		[KB_BACKWARD_GRADIENTS_2] = { kb_gradients_2,
					      kb_gradients_2_end },
	};
	const char *const *text = texts[b->rule];

	kb_buf_add(file, text[0], (size_t)(text[1] - text[0]));
}

/* --- a file ------------------------------------------------------------- */

static int parse_problem(struct kb_backward *b, const struct kb_json *v,
			 const char *name, struct kb_err *err)
{
	struct kb_key key;
	int ret = kb_key_parse(&key, kb_json_key(v), err);

	if (ret < 0)
		return kb_err_wrap(err, "%s", name);
	ret = kb_json_want(v, kb_json_key(v), KB_JSON_STRING, name, err);
	if (ret < 0)
		return ret;
	if (!is_reason(kb_json_string_value(v)))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: '%s' has no line of 1 to %d bytes for a "
			      "reason", name, kb_json_key(v),
			      KB_REASON_BYTES_MAX);
	leave_out(b, key, kb_json_string_value(v));
	return 0;
}

int kb_backward_parse(struct kb_backward *b, const void *data, size_t len,
		      const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *file = NULL;
	int ret = kb_json_parse(&file, data, len, KB_JSON_OURS, name, err);

	*b = (struct kb_backward)KB_BACKWARD_INIT;
	b->is_set = true;
	if (ret == 0)
		ret = kb_json_want_object(file, name, err);
	for (const struct kb_json *v = ret == 0 ? kb_json_first(file) : NULL;
	     v && ret == 0; v = kb_json_next(v))
		ret = parse_problem(b, v, name, err);
	if (ret < 0)
		kb_backward_release(b);
	sort_left_out(b);
	return ret;
}

/* --- a record ------------------------------------------------------------ */

static struct kb_json *left_out_to_json(const struct kb_backward *b)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < b->count; i++) {
		struct kb_json *v = kb_json_object();

		kb_put_key(v, b->left_out[i].key);
		kb_json_set_string(v, "reason", b->left_out[i].reason);
		kb_json_append(array, v);
	}
	return array;
}

struct kb_json *kb_backward_to_json(const struct kb_backward *b)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "rule", kb_backward_rules[b->rule]);
	kb_json_set(v, "left_out", left_out_to_json(b));
	return v;
}

static int left_out_from_json(struct kb_left_out *l, const struct kb_json *v,
			      const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	l->key = kb_fields_key(&f);
	l->reason = kb_fields_string(&f, "reason");
	if (!f.ret && !is_reason(l->reason))
		kb_fields_fail(&f, "'reason' is no line of 1 to %d bytes",
			       KB_REASON_BYTES_MAX);
	return kb_fields_end(&f);
}

static void read_left_out(struct kb_backward *b, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "left_out");

	for (const struct kb_json *v = array ? kb_json_first(array) : NULL;
	     v && !f->ret; v = kb_json_next(v)) {
		struct kb_left_out *l = add_left_out(b);

		f->ret = left_out_from_json(l, v, f->where, f->err);
		if (b->count > 1 && !f->ret && compare_left_out(l - 1, l) >= 0)
			kb_fields_fail(f, "'left_out' is not sorted, or has "
					  "one twice");
	}
}

void kb_backward_read(struct kb_backward *b, struct kb_fields *f,
		      const char *key)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	b->is_set = true;
	b->rule = (enum kb_backward_rule)kb_fields_word(
		&inner, "rule", kb_backward_rules, KB_BACKWARD_RULE_COUNT);
	read_left_out(b, &inner);
	f->ret = kb_fields_end(&inner);
}
