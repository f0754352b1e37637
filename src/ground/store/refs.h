#ifndef KB_STORE_REFS_H
#define KB_STORE_REFS_H

#include <stdbool.h>
#include <stddef.h>

#include "store/digest.h"

struct kb_err;

/*
 * Names in a store, as git has refs: each stands for one id, and may be made
 * to stand for another. They are for whoever types; records have ids only, and
 * a name says nothing about a bundle.
 *
 * A name is a file, STORE/.names/<name>, that holds the id and a line feed. It
 * is replaced whole (base/file.h); of two writers the last one's stays.
 *
 * People's names are 1 to KB_REF_BYTES_MAX of the characters A-Z a-z 0-9 . _
 * + and -, of which the first is a letter or a digit, and are not what could
 * be the beginning of an id. Others begin with '@', and are set by whatever
 * makes a bundle: "@last" is the last one made in the store, "@last:baseline"
 * the last of that kind, in the file "@last-baseline".
 */
#define KB_REFS_DIR ".names"
#define KB_REF_BYTES_MAX 64
#define KB_REF_LAST "@last"

/* May people call a bundle so? Fails with KB_ERR_INPUT, saying why not. */
int kb_ref_check(const char *name, struct kb_err *err);

/* Is it something that a store may have a name for, '@' or not? */
bool kb_ref_is_possible(const char *name);

/*
 * Let `name` stand for `id`, which is made a name whether or not there is such
 * a bundle. `*was` becomes what it stood for. Returns 1 if it stood for
 * another, 0 if not; fails with KB_ERR_INPUT if it is no possible name,
 * KB_ERR_SYS.
 */
int kb_ref_set(const char *store, const char *name,
		const struct kb_digest *id, struct kb_digest *was,
		struct kb_err *err);

/* The id that a name stands for. Returns 1; 0 if there is no such name; fails
 * with KB_ERR_CORRUPT if the file holds no id, KB_ERR_SYS. */
int kb_ref_get(struct kb_digest *id, const char *store, const char *name,
		struct kb_err *err);

/* The bundle stays. Fails with KB_ERR_MISSING, KB_ERR_SYS. */
int kb_ref_remove(const char *store, const char *name, struct kb_err *err);

/* All names of a store, sorted. */
struct kb_refs {
	char **items;			/* owned */
	size_t count, capacity;
};

#define KB_REFS_INIT { .items = NULL }

/* A store without names, or no store, has none. Fails with KB_ERR_SYS. */
int kb_refs_list(struct kb_refs *refs, const char *store,
		  struct kb_err *err);
void kb_refs_release(struct kb_refs *refs);

static inline void kb_cleanup_refs(struct kb_refs *refs)
{
	kb_refs_release(refs);
}

#endif
