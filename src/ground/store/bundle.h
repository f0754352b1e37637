#ifndef KB_STORE_BUNDLE_H
#define KB_STORE_BUNDLE_H

#include <stddef.h>
#include <stdint.h>

#include "store/digest.h"

struct kb_buf;
struct kb_err;

/*
 * A bundle: a BagIt bag (RFC 8493) whose name is the SHA-256 of its
 * manifest-sha256.txt. doc/kb-bundle.5 is the specification.
 *
 * A bundle is written once and never changed. It is read from a directory or
 * from a .tar.gz, and reading means checking: every member is hashed, nothing
 * undeclared may be there. A kb_bundle hands out only bytes that this process
 * has checked.
 */

#define KB_BUNDLE_RECORD "data/manifest.json"

/* Limits of what is read; a bundle beyond them is refused. */
#define KB_BUNDLE_MEMBERS_MAX 100000
#define KB_BUNDLE_MEMBER_BYTES_MAX (UINT64_C(4) << 30)
#define KB_BUNDLE_TOTAL_BYTES_MAX (UINT64_C(64) << 30)
#define KB_BUNDLE_NAME_BYTES_MAX 191	/* the parts: store/name.h */

/*
 * A .tar.gz may unpack to this many bytes for each of its own, and to
 * KB_BUNDLE_EXPANSION_FREE_BYTES besides.
 */
#define KB_BUNDLE_EXPANSION_MAX 200
#define KB_BUNDLE_EXPANSION_FREE_BYTES (UINT64_C(16) << 20)

struct kb_bundle_member {
	char *name;			/* "data/..." */
	uint64_t size_bytes;
	struct kb_digest digest;
};

struct kb_bundle {
	struct kb_digest id;
	struct kb_bundle_member *members;	/* sorted bytewise by name */
	size_t member_count;
	uint64_t total_bytes;		/* of all members */
	char *path;			/* as given by the caller */
	int dirfd;			/* the bag's directory */
	char *scratch;			/* directory to delete on close, or NULL */
};

#define KB_BUNDLE_INIT { .dirfd = -1 }

/*
 * Open and check the bundle at `path`: a directory, or a regular file that is a
 * .tar.gz (which is unpacked into a private directory below $TMPDIR, or /tmp).
 * A directory or an archive whose name is an id must have that id.
 *
 * Fails with KB_ERR_CORRUPT if a member does not match its digest or is
 * gone or the id is another, with KB_ERR_INPUT if it is not a well-formed
 * bundle, KB_ERR_MISSING if there is nothing at `path`, KB_ERR_SYS. On
 * failure `b` needs no release.
 */
int kb_bundle_open(struct kb_bundle *b, const char *path, struct kb_err *err);

/*
 * The same for who goes on to read all of the member `unread`, which hashes
 * it: until then nothing is said of its bytes. NULL, or one that it does not
 * have, is none.
 */
int kb_bundle_open_unread(struct kb_bundle *b, const char *path,
			  const char *unread, struct kb_err *err);

void kb_bundle_release(struct kb_bundle *b);

/* NULL if there is no such member. Borrowed until release. */
const struct kb_bundle_member *kb_bundle_find(const struct kb_bundle *b,
					      const char *name);

/*
 * Append a member's bytes to `out`, hashed again while they are read. On
 * failure `out` is as it was.
 *
 * Fails with KB_ERR_MISSING, KB_ERR_CORRUPT, KB_ERR_SYS, or KB_ERR_INPUT
 * if it is larger than `max_bytes`.
 */
int kb_bundle_read(struct kb_buf *out, const struct kb_bundle *b,
		   const char *name, size_t max_bytes, struct kb_err *err);

/*
 * The same in pieces, for members that need not be in memory as a whole:
 * `take` has each in turn, until it fails. Nothing that it was given is to
 * be relied on before this has returned 0: only then is the digest known.
 *
 * Fails as kb_bundle_read(), and as `take` does if the digest is right.
 */
int kb_bundle_read_pieces(const struct kb_bundle *b, const char *name,
			  uint64_t max_bytes,
			  int (*take)(void *into, const char *piece,
				      size_t len, struct kb_err *err),
			  void *into, struct kb_err *err);

/* Names allowed inside a bundle: see kb-bundle.5. Fails with KB_ERR_INPUT. */
int kb_bundle_check_name(const char *name, struct kb_err *err);

static inline void kb_cleanup_bundle(struct kb_bundle *b)
{
	kb_bundle_release(b);
}

/*
 * Writing. Members are added in any order; the same members give the same
 * id whenever and wherever they are written.
 *
 * A bundle grows in a directory of the store whose name starts with
 * KB_FILE_TEMP_PREFIX and which its writer keeps locked (flock(2)), and
 * becomes visible by one rename. Whatever moment a writer dies at, the
 * store holds at most such a directory more; the next writer removes it.
 */
struct kb_bundle_writer;

/*
 * A new bundle in the store directory `store`, which is made if need be.
 * Removes what dead writers left. Caller ends it with
 * kb_bundle_writer_free(), which discards whatever was not committed.
 *
 * Fails with KB_ERR_SYS, with KB_ERR_INPUT if `store` is not a directory.
 */
int kb_bundle_writer_new(struct kb_bundle_writer **out, const char *store,
			 struct kb_err *err);

/*
 * `name` is below "data/".
 *
 * Fails with KB_ERR_INPUT, and changes nothing, if the name is not allowed,
 * is there already, differs from another only in case or is a file here and
 * a directory there, or if the bundle would exceed a limit. After
 * KB_ERR_SYS the writer can only be freed.
 */
int kb_bundle_writer_add(struct kb_bundle_writer *w, const char *name,
			 const void *data, size_t len, struct kb_err *err);

/*
 * Name it: write the manifest, make everything durable and rename the
 * directory to its id inside the store. If the store has that bundle
 * already this is success and changes nothing. Done once; afterwards the
 * writer can only be freed.
 *
 * Fails with KB_ERR_SYS, with KB_ERR_INPUT if no member was added.
 */
int kb_bundle_writer_commit(struct kb_bundle_writer *w, struct kb_digest *id,
			    struct kb_err *err);

/* NULL is allowed. */
void kb_bundle_writer_free(struct kb_bundle_writer *w);

static inline void kb_cleanup_bundle_writer(struct kb_bundle_writer **w)
{
	kb_bundle_writer_free(*w);
}

#endif
