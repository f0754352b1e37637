#ifndef KB_STORE_ARCHIVE_H
#define KB_STORE_ARCHIVE_H

#include <stddef.h>

struct kb_bundle;
struct kb_err;
struct kb_targz;

/*
 * A bundle as one .tar.gz, for transport. The archive holds one directory
 * named with the bundle's id. Writing is deterministic for one version of
 * zlib: ustar, sorted names, owner 0, time 0, no name or time in the gzip
 * header. The bundle's id does not depend on it.
 *
 * The manifest comes before the members, so that reading can refuse an
 * undeclared one on sight: nothing reaches the disk that has not been
 * declared under an allowed name. doc/kb-bundle.5 lists the refusals.
 */

/*
 * Write the bundle to `path`, whole or not at all. Its members are hashed
 * again on the way.
 *
 * Fails with KB_ERR_CORRUPT, with KB_ERR_INPUT if the archive would expand
 * beyond what is read, KB_ERR_SYS.
 */
int kb_archive_write(const struct kb_bundle *b, const char *path,
		     struct kb_err *err);

/*
 * Add the bundle to an archive of more than one: as a directory named with
 * its id, in the directory `folder`, which is there, or at the top if that
 * is "". kb_bundle_open() refuses such an archive; see publication_file.h.
 *
 * Fails with KB_ERR_CORRUPT, KB_ERR_SYS.
 */
int kb_archive_add(struct kb_targz *tar, const char *folder,
		   const struct kb_bundle *b, struct kb_err *err);

/*
 * Unpack the archive in the file `path`, or in `len` bytes at `data`, into
 * the empty directory `dirfd`, without its top directory. That one's name
 * has then been compared with the manifest; the members have not been
 * hashed, which is for kb_bundle_open() to do.
 *
 * Fails with KB_ERR_INPUT if it is not the archive of a bundle, with
 * KB_ERR_CORRUPT if its name is not its id or a member is not there, with
 * KB_ERR_SYS. Files that were unpacked before the failure stay.
 */
int kb_archive_unpack(const char *path, int dirfd, struct kb_err *err);
int kb_archive_unpack_bytes(const void *data, size_t len, int dirfd,
			    struct kb_err *err);

#endif
