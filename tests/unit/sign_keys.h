#ifndef KB_TESTS_UNIT_SIGN_KEYS_H
#define KB_TESTS_UNIT_SIGN_KEYS_H

/* Keys that are known, for the tests of signatures. */

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/hex.h"
#include "sign/base64.h"
#include "sign/ed25519.h"

/* RFC 8032, section 7.1, tests 1 to 3; the first two have key ids as
 * `openssl pkey -pubin -outform DER | sha256sum` gives them. */
static const struct {
	const char *secret, *public, *message, *signature, *key_id;
} vectors[] = {
	{ "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
	  "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
	  "",
	  "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
	  "06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9" },
	{ "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
	  "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
	  "72",
	  "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
	  "deb2ded39dc26fce0e6085b6fc34bf6b5941913bbfe2ea614113cff9e004c170" },
	{ "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
	  "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
	  "af82",
	  "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
	  NULL },
};

#define ALICE 0
#define BOB 1

/* What precedes the 32 bytes of a key in DER. */
#define SECRET_DER "302e020100300506032b657004220420"
#define PUBLIC_DER "302a300506032b6570032100"

#define PUBLIC_PEM(base64)					\
	"-----BEGIN PUBLIC KEY-----\n" base64 "\n-----END PUBLIC KEY-----\n"

static inline void add_pem(struct kb_buf *out, const char *label,
			   const char *der, const char *key)
{
	kb_auto(mem) char *hex = kb_xasprintf("%s%s", der, key);
	uint8_t bytes[64];
	size_t len = strlen(hex) / 2;

	if (!kb_hex_parse(bytes, len, hex))
		KB_BUG("bad hex");
	kb_buf_addf(out, "-----BEGIN %s-----\n", label);
	kb_base64_encode(out, bytes, len);
	kb_buf_addf(out, "\n-----END %s-----\n", label);
}

static inline struct kb_secret_key secret(int who)
{
	kb_auto(buf) struct kb_buf pem = KB_BUF_INIT;
	struct kb_secret_key key;

	add_pem(&pem, "PRIVATE KEY", SECRET_DER, vectors[who].secret);
	if (kb_secret_key_parse(&key, pem.data, pem.len, "key", NULL) < 0)
		KB_BUG("a key is refused");
	return key;
}

/* Ids of bundles. */
#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

#endif
