#include "sign/ed25519.h"

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
KB_DEFINE_CLEANUP(algorithm, X509_ALGOR *, X509_ALGOR_free);
KB_DEFINE_CLEANUP(pkcs8, PKCS8_PRIV_KEY_INFO *, PKCS8_PRIV_KEY_INFO_free);

/* As in store/digest.c: a machine's openssl.cnf is not read. */
static void init_openssl(void)
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

/* A SubjectPublicKeyInfo up to the 32 bytes of the key: it has no other form in
 * DER (RFC 8410, 4). */
static const uint8_t public_prefix[] = {
	0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
};

#define PUBLIC_DER_BYTES (sizeof(public_prefix) + KB_ED25519_KEY_BYTES)

struct block {
	char *name;		/* what stands behind BEGIN */
	unsigned char *der;
	long len;
};

static void kb_cleanup_block(struct block *b)
{
	OPENSSL_secure_free(b->name);
	OPENSSL_secure_clear_free(b->der, (size_t)b->len);
}

/* Which of the two sorts of file it is. `get` returns a key's type, and takes the
 * key itself only if that is ours; NULL if there is no key. */
struct sort {
	const char *what, *pem;
	const char *(*get)(uint8_t bytes[KB_ED25519_KEY_BYTES],
			   const struct block *b);
};

static const char *type_of(const ASN1_OBJECT *algorithm)
{
	const int nid = OBJ_obj2nid(algorithm);

	switch (nid) {
	case NID_undef:
		return NULL;
	case NID_rsaEncryption:
		return "RSA";
	case NID_X9_62_id_ecPublicKey:
		return "EC";
	default:
		return OBJ_nid2sn(nid);
	}
}

/* libcrypto's own reader tries all that it can decode on other people's bytes,
 * only for us to refuse the key. Of these only the type is read. */
static const char *get_other_public(const struct block *b)
{
	const unsigned char *p = b->der;
	kb_auto(algorithm) X509_ALGOR *algorithm = NULL;
	const ASN1_OBJECT *oid;
	const char *type;
	long len;
	int tag, class;

	if (ASN1_get_object(&p, &len, &tag, &class, b->len) & 0x80 ||
	    tag != V_ASN1_SEQUENCE)
		return NULL;
	algorithm = d2i_X509_ALGOR(NULL, &p, len);
	if (!algorithm)
		return NULL;
	X509_ALGOR_get0(&oid, NULL, NULL, algorithm);
	type = type_of(oid);
	return type && strcmp(type, TYPE) ? type : NULL;
}

static const char *get_public(uint8_t bytes[KB_ED25519_KEY_BYTES],
			      const struct block *b)
{
	if (b->len != PUBLIC_DER_BYTES ||
	    memcmp(b->der, public_prefix, sizeof(public_prefix)))
		return get_other_public(b);
	memcpy(bytes, b->der + sizeof(public_prefix), KB_ED25519_KEY_BYTES);
	return TYPE;
}

/* An OCTET STRING of 32 bytes, and an algorithm without parameters (RFC 8410, 3
 * and 7). */
static bool take_seed(uint8_t bytes[KB_ED25519_KEY_BYTES],
		      const unsigned char *key, int len,
		      const X509_ALGOR *algorithm)
{
	int parameters;

	X509_ALGOR_get0(NULL, &parameters, NULL, algorithm);
	if (parameters != V_ASN1_UNDEF || len != 2 + KB_ED25519_KEY_BYTES ||
	    key[0] != V_ASN1_OCTET_STRING || key[1] != KB_ED25519_KEY_BYTES)
		return false;
	memcpy(bytes, key + 2, KB_ED25519_KEY_BYTES);
	return true;
}

static const char *get_secret(uint8_t bytes[KB_ED25519_KEY_BYTES],
			      const struct block *b)
{
	const unsigned char *p = b->der, *key;
	kb_auto(pkcs8) PKCS8_PRIV_KEY_INFO *info =
		d2i_PKCS8_PRIV_KEY_INFO(NULL, &p, b->len);
	const X509_ALGOR *algorithm;
	const ASN1_OBJECT *oid;
	const char *type;
	int len;

	if (!info || p != b->der + b->len ||
	    !PKCS8_pkey_get0(&oid, &key, &len, &algorithm, info))
		return NULL;
	type = type_of(oid);
	if (type && !strcmp(type, TYPE) &&
	    !take_seed(bytes, key, len, algorithm))
		return NULL;
	return type;
}

static const struct sort public_sort = {
	"public key", PEM_STRING_PUBLIC, get_public,
};

static const struct sort secret_sort = {
	"private key", PEM_STRING_EVP_PKEY, get_secret,
};

/* Whoever wrote two keys into a file expects something of the second. */
static bool has_more(BIO *in)
{
	static const char begin[] = "-----BEGIN ";
	char *rest;
	long len = BIO_get_mem_data(in, &rest);

	return len > 0 && memmem(rest, (size_t)len, begin, sizeof(begin) - 1);
}

static int refuse_type(const char *type, size_t len, const char *name,
		       struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT,
		      "'%s' is a key of type %.*s, want " TYPE, name, (int)len,
		      type);
}

static int take_block(uint8_t bytes[KB_ED25519_KEY_BYTES],
		      const struct block *b, const struct sort *sort,
		      const char *name, struct kb_err *err)
{
	const char *traditional = strstr(b->name, " " PEM_STRING_PKCS8INF);
	const char *type;

	/* "RSA PRIVATE KEY", of before PKCS#8. */
	if (traditional)
		return refuse_type(b->name, (size_t)(traditional - b->name),
				   name, err);
	type = sort->get(bytes, b);
	if (!type)
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a %s in PEM",
			      name, sort->what);
	return strcmp(type, TYPE) ? refuse_type(type, strlen(type), name, err)
				  : 0;
}

static int read_block(struct block *b, const struct sort *sort, BIO *in,
		      const char *name, struct kb_err *err)
{
	bool wanted = false;
	const bool is_there = PEM_bytes_read_bio_secmem(
		&b->der, &b->len, &b->name, sort->pem, in, refuse_passphrase,
		&wanted);

	if (wanted || (is_there && !strcmp(b->name, PEM_STRING_PKCS8)))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is protected by a passphrase, want a key without one",
			      name);
	if (!is_there)
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a %s in PEM",
			      name, sort->what);
	return 0;
}

static bool is_of_openssh(const void *text, size_t len)
{
	static const char public[] = "ssh-";
	static const char secret[] = "-----BEGIN OPENSSH PRIVATE KEY-----";

	return (len >= strlen(public) && !memcmp(text, public, strlen(public))) ||
	       (len >= strlen(secret) && !memcmp(text, secret, strlen(secret)));
}

static int parse_key(uint8_t bytes[KB_ED25519_KEY_BYTES], const struct sort *sort,
		     const void *pem, size_t len, const char *name,
		     struct kb_err *err)
{
	kb_auto(bio) BIO *in = NULL;
	kb_auto(block) struct block b = { .len = 0 };
	int ret;

	if (is_of_openssh(pem, len))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is a key of OpenSSH, want a %s in PEM: "
			      "kb-sign(1) says how one is made", name,
			      sort->what);
	init_openssl();
	in = BIO_new_mem_buf(pem, (int)len);
	if (!in)
		KB_BUG("libcrypto cannot read memory");
	ret = read_block(&b, sort, in, name, err);
	if (ret == 0)
		ret = take_block(bytes, &b, sort, name, err);
	/* OpenSSL's message about foreign bytes is of no use. */
	ERR_clear_error();
	if (ret == 0 && has_more(in))
		return kb_err(err, KB_ERR_INPUT, "'%s' holds more than one key",
			      name);
	return ret;
}

/*
 * A public key is a point of the curve by its y, of which the last bit is the
 * sign of x. For the eight points of small order, y of which are here, anybody
 * finds signatures without a private key, since OpenSSL does not ask; and a y
 * that is not below 2^255 - 19 is another spelling of a smaller one.
 */
static const uint8_t small_order[][KB_ED25519_KEY_BYTES] = {
	{ 0 },
	{ 1 },
	{ 0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f },
	{ 0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0,
	  0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
	  0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39,
	  0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05 },
	{ 0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f,
	  0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
	  0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6,
	  0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a },
};

static bool is_not_reduced(const uint8_t y[KB_ED25519_KEY_BYTES])
{
	for (int i = 1; i < KB_ED25519_KEY_BYTES - 1; i++)
		if (y[i] != 0xff)
			return false;
	return y[KB_ED25519_KEY_BYTES - 1] == 0x7f && y[0] >= 0xed;
}

static int refuse_weak(const uint8_t key[KB_ED25519_KEY_BYTES],
		       const char *name, struct kb_err *err)
{
	uint8_t y[KB_ED25519_KEY_BYTES];
	bool is_weak;

	memcpy(y, key, sizeof(y));
	y[KB_ED25519_KEY_BYTES - 1] &= 0x7f;
	is_weak = is_not_reduced(y);
	for (size_t i = 0; i < KB_ARRAY_LEN(small_order); i++)
		is_weak |= !memcmp(y, small_order[i], sizeof(y));
	if (!is_weak)
		return 0;
	return kb_err(err, KB_ERR_INPUT, "'%s' is a key with which anybody can "
		      "sign", name);
}

static void set_id(struct kb_public_key *key)
{
	uint8_t der[PUBLIC_DER_BYTES];

	memcpy(der, public_prefix, sizeof(public_prefix));
	memcpy(der + sizeof(public_prefix), key->bytes, sizeof(key->bytes));
	kb_digest_of(&key->id, der, sizeof(der));
}

static void set_public(struct kb_secret_key *key)
{
	size_t size = sizeof(key->public.bytes);
	kb_auto(pkey) EVP_PKEY *pkey = EVP_PKEY_new_raw_private_key_ex(
		NULL, TYPE, NULL, key->bytes, sizeof(key->bytes));

	if (!pkey || EVP_PKEY_get_raw_public_key(pkey, key->public.bytes,
						 &size) != 1)
		KB_BUG("libcrypto cannot tell a public key");
	set_id(&key->public);
}

int kb_public_key_parse(struct kb_public_key *out, const void *pem, size_t len,
			const char *name, struct kb_err *err)
{
	struct kb_public_key key;
	int ret = parse_key(key.bytes, &public_sort, pem, len, name, err);

	if (ret == 0)
		ret = refuse_weak(key.bytes, name, err);
	if (ret < 0)
		return ret;
	set_id(&key);
	*out = key;
	return 0;
}

int kb_secret_key_parse(struct kb_secret_key *out, const void *pem, size_t len,
			const char *name, struct kb_err *err)
{
	kb_auto(secret_key) struct kb_secret_key key = KB_SECRET_KEY_INIT;
	int ret = parse_key(key.bytes, &secret_sort, pem, len, name, err);

	if (ret < 0)
		return ret;
	set_public(&key);
	*out = key;
	return 0;
}

int kb_public_key_read(struct kb_public_key *out, const char *path,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf pem = KB_BUF_INIT;
	int ret = kb_file_read_named(&pem, path, KB_ED25519_FILE_BYTES_MAX, err);

	if (ret == -KB_ERR_INPUT)
		return kb_err_wrap(err, "this is no public key");
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
	ret = kb_file_read_named(&pem, path, KB_ED25519_FILE_BYTES_MAX, err);
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

	init_openssl();
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

	init_openssl();
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
