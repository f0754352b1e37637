#include "manifest/remedies.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/problem_facts.h"

void kb_remedies_release(struct kb_remedies *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->items[i].input);
		free(r->items[i].scale);
		free(r->items[i].shift);
	}
	free(r->items);
	*r = (struct kb_remedies)KB_REMEDIES_INIT;
}

void kb_remedies_copy_unnamed(struct kb_remedies *to,
			      const struct kb_remedies *from)
{
	*to = (struct kb_remedies){
		.items = kb_xcalloc(from->count, sizeof(*to->items)),
		.count = from->count,
	};
	for (size_t i = 0; i < from->count; i++)
		to->items[i] = (struct kb_remedy){
			.argument = from->items[i].argument,
			.scale = kb_xstrdup(from->items[i].scale),
			.shift = kb_xstrdup(from->items[i].shift),
		};
}

bool kb_remedies_equal(const struct kb_remedies *a, const struct kb_remedies *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (a->items[i].argument != b->items[i].argument ||
		    strcmp(a->items[i].scale, b->items[i].scale) ||
		    strcmp(a->items[i].shift, b->items[i].shift))
			return false;
	return true;
}

struct kb_json *kb_remedies_to_json(const struct kb_remedies *r)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < r->count; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_int(v, "argument", r->items[i].argument);
		kb_json_set_string(v, "scale", r->items[i].scale);
		kb_json_set_string(v, "shift", r->items[i].shift);
		kb_json_append(array, v);
	}
	return array;
}

static void check_once(struct kb_fields *f, const struct kb_remedies *r)
{
	const struct kb_remedy *last = &r->items[r->count - 1];

	for (const struct kb_remedy *other = r->items; other < last; other++)
		if (other->argument == last->argument)
			kb_fields_fail(f, "'argument' is %u once more",
				       last->argument);
}

static void read_one(struct kb_remedies *r, struct kb_fields *f,
		     const struct kb_json *v)
{
	kb_auto(mem) char *where = kb_xasprintf("%s: remedy[%zu]", f->where,
						r->count);
	struct kb_remedy *to = &r->items[r->count++];
	struct kb_fields inner;

	kb_fields_begin(&inner, v, where, f->err);
	to->argument = (uint32_t)kb_fields_int(&inner, "argument", 0,
					       KB_FACTS_TENSORS_MAX - 1);
	to->scale = kb_fields_number(&inner, "scale", true);
	to->shift = kb_fields_number(&inner, "shift", true);
	check_once(&inner, r);
	f->ret = kb_fields_end(&inner);
}

void kb_remedies_read(struct kb_remedies *r, struct kb_fields *f)
{
	const struct kb_json *array =
		kb_fields_list(f, "remedy", 1, KB_FACTS_TENSORS_MAX);

	if (!array)
		return;
	r->items = kb_xcalloc(kb_json_count(array), sizeof(*r->items));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v))
		read_one(r, f, v);
}
