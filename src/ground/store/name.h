#ifndef KB_STORE_NAME_H
#define KB_STORE_NAME_H

#include <stddef.h>

struct kb_err;

/*
 * Names of members, and which of them can live in one bag.
 *
 * A name is allowed if every file system, every tar and sha256sum agree
 * on what it means (kb_bundle_check_name(), in bundle.h). Two allowed
 * names still do not go together if somewhere they would be one file: if
 * they differ only in letter case, in the whole or in a directory on the
 * way, or if one is a file and the other is below it.
 *
 * In the order of kb_name_order() such names are neighbours, so a sorted
 * list is sound if each of its adjacent pairs is.
 */

/*
 * Parts of a name, so that "<id>/<name>" fits the two name fields of a
 * ustar header, 155 and 100 bytes, cut at its last slash.
 */
#define KB_NAME_DIR_BYTES_MAX 90
#define KB_NAME_BASE_BYTES_MAX 100

/* Less than, equal to or greater than 0. Ignores case; '/' comes first. */
int kb_name_order(const char *a, const char *b);

/* Fails with KB_ERR_INPUT if `a` and `b` do not go together. */
int kb_name_check_pair(const char *a, const char *b, struct kb_err *err);

/* As kb_bundle_check_name(), for `len` bytes that need not be text. */
int kb_name_check(const void *name, size_t len, struct kb_err *err);

#endif
