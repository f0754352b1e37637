#include "manifest/at_k.h"

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/fields.h"

#define K_MAX 1000000

void kb_at_k_release(struct kb_at_k *a)
{
	kb_share_release(&a->pass);
	for (int i = 0; i < KB_AT_K_FAST_COUNT; i++)
		kb_share_release(&a->fast[i]);
}

struct kb_json *kb_at_k_to_json(const struct kb_at_k items[], size_t count)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < count; i++) {
		struct kb_json *v = kb_json_object();
		struct kb_json *fast = kb_json_array();

		for (int p = 0; p < KB_AT_K_FAST_COUNT; p++)
			kb_json_append(fast, kb_share_to_json(&items[i].fast[p]));
		kb_json_set_int(v, "k", items[i].k);
		kb_json_set(v, "pass", kb_share_to_json(&items[i].pass));
		kb_json_set(v, "fast", fast);
		kb_json_append(array, v);
	}
	return array;
}

static void read_fast(struct kb_at_k *a, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "fast");
	const struct kb_json *v;

	if (!array)
		return;
	if (kb_json_count(array) != KB_AT_K_FAST_COUNT) {
		kb_fields_fail(f, "'fast' has %zu elements, want %d",
			       kb_json_count(array), KB_AT_K_FAST_COUNT);
		return;
	}
	v = kb_json_first(array);
	for (int p = 0; p < KB_AT_K_FAST_COUNT && !f->ret; p++) {
		f->ret = kb_share_from_json(&a->fast[p], v, f->where, f->err);
		v = kb_json_next(v);
	}
}

static int from_json(struct kb_at_k *a, const struct kb_json *v,
		     const char *where, struct kb_err *err)
{
	const struct kb_json *pass;
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	a->k = (int)kb_fields_int(&f, "k", 1, K_MAX);
	pass = kb_fields_object(&f, "pass");
	if (pass)
		f.ret = kb_share_from_json(&a->pass, pass, where, err);
	read_fast(a, &f);
	return kb_fields_end(&f);
}

struct kb_at_k *kb_at_k_read(struct kb_fields *f, const char *key,
			     size_t *count)
{
	const struct kb_json *array = kb_fields_array(f, key);
	struct kb_at_k *items;
	size_t n = 0;

	*count = 0;
	if (!array)
		return NULL;
	items = kb_xcalloc(kb_json_count(array), sizeof(*items));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		f->ret = from_json(&items[n++], v, f->where, f->err);
		if (n > 1 && !f->ret && items[n - 2].k >= items[n - 1].k)
			kb_fields_fail(f, "'%s' is not sorted, or has one twice",
				       key);
	}
	*count = n;
	return items;
}
