#ifndef KB_PUBLISH_CRATE_ENTITY_H
#define KB_PUBLISH_CRATE_ENTITY_H

#include <stddef.h>

struct kb_foreign_json;

/* The entities of an RO-Crate, and how they refer to each other. */

/* Begin one, in an array; the caller closes it with '}'. */
void kb_crate_open_entity(struct kb_foreign_json *j, const char *id,
			  const char *type);

/* A property that refers to one entity: {"@id": id}. In an array `key` is
 * NULL. */
void kb_crate_print_ref(struct kb_foreign_json *j, const char *key,
			const char *id);

/* The target of one property of an entity. Starts as { 0 }. */
struct kb_crate_refs {
	char **ids;			/* owned */
	size_t count, capacity;
};

void kb_crate_refs_release(struct kb_crate_refs *r);

/* Takes over `id`. */
void kb_crate_add_ref(struct kb_crate_refs *r, char *id);

/* A property without references is not printed. */
void kb_crate_print_refs(struct kb_foreign_json *j, const char *key,
			 const struct kb_crate_refs *r);

static inline void kb_cleanup_crate_refs(struct kb_crate_refs *r)
{
	kb_crate_refs_release(r);
}

#endif
