#ifndef KB_STORE_ONE_MEMBER_H
#define KB_STORE_ONE_MEMBER_H

#include "store/bundle.h"

/*
 * One member of the bundle of this id in a store, as a bundle that has no
 * other: for who wants to know one thing of a bundle that may have a hundred
 * thousand. The list of members is read in pieces, and must have the id, and
 * the member its digest; nothing is known of the others. An archive is opened
 * by kb_store_open_id().
 *
 * Fails as that.
 */
int kb_store_open_member(struct kb_bundle *b, const char *store,
			 const struct kb_digest *id, const char *name,
			 struct kb_err *err);

#endif
