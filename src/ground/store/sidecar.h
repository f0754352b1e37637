#ifndef KB_STORE_SIDECAR_H
#define KB_STORE_SIDECAR_H

#include <stdbool.h>
#include <stddef.h>

#include "store/digest.h"

struct kb_bundle;
struct kb_err;

/*
 * Sidecars: files about a bundle, in the folder of its directory or archive. A
 * bundle has nothing that its id does not cover. They are called
 *
 *	<id of the bundle>.<another digest><suffix>
 */

/* Without the directory; the caller frees. */
char *kb_sidecar_name(const struct kb_bundle *b, const struct kb_digest *which,
		      const char *suffix);

/* With it; the caller frees. */
char *kb_sidecar_path(const struct kb_bundle *b, const struct kb_digest *which,
		      const char *suffix);

/* The other digests of those that are there, sorted; none if we may not list
 * that directory. The caller frees `*out`. Fails with KB_ERR_SYS. */
int kb_sidecar_list(struct kb_digest **out, size_t *count,
		    const struct kb_bundle *b, const char *suffix,
		    struct kb_err *err);

/* Whether `path` is called like one of them, of whatever bundle. */
bool kb_sidecar_is_named(const char *path, const char *suffix);

#endif
