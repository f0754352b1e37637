#ifndef KB_CONFINE_SPAWN_BYTES_H
#define KB_CONFINE_SPAWN_BYTES_H

#include <stddef.h>

#include "confine/private_tmp.h"
#include "confine/process.h"
#include "confine/root.h"

struct kb_buf;

/*
 * A struct kb_spawn as bytes, for a process of the same program that does not
 * share our memory. Descriptors and functions are not among them.
 */

/* Appended to `out`. */
void kb_spawn_to_bytes(struct kb_buf *out, const struct kb_spawn *spawn);

struct kb_spawned {
	struct kb_spawn spawn;		/* its texts are in the bytes, the rest
					   in what follows */
	struct kb_private_tmp tmp;
	struct kb_root root;		/* not for kb_root_release() */
	const char **lists[4];
};

#define KB_SPAWNED_INIT { .root = KB_ROOT_INIT }

/* Lasts as long as `bytes`. Returns 0, or an errno value if they make no sense;
 * descriptors are -1. Released in any case. */
int kb_spawned_from_bytes(struct kb_spawned *out, const char *bytes, size_t len);
void kb_spawned_release(struct kb_spawned *s);

#endif
