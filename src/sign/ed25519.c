#include "sign/ed25519.h"

#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

#define TYPE "ED25519"

KB_DEFINE_CLEANUP(bio, BIO *, BIO_free);
KB_DEFINE_CLEANUP(pkey, EVP_PKEY *, EVP_PKEY_free);
KB_DEFINE_CLEANUP(md_ctx, EVP_MD_CTX *, EVP_MD_CTX_free);

/* As in store/digest.c: a machine's openssl.cnf is not read. */
static void start(void)
{
	if (OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL) != 1)
		KB_BUG("libcrypto does not start");
}

/* There is nobody to type a passphrase; note that one is wanted. */
static int refuse_passphrase(char *buf, int size, int writing, void *wanted)
{
	(void)buf;
	(void)size;
	(void)writing;
	*(bool *)wanted = true;
	return -1;
}

/* Which of the two sorts of file it is, and how libcrypto reads it. */
struct sort {
	const char *what;
	EVP_PKEY *(*read)(BIO *in, EVP_PKEY **out, pem_password_cb *passphrase,
			  void *wanted);
	int (*get)(const EVP_PKEY *key, unsigned char *bytes, size_t *len);
};

static const struct sort public_sort = {
	"public key", PEM_read_bio_PUBKEY, EVP_PKEY_get_raw_public_key,
};

static const struct sort secret_sort = {
	"private key", PEM_read_bio_PrivateKey, EVP_PKEY_get_raw_private_key,
};

/* Whoever wrote two keys into a file expects something of the second. */
static bool has_more(BIO *in)
{
	static const char begin[] = "-----BEGIN ";
	char *rest;
	long len = BIO_get_mem_data(in, &rest);

	return len > 0 && memmem(rest, (size_t)len, begin, sizeof(begin) - 1);
}

static int check_key(const EVP_PKEY *key, BIO *in, const char *name,
		     struct kb_err *err)
{
	if (!EVP_PKEY_is_a(key, TYPE))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is a key of type %s, want " TYPE, name,
			      EVP_PKEY_get0_type_name(key));
	if (has_more(in))
		return kb_err(err, KB_ERR_INPUT, "'%s' holds more than one key",
			      name);
	return 0;
}

static EVP_PKEY *read_key(const struct sort *sort, BIO *in, const char *name,
			  struct kb_err *err)
{
	bool wanted = false;
	EVP_PKEY *key = sort->read(in, NULL, refuse_passphrase, &wanted);

	/* What it has to say about other people's bytes is of no use. */
	ERR_clear_error();
	if (!key && wanted)
		kb_err(err, KB_ERR_INPUT,
		       "'%s' is protected by a passphrase, want a key without one",
		       name);
	else if (!key)
		kb_err(err, KB_ERR_INPUT, "'%s' is not a %s in PEM", name,
		       sort->what);
	return key;
}

static void get_public(struct kb_public_key *out, EVP_PKEY *key)
{
	size_t len = sizeof(out->bytes);
	unsigned char *der = NULL;
	int der_len = i2d_PUBKEY(key, &der);

	if (der_len < 0 ||
	    EVP_PKEY_get_raw_public_key(key, out->bytes, &len) != 1)
		KB_BUG("libcrypto cannot tell a public key");
	kb_digest_of(&out->id, der, (size_t)der_len);
	OPENSSL_free(der);
}

/* `bytes` receives the half that this sort of file is about. */
static int parse(struct kb_public_key *public, uint8_t bytes[KB_ED25519_KEY_BYTES],
		 const struct sort *sort, const void *pem, size_t len,
		 const char *name, struct kb_err *err)
{
	kb_auto(bio) BIO *in = NULL;
	kb_auto(pkey) EVP_PKEY *key = NULL;
	size_t size = KB_ED25519_KEY_BYTES;
	int ret;

	start();
	in = BIO_new_mem_buf(pem, (int)len);
	if (!in)
		KB_BUG("libcrypto cannot read memory");
	key = read_key(sort, in, name, err);
	if (!key)
		return -KB_ERR_INPUT;
	ret = check_key(key, in, name, err);
	if (ret < 0)
		return ret;
	if (sort->get(key, bytes, &size) != 1)
		KB_BUG("libcrypto cannot tell a key");
	get_public(public, key);
	return 0;
}

int kb_public_key_parse(struct kb_public_key *out, const void *pem, size_t len,
			const char *name, struct kb_err *err)
{
	struct kb_public_key key;
	int ret = parse(&key, key.bytes, &public_sort, pem, len, name, err);

	if (ret == 0)
		*out = key;
	return ret;
}

int kb_secret_key_parse(struct kb_secret_key *out, const void *pem, size_t len,
			const char *name, struct kb_err *err)
{
	kb_auto(secret_key) struct kb_secret_key key = KB_SECRET_KEY_INIT;
	int ret = parse(&key.public, key.bytes, &secret_sort, pem, len, name,
			err);

	if (ret == 0)
		*out = key;
	return ret;
}

int kb_public_key_read(struct kb_public_key *out, const char *path,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf pem = KB_BUF_INIT;
	int ret = kb_file_read(&pem, AT_FDCWD, path, KB_ED25519_FILE_BYTES_MAX,
			       err);

	if (ret < 0)
		return ret;
	return kb_public_key_parse(out, pem.data, pem.len, path, err);
}

int kb_secret_key_read(struct kb_secret_key *out, const char *path,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf pem = KB_BUF_INIT;
	int ret;

	/* Twice what kb_file_read() asks for at a time: it will not have to
	 * grow, and leaves no second copy behind. */
	kb_buf_reserve(&pem, 2 * KB_FILE_READ_CHUNK_BYTES);
	ret = kb_file_read(&pem, AT_FDCWD, path, KB_ED25519_FILE_BYTES_MAX, err);
	if (ret == 0)
		ret = kb_secret_key_parse(out, pem.data, pem.len, path, err);
	explicit_bzero(pem.data, pem.capacity);
	return ret;
}

void kb_secret_key_release(struct kb_secret_key *key)
{
	explicit_bzero(key, sizeof(*key));
}

void kb_ed25519_sign(uint8_t signature[KB_ED25519_SIGNATURE_BYTES],
		     const struct kb_secret_key *key, const void *data,
		     size_t len)
{
	kb_auto(pkey) EVP_PKEY *pkey = NULL;
	kb_auto(md_ctx) EVP_MD_CTX *ctx = NULL;
	size_t size = KB_ED25519_SIGNATURE_BYTES;

	start();
	pkey = EVP_PKEY_new_raw_private_key_ex(NULL, TYPE, NULL, key->bytes,
					       KB_ED25519_KEY_BYTES);
	ctx = EVP_MD_CTX_new();
	if (!pkey || !ctx ||
	    EVP_DigestSignInit(ctx, NULL, NULL, NULL, pkey) != 1 ||
	    EVP_DigestSign(ctx, signature, &size, data, len) != 1 ||
	    size != KB_ED25519_SIGNATURE_BYTES)
		KB_BUG("libcrypto cannot sign");
}

bool kb_ed25519_verify(const struct kb_public_key *key,
		       const uint8_t signature[KB_ED25519_SIGNATURE_BYTES],
		       const void *data, size_t len)
{
	kb_auto(pkey) EVP_PKEY *pkey = NULL;
	kb_auto(md_ctx) EVP_MD_CTX *ctx = NULL;
	bool good;

	start();
	pkey = EVP_PKEY_new_raw_public_key_ex(NULL, TYPE, NULL, key->bytes,
					      KB_ED25519_KEY_BYTES);
	ctx = EVP_MD_CTX_new();
	if (!pkey || !ctx ||
	    EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pkey) != 1)
		KB_BUG("libcrypto cannot verify");
	good = EVP_DigestVerify(ctx, signature, KB_ED25519_SIGNATURE_BYTES, data,
				len) == 1;
	ERR_clear_error();
	return good;
}
