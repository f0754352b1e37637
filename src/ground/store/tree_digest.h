#ifndef KB_STORE_TREE_DIGEST_H
#define KB_STORE_TREE_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "store/digest.h"

struct kb_err;

/*
 * The contents of a foreign directory as one digest: the digest of the lines
 * that sha256sum(1) prints for its files, sorted by name. With coreutils:
 *
 *	cd DIR && find -L . -mindepth 1 \( -name '.*' -o -name blobs \) \
 *		-prune -o -type f -printf '%P\0' | LC_ALL=C sort -z |
 *		xargs -0r sha256sum | sha256sum
 *
 * Symbolic links are followed. Names that begin with a dot are left out, and
 * so are folders called "blobs", which in a Hugging Face cache hold once more
 * what links lead to.
 */
struct kb_tree {
	struct kb_digest digest;
	uint64_t files;
	uint64_t size_bytes;
};

/*
 * Fails with KB_ERR_MISSING (there is no such directory), KB_ERR_INPUT (a
 * link that leads nowhere or back, a name with a line feed or a backslash,
 * which sha256sum would write otherwise, and, if it is `for_others`, a file
 * or a directory that its mode does not let others read), KB_ERR_SYS,
 * KB_ERR_INTERRUPTED.
 */
int kb_tree_digest(struct kb_tree *out, const char *path, bool for_others,
		   struct kb_err *err);

#endif
