/*
 * Any bytes as a public and as a secret key in PEM. What is refused is refused
 * with a reason; one is never the other; and what a secret key signs, its own
 * public key and no other verifies.
 */

#include <stdint.h>
#include <string.h>

#include "base/err.h"
#include "fuzz/must.h"
#include "sign/ed25519.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_taken(int ret, const struct kb_err *err)
{
	if (ret == 0) {
		must(err->kind == 0);
		return true;
	}
	must(ret == -KB_ERR_INPUT && err->kind == KB_ERR_INPUT && err->msg[0]);
	return false;
}

static void check_signs(const struct kb_secret_key *key)
{
	static const char text[] = "what is signed";
	uint8_t signature[KB_ED25519_SIGNATURE_BYTES];
	struct kb_public_key other = key->public;

	kb_ed25519_sign(signature, key, text, sizeof(text));
	must(kb_ed25519_verify(&key->public, signature, text, sizeof(text)));
	must(!kb_ed25519_verify(&key->public, signature, text,
				sizeof(text) - 1));
	other.bytes[0] ^= 1;
	must(!kb_ed25519_verify(&other, signature, text, sizeof(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kb_secret_key secret = KB_SECRET_KEY_INIT;
	struct kb_public_key public;
	struct kb_err why_public = KB_ERR_INIT, why_secret = KB_ERR_INIT;
	const bool is_public = is_taken(
		kb_public_key_parse(&public, data, size, "fuzz", &why_public),
		&why_public);
	const bool is_secret = is_taken(
		kb_secret_key_parse(&secret, data, size, "fuzz", &why_secret),
		&why_secret);

	must(!is_public || !is_secret);
	if (is_secret)
		check_signs(&secret);
	return 0;
}
