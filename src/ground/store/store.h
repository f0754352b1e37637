#ifndef KB_STORE_STORE_H
#define KB_STORE_STORE_H

#include "store/bundle.h"

/*
 * A store: a directory that holds bundles under their ids, one directory
 * each, named with the 64 hex digits. Whatever else lies there is ignored.
 */

#define KB_STORE_DEFAULT "archives"

/*
 * Look for bundles and names in `store`, too, from now on and in this process:
 * behind the store that a function is given, and behind further stores added
 * before. Nothing is written there. The path is borrowed for good. Fails with
 * KB_ERR_USAGE for more than KB_STORES_FURTHER_MAX.
 */
#define KB_STORES_FURTHER_MAX 16
int kb_store_also(const char *store, struct kb_err *err);

/* There are no further stores: before another command line. */
void kb_store_alone(void);

/*
 * Open and check the bundle that the user named: by the path of its directory or
 * .tar.gz, otherwise by a name in `store` (store/refs.h), an id, or a prefix of an
 * id (kb_digest_may_begin()) that is unique in `store`. A folder without bagit.txt
 * does not hide such a name. A bundle found by name or id must have that id, and
 * what is called like an id must have it: kb_store_check_name().
 *
 * Fails as kb_bundle_open(); with KB_ERR_MISSING if nothing matches, with
 * KB_ERR_INPUT if the prefix is ambiguous (the message lists the ids).
 */
int kb_store_open(struct kb_bundle *b, const char *store, const char *name,
		  struct kb_err *err);

/* An operand without a slash, but behind it, that may begin an id stands for a
 * bundle whose id begins so, in letters of either size and with or without
 * ".tar.gz": whatever else is called so here was not asked for. Fails with
 * KB_ERR_INPUT if `id` does not begin so. */
int kb_store_check_name(const char *name, const struct kb_digest *id,
			struct kb_err *err);

/* As kb_bundle_open_unread(). */
int kb_store_open_unread(struct kb_bundle *b, const char *store,
			 const char *name, const char *unread,
			 struct kb_err *err);

/*
 * The bundle of this id in `store`, or in a further store: what lies in the working
 * directory under the same name was not asked for. Fails as kb_bundle_open(),
 * which refuses what is called like an id and is another bundle; with
 * KB_ERR_MISSING if it is not there.
 */
int kb_store_open_id(struct kb_bundle *b, const char *store,
		     const struct kb_digest *id, struct kb_err *err);

/* The ids of all that lies in `store` alone under one, sorted; nothing of it is
 * opened. `*ids` is the caller's, to free; `*count` is 0 after a failure, too.
 * A store that is not there has none. Fails with KB_ERR_SYS. */
int kb_store_list(struct kb_digest **ids, size_t *count, const char *store,
		  struct kb_err *err);

#endif
