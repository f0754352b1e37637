#ifndef KB_SIGN_SIGNATURE_H
#define KB_SIGN_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>

#include "store/digest.h"

struct kb_buf;
struct kb_bundle;
struct kb_err;
struct kb_public_key;
struct kb_secret_key;
struct kb_statement;

/*
 * A signature of a bundle: an envelope with a statement, in the file
 *
 *	<id of the bundle>.<id of the key>.dsse.json
 *
 * beside the bundle's directory or archive. Inside it cannot be: a bundle
 * holds nothing that its id does not cover. One key has one signature of a
 * bundle, and any number of keys may have theirs.
 */

#define KB_SIGNATURE_SUFFIX ".dsse.json"

/*
 * Sign `s`, what is to be said of `b`, and write it beside `b`, in place
 * of an earlier one by this key. Caller frees `*path`, where it went.
 *
 * Fails with KB_ERR_SYS.
 */
int kb_signature_write(char **path, const struct kb_bundle *b,
		       const struct kb_statement *s,
		       const struct kb_secret_key *key, struct kb_err *err);

/*
 * Check that there is a signature by `key` next to `b`, that it is valid, and
 * that its statement about `b` is true.
 *
 * Fails with KB_ERR_MISSING if there is none, with KB_ERR_CORRUPT if the
 * key did not sign what is there, with KB_ERR_INPUT if that is not a
 * signature, or is one of something else.
 */
int kb_signature_check(const struct kb_bundle *b,
		       const struct kb_public_key *key, struct kb_err *err);

/* The keys by which there are files beside `b`, sorted; nothing has been
 * read of these. */
struct kb_signers {
	struct kb_digest *key_ids;
	size_t count;
};

#define KB_SIGNERS_INIT { .key_ids = NULL }

/* None if we may not list that directory. Caller releases `out`. Fails with
 * KB_ERR_SYS. */
int kb_signature_list(struct kb_signers *out, const struct kb_bundle *b,
		      struct kb_err *err);
void kb_signers_release(struct kb_signers *s);

/* The name of the file with `b`'s signature by this key, without its directory.
 * The caller frees. */
char *kb_signature_name(const struct kb_bundle *b,
			const struct kb_digest *key_id);

/*
 * Append that file, which is an envelope; whether it holds is not asked.
 *
 * Fails with KB_ERR_MISSING, with KB_ERR_INPUT if it is no envelope, with
 * KB_ERR_SYS.
 */
int kb_signature_read(struct kb_buf *out, const struct kb_bundle *b,
		      const struct kb_digest *key_id, struct kb_err *err);

/* Whether `path` is called like a signature, of whatever bundle. */
bool kb_signature_is_named(const char *path);

static inline void kb_cleanup_signers(struct kb_signers *s)
{
	kb_signers_release(s);
}

#endif
