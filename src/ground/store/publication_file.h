#ifndef KB_STORE_PUBLICATION_FILE_H
#define KB_STORE_PUBLICATION_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "store/digest.h"

struct kb_err;

/*
 * A publication as a file: a .tar.gz with one folder, kb-<16 digits>, and in it
 * a store's bundles and signatures (publish/publish.h).
 */

/* Does the archive at `path` begin with such a folder? What cannot be read does
 * not. */
bool kb_publication_file_is(const char *path);

/* One that is unpacked. */
struct kb_unpacked {
	char *store;			/* the directory */
	bool is_ours;			/* it is private, below $TMPDIR */
	char folder[sizeof("kb-0123456789abcdef")];
	struct kb_digest *ids;		/* sorted; what the folder is called by
					   comes last */
	size_t count;
};

#define KB_UNPACKED_INIT { .store = NULL }

/*
 * Unpack it. Names, sizes and kinds of entries were checked, and nothing else:
 * kb_bundle_open() checks a bundle. The caller releases `u` in any case.
 *
 * Fails with KB_ERR_INPUT if it is no publication, KB_ERR_SYS.
 */
int kb_unpacked_open(struct kb_unpacked *u, const char *path,
		     struct kb_err *err);

/* The same of a folder that somebody else unpacked, whose files are not looked
 * at. */
int kb_unpacked_open_folder(struct kb_unpacked *u, const char *path,
			    struct kb_err *err);
void kb_unpacked_release(struct kb_unpacked *u);

static inline void kb_cleanup_unpacked(struct kb_unpacked *u)
{
	kb_unpacked_release(u);
}

/* The same of `len` bytes, into the directory `dirfd`. `folder` receives its
 * name. */
int kb_publication_unpack_bytes(const void *data, size_t len, int dirfd,
				char folder[], struct kb_err *err);

#endif
