#include "publish/crate_entity.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "export/foreign_json.h"

void kb_crate_print_ref(struct kb_foreign_json *j, const char *key,
			const char *id)
{
	kb_foreign_json_open(j, key, '{');
	kb_foreign_json_string(j, "@id", id);
	kb_foreign_json_close(j, '}');
}

void kb_crate_refs_release(struct kb_crate_refs *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->ids[i]);
	free(r->ids);
}

void kb_crate_add_ref(struct kb_crate_refs *r, char *id)
{
	r->ids = kb_grow(r->ids, r->count, &r->capacity, sizeof(*r->ids));
	r->ids[r->count++] = id;
}

/* One is no array of one, which the specification advises against. */
void kb_crate_print_refs(struct kb_foreign_json *j, const char *key,
			 const struct kb_crate_refs *r)
{
	if (r->count == 1)
		kb_crate_print_ref(j, key, r->ids[0]);
	if (r->count < 2)
		return;
	kb_foreign_json_open(j, key, '[');
	for (size_t i = 0; i < r->count; i++)
		kb_crate_print_ref(j, NULL, r->ids[i]);
	kb_foreign_json_close(j, ']');
}

void kb_crate_open_entity(struct kb_foreign_json *j, const char *id,
			  const char *type)
{
	kb_foreign_json_open(j, NULL, '{');
	kb_foreign_json_string(j, "@id", id);
	kb_foreign_json_string(j, "@type", type);
}
