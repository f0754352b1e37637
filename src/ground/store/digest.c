#include "store/digest.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/hex.h"
#include "store/quote.h"

/* Amortises read(2), stays in the second-level cache, fits the stack. */
#define READ_CHUNK_BYTES (128 * 1024)

struct kb_hasher {
	EVP_MD_CTX *ctx;
};

struct kb_hasher *kb_hasher_new(void)
{
	struct kb_hasher *h = kb_xcalloc(1, sizeof(*h));

	/* A machine's openssl.cnf may leave out what we need; it is not read.
	 * Once is enough, and more does nothing. */
	if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) != 1)
		KB_BUG("libcrypto does not start");
	h->ctx = EVP_MD_CTX_new();
	if (!h->ctx || EVP_DigestInit_ex(h->ctx, EVP_sha256(), NULL) != 1)
		KB_BUG("libcrypto has no SHA-256");
	return h;
}

void kb_hasher_add(struct kb_hasher *h, const void *data, size_t len)
{
	if (EVP_DigestUpdate(h->ctx, data, len) != 1)
		KB_BUG("libcrypto cannot hash");
}

void kb_hasher_finish(struct kb_hasher *h, struct kb_digest *out)
{
	if (EVP_DigestFinal_ex(h->ctx, out->bytes, NULL) != 1)
		KB_BUG("libcrypto cannot hash");
}

void kb_hasher_free(struct kb_hasher *h)
{
	if (!h)
		return;
	EVP_MD_CTX_free(h->ctx);
	free(h);
}

void kb_digest_of(struct kb_digest *out, const void *data, size_t len)
{
	kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();

	kb_hasher_add(h, data, len);
	kb_hasher_finish(h, out);
}

int kb_digest_of_fd(struct kb_digest *out, int fd, const char *name,
		    uint64_t *size_bytes, struct kb_err *err)
{
	kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();
	uint8_t chunk[READ_CHUNK_BYTES];
	uint64_t total = 0;
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0) {
			if (errno == EINTR)
				continue;
			return kb_err_sys(err, "cannot read '%s'", name);
		}
		kb_hasher_add(h, chunk, (size_t)n);
		total += (uint64_t)n;
	}

	kb_hasher_finish(h, out);
	if (size_bytes)
		*size_bytes = total;
	return 0;
}

void kb_digest_format(const struct kb_digest *d, char hex[KB_DIGEST_HEX_SIZE])
{
	kb_hex_format(hex, d->bytes, KB_DIGEST_SIZE);
}

bool kb_digest_may_begin(const char *hex)
{
	const size_t len = strlen(hex);

	return len >= KB_DIGEST_PREFIX_MIN && len < KB_DIGEST_HEX_SIZE &&
	       strspn(hex, "0123456789abcdef") == len;
}

int kb_digest_parse(struct kb_digest *out, const char *hex, struct kb_err *err)
{
	struct kb_digest d;

	if (strlen(hex) != 2 * KB_DIGEST_SIZE)
		return kb_err(err, KB_ERR_INPUT,
			      "digest '%s' is not %d hex digits",
			      kb_quote_str(hex).text, 2 * KB_DIGEST_SIZE);
	if (!kb_hex_parse(d.bytes, KB_DIGEST_SIZE, hex))
		return kb_err(err, KB_ERR_INPUT,
			      "digest '%s' has a character other than 0-9 a-f",
			      kb_quote_str(hex).text);
	*out = d;
	return 0;
}
