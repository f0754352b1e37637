#ifndef KB_SIGN_ENVELOPE_H
#define KB_SIGN_ENVELOPE_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "sign/ed25519.h"
#include "store/digest.h"

struct kb_err;

/*
 * A DSSE envelope (https://github.com/secure-systems-lab/dsse, 1.0): bytes,
 * their type, and a signature over both.
 *
 *	{"payload":"<base64>","payloadType":"application/vnd.in-toto+json",
 *	 "signatures":[{"keyid":"<64 hex digits>","sig":"<base64>"}]}
 *
 * Ours hold one signature, by an Ed25519 key, and one type of payload, and
 * are canonical JSON: what kb_envelope_parse() takes is what
 * kb_envelope_print() writes, byte for byte. DSSE would also allow other
 * spellings of the same.
 */

#define KB_ENVELOPE_TYPE "application/vnd.in-toto+json"
#define KB_ENVELOPE_BYTES_MAX (64 * 1024)

struct kb_envelope {
	struct kb_buf payload;			/* as signed */
	struct kb_digest key_id;		/* a hint, and not signed */
	uint8_t signature[KB_ED25519_SIGNATURE_BYTES];
};

#define KB_ENVELOPE_INIT { .payload = KB_BUF_INIT }

void kb_envelope_release(struct kb_envelope *e);

/*
 * Append what is signed: DSSE's Pre-Authentication Encoding of a type and
 * `len` bytes.
 */
void kb_envelope_add_pae(struct kb_buf *out, const char *type,
			 const void *body, size_t len);

/* Sign the payload that is in `e`. */
void kb_envelope_sign(struct kb_envelope *e, const struct kb_secret_key *key);

/*
 * The signature is by `key`, over the payload. `name` is that of the
 * envelope, for messages.
 *
 * Fails with KB_ERR_INPUT if it says that it is by another key, with
 * KB_ERR_CORRUPT if it is not by this one over these bytes.
 */
int kb_envelope_verify(const struct kb_envelope *e,
		       const struct kb_public_key *key, const char *name,
		       struct kb_err *err);

/* Append it, without a line end. */
void kb_envelope_print(struct kb_buf *out, const struct kb_envelope *e);

/*
 * From bytes. Nothing is verified. `out` needs no release on failure.
 *
 * Fails with KB_ERR_INPUT.
 */
int kb_envelope_parse(struct kb_envelope *out, const void *data, size_t len,
		      const char *name, struct kb_err *err);

static inline void kb_cleanup_envelope(struct kb_envelope *e)
{
	kb_envelope_release(e);
}

#endif
