#include "manifest/sizes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/record.h"
#include "source/python_constant.h"

_Static_assert(offsetof(struct kb_size, key) == 0,
	       "kb_key_find() wants the key first");

void kb_sizes_release(struct kb_sizes *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->items[i].constant);
	free(s->items);
	*s = (struct kb_sizes)KB_SIZES_INIT;
}

/* Each constant is looked for in the whole file. */
static bool has_too_many(const struct kb_sizes *s)
{
	const size_t n = s->count;

	return n > KB_SIZES_OF_PROBLEM_MAX &&
	       !kb_key_compare(s->items[n - 1].key,
			       s->items[n - 1 - KB_SIZES_OF_PROBLEM_MAX].key);
}

static struct kb_size *add_size(struct kb_sizes *s)
{
	s->items = kb_grow(s->items, s->count, &s->capacity,
			   sizeof(*s->items));
	s->items[s->count] = (struct kb_size){ .before = KB_UNKNOWN };
	return &s->items[s->count++];
}

static int compare_sizes(const void *a, const void *b)
{
	const struct kb_size *x = a, *y = b;
	const int by_key = kb_key_compare(x->key, y->key);

	return by_key ? by_key : strcmp(x->constant, y->constant);
}

struct kb_size *kb_sizes_find(const struct kb_sizes *s, struct kb_key key,
			      size_t *count)
{
	const struct kb_size *found = kb_key_find(s->items, s->count,
						  sizeof(*s->items), key,
						  count);

	return found ? &s->items[found - s->items] : NULL;
}

/* --- a file ------------------------------------------------------------- */

static int parse_constant(struct kb_sizes *s, struct kb_key key,
			  const struct kb_json *v, const char *where,
			  struct kb_err *err)
{
	struct kb_size *size;
	int64_t after;
	int ret;

	if (!kb_constant_name_valid(kb_json_key(v)))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: '%s' is not a name for a constant", where,
			      kb_json_key(v));
	ret = kb_json_want_int(&after, v, kb_json_key(v), 1, KB_CONSTANT_MAX,
			       where, err);
	if (ret < 0)
		return ret;
	size = add_size(s);
	size->key = key;
	size->constant = kb_xstrdup(kb_json_key(v));
	size->after = after;
	return has_too_many(s) ?
		kb_err(err, KB_ERR_INPUT, "%s: names more than %d constants",
		       where, KB_SIZES_OF_PROBLEM_MAX) : 0;
}

static int parse_problem(struct kb_sizes *s, const struct kb_json *v,
			 const char *name, struct kb_err *err)
{
	kb_auto(mem) char *where = NULL;
	struct kb_key key;
	int ret = kb_key_parse(&key, kb_json_key(v), err);

	if (ret < 0)
		return kb_err_wrap(err, "%s", name);
	where = kb_xasprintf("%s: %s", name, kb_json_key(v));
	ret = kb_json_want_object(v, where, err);
	if (ret == 0 && !kb_json_count(v))
		ret = kb_err(err, KB_ERR_INPUT, "%s: names no constant", where);
	for (v = ret == 0 ? kb_json_first(v) : NULL; v && ret == 0;
	     v = kb_json_next(v))
		ret = parse_constant(s, key, v, where, err);
	return ret;
}

static int parse_problems(struct kb_sizes *s, const struct kb_json *file,
			  const char *name, struct kb_err *err)
{
	const struct kb_json *v;
	int ret = kb_json_want_object(file, name, err);

	if (ret == 0 && !kb_json_count(file))
		ret = kb_err(err, KB_ERR_INPUT, "%s: names no problem", name);
	for (v = ret == 0 ? kb_json_first(file) : NULL; v && ret == 0;
	     v = kb_json_next(v))
		ret = parse_problem(s, v, name, err);
	return ret;
}

int kb_sizes_parse(struct kb_sizes *s, const void *data, size_t len,
		   const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *file = NULL;
	int ret = kb_json_parse(&file, data, len, KB_JSON_OURS, name, err);

	*s = (struct kb_sizes)KB_SIZES_INIT;
	if (ret == 0)
		ret = parse_problems(s, file, name, err);
	if (ret < 0) {
		kb_sizes_release(s);
		return ret;
	}
	qsort(s->items, s->count, sizeof(*s->items), compare_sizes);
	return 0;
}

/* --- a problem's file --------------------------------------------------- */

static int apply_size(struct kb_buf *file, struct kb_size *s, struct kb_err *err)
{
	struct kb_python_constant c;
	int ret = kb_python_constant_find(&c, file->data, file->len,
					  s->constant, err);

	if (ret < 0)
		return ret;
	if (s->before != KB_UNKNOWN && c.value != s->before)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is %" PRId64 ", want %" PRId64,
			      s->constant, c.value, s->before);
	s->before = c.value;
	kb_python_constant_set(file, &c, s->after);
	return 0;
}

int kb_sizes_apply(struct kb_buf *file, struct kb_size sizes[], size_t count,
		   struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && ret == 0; i++)
		ret = apply_size(file, &sizes[i], err);
	return ret;
}

static void keep_sizes(struct kb_sizes *s, bool (*is_kept)(const struct kb_size *,
							   struct kb_key),
		       struct kb_key key)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (is_kept(&s->items[i], key))
			s->items[kept++] = s->items[i];
		else
			free(s->items[i].constant);
	}
	s->count = kept;
}

static bool is_changed(const struct kb_size *s, struct kb_key key)
{
	(void)key;
	return s->before != s->after;
}

static bool is_of_another(const struct kb_size *s, struct kb_key key)
{
	return kb_key_compare(s->key, key);
}

void kb_sizes_drop_unchanged(struct kb_sizes *s)
{
	keep_sizes(s, is_changed, (struct kb_key){ 0, 0 });
}

void kb_sizes_drop(struct kb_sizes *s, struct kb_key key)
{
	keep_sizes(s, is_of_another, key);
}

/* --- a record ------------------------------------------------------------ */

struct kb_json *kb_sizes_to_json(const struct kb_sizes *s)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < s->count; i++) {
		struct kb_json *v = kb_json_object();

		kb_put_key(v, s->items[i].key);
		kb_json_set_string(v, "constant", s->items[i].constant);
		kb_json_set_int(v, "before", s->items[i].before);
		kb_json_set_int(v, "after", s->items[i].after);
		kb_json_append(array, v);
	}
	return array;
}

static int size_from_json(struct kb_size *s, const struct kb_json *v,
			  const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	s->key = kb_fields_key(&f);
	s->constant = kb_fields_string(&f, "constant");
	s->before = kb_fields_int(&f, "before", 0, KB_CONSTANT_MAX);
	s->after = kb_fields_int(&f, "after", 1, KB_CONSTANT_MAX);
	if (!f.ret && !kb_constant_name_valid(s->constant))
		kb_fields_fail(&f, "'%s' is not a name for a constant",
			       s->constant);
	if (!f.ret && s->before == s->after)
		kb_fields_fail(&f, "'%s' is %" PRId64 " before and after",
			       s->constant, s->after);
	return kb_fields_end(&f);
}

void kb_sizes_read(struct kb_sizes *s, struct kb_fields *f, const char *key)
{
	const struct kb_json *array = kb_fields_array(f, key);

	if (!array)
		return;
	if (!kb_json_count(array))
		kb_fields_fail(f, "'%s' is empty", key);
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_size *size = add_size(s);

		f->ret = size_from_json(size, v, f->where, f->err);
		if (s->count > 1 && !f->ret && compare_sizes(size - 1, size) >= 0)
			kb_fields_fail(f, "'%s' is not sorted, or has one twice",
				       key);
		if (!f->ret && has_too_many(s))
			kb_fields_fail(f, "'%s' has more than %d constants of "
				       "one problem", key,
				       KB_SIZES_OF_PROBLEM_MAX);
	}
}
