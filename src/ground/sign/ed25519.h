#ifndef KB_SIGN_ED25519_H
#define KB_SIGN_ED25519_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/digest.h"

struct kb_err;

/*
 * Ed25519 keys (RFC 8032) and what they do. One key and the same bytes
 * always give the same signature.
 *
 * Keys are files in PEM, as OpenSSL writes them: a private one is PKCS#8
 * without a passphrase, a public one a SubjectPublicKeyInfo in DER. A key of
 * another type is read as far as its type. A key's id is the SHA-256 of its
 * SubjectPublicKeyInfo in DER.
 *
 * Signing and verifying cannot fail short of a broken libcrypto, which
 * aborts.
 */

#define KB_ED25519_KEY_BYTES 32			/* either half */
#define KB_ED25519_SIGNATURE_BYTES 64
#define KB_ED25519_FILE_BYTES_MAX (16 * 1024)

struct kb_public_key {
	uint8_t bytes[KB_ED25519_KEY_BYTES];
	struct kb_digest id;
};

/* Ends with kb_secret_key_release(), which wipes it. */
struct kb_secret_key {
	uint8_t bytes[KB_ED25519_KEY_BYTES];
	struct kb_public_key public;
};

#define KB_SECRET_KEY_INIT { .bytes = { 0 } }

/*
 * The one key in `len` bytes of PEM, KB_ED25519_FILE_BYTES_MAX at most.
 * `name` is only used in messages.
 *
 * Fail with KB_ERR_INPUT if there is none of that sort, more than one, one
 * of another type, or one that a passphrase protects; a public one also if it is
 * of small order, or not in its one spelling, for which anybody can sign.
 */
int kb_public_key_parse(struct kb_public_key *out, const void *pem, size_t len,
			const char *name, struct kb_err *err);
int kb_secret_key_parse(struct kb_secret_key *out, const void *pem, size_t len,
			const char *name, struct kb_err *err);

/* The same of the file `path`; fail as kb_file_read() as well. */
int kb_public_key_read(struct kb_public_key *out, const char *path,
		       struct kb_err *err);
int kb_secret_key_read(struct kb_secret_key *out, const char *path,
		       struct kb_err *err);

void kb_secret_key_release(struct kb_secret_key *key);

void kb_ed25519_sign(uint8_t signature[KB_ED25519_SIGNATURE_BYTES],
		     const struct kb_secret_key *key, const void *data,
		     size_t len);

/* Whether `signature` is by `key` over exactly these bytes. */
bool kb_ed25519_verify(const struct kb_public_key *key,
		       const uint8_t signature[KB_ED25519_SIGNATURE_BYTES],
		       const void *data, size_t len);

static inline void kb_cleanup_secret_key(struct kb_secret_key *key)
{
	kb_secret_key_release(key);
}

#endif
