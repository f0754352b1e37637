#ifndef KB_MANIFEST_AT_K_H
#define KB_MANIFEST_AT_K_H

#include <stddef.h>

#include "manifest/share.h"

struct kb_fields;
struct kb_json;

#define KB_AT_K_FAST_COUNT 6		/* p as in manifest/metrics.h */

/* pass@k and, for each p, fast_p@k; what they are is in score/at_k.h. */
struct kb_at_k {
	int k;
	struct kb_share pass;
	struct kb_share fast[KB_AT_K_FAST_COUNT];
};

void kb_at_k_release(struct kb_at_k *a);

/* An array of objects, ascending by k. The caller frees what is read, each
 * element first. */
struct kb_json *kb_at_k_to_json(const struct kb_at_k items[], size_t count);
struct kb_at_k *kb_at_k_read(struct kb_fields *f, const char *key,
			     size_t *count);

#endif
