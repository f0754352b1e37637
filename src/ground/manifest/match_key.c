#include "manifest/match_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_mismatches_release(struct kb_mismatches *m)
{
	for (size_t i = 0; i < m->count; i++) {
		free(m->items[i].field);
		free(m->items[i].left);
		free(m->items[i].right);
	}
	free(m->items);
	*m = (struct kb_mismatches)KB_MISMATCHES_INIT;
}

static int compare_mismatches(const void *pa, const void *pb)
{
	const struct kb_mismatch *a = pa, *b = pb;

	return strcmp(a->field, b->field);
}

static void add_mismatch(struct kb_mismatches *m, const char *field,
			 const char *left, const char *right)
{
	m->items = kb_xreallocarray(m->items, m->count + 1,
				    sizeof(*m->items));
	m->items[m->count++] = (struct kb_mismatch){
		.field = kb_xstrdup(field),
		.left = kb_xstrdup(left),
		.right = kb_xstrdup(right),
	};
}

static const char *text_of(const struct kb_json *object, const char *field)
{
	const struct kb_json *v = kb_json_find(object, field);

	return v ? kb_json_string_value(v) : NULL;
}

void kb_match_key_diff(struct kb_mismatches *out, const struct kb_json *left,
		       const struct kb_json *right)
{
	*out = (struct kb_mismatches)KB_MISMATCHES_INIT;
	for (const struct kb_json *v = kb_json_first(left); v;
	     v = kb_json_next(v)) {
		const char *l = kb_json_string_value(v);
		const char *r = text_of(right, kb_json_key(v));

		if (!r || strcmp(l, r))
			add_mismatch(out, kb_json_key(v), l, r);
	}
	for (const struct kb_json *v = kb_json_first(right); v;
	     v = kb_json_next(v))
		if (!kb_json_find(left, kb_json_key(v)))
			add_mismatch(out, kb_json_key(v), NULL,
				     kb_json_string_value(v));
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items),
		      compare_mismatches);
}

struct kb_json *kb_mismatches_to_json(const struct kb_mismatches *m)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < m->count; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_string(v, "field", m->items[i].field);
		kb_json_set_string(v, "evaluation", m->items[i].left);
		kb_json_set_string(v, "baseline", m->items[i].right);
		kb_json_append(array, v);
	}
	return array;
}

static const char *text_or_null(struct kb_fields *f, const char *key)
{
	return kb_fields_null(f, key) ? NULL : kb_fields_text(f, key);
}

static int read_mismatch(struct kb_mismatches *out, const struct kb_json *v,
			 const char *where, struct kb_err *err)
{
	const char *field, *left, *right;
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	field = kb_fields_text(&f, "field");
	left = text_or_null(&f, "evaluation");
	right = text_or_null(&f, "baseline");
	if (f.ret == 0 && kb_text_equal(left, right))
		kb_fields_fail(&f, "'%s' does not differ", field);
	if (f.ret == 0 && out->count > 0 &&
	    strcmp(out->items[out->count - 1].field, field) >= 0)
		kb_fields_fail(&f, "'%s' is out of order, or there twice",
			       field);
	if (f.ret == 0)
		add_mismatch(out, field, left, right);
	return kb_fields_end(&f);
}

void kb_mismatches_read(struct kb_mismatches *out, struct kb_fields *f,
			const char *key)
{
	const struct kb_json *array = kb_fields_array(f, key);

	if (!array)
		return;
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v))
		f->ret = read_mismatch(out, v, f->where, f->err);
}
