#ifndef KB_CMD_LIST_STORE_H
#define KB_CMD_LIST_STORE_H

#include "cli/look.h"

struct kb_buf;
struct kb_digest;
struct kb_err;

/*
 * Every bundle of a store as a row of a table: the first digits of its id, its
 * kind, its names, and what it is. By kind, those last written last. A bundle
 * whose record cannot be read has a row that says why. Fails as
 * kb_store_list() and kb_refs_list(); with KB_ERR_MISSING if there is no store.
 */
int kb_list_store(struct kb_buf *out, const char *store, struct kb_look look,
		  struct kb_err *err);

/* The names that stand for `id` in `store`, a blank between two. Appended. */
int kb_names_print(struct kb_buf *out, const char *store,
		   const struct kb_digest *id, struct kb_err *err);

#endif
