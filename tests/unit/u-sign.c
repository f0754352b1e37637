/* Keys, base64, envelopes, statements, and the files they make. */

#include "sign/ed25519.h"

#include "base/err.h"
#include "base/hex.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "sign/base64.h"
#include "sign/envelope.h"
#include "sign/signature.h"
#include "sign/statement.h"
#include "store/bundle.h"

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

static void add_pem(struct kb_buf *out, const char *label, const char *der,
		    const char *key)
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

static struct kb_secret_key secret(int who)
{
	kb_auto(buf) struct kb_buf pem = KB_BUF_INIT;
	struct kb_secret_key key;

	add_pem(&pem, "PRIVATE KEY", SECRET_DER, vectors[who].secret);
	if (kb_secret_key_parse(&key, pem.data, pem.len, "key", NULL) < 0)
		KB_BUG("a key is refused");
	return key;
}

static void test_base64_known_answers_and_back(void)
{
	/* RFC 4648, section 10, and both digits that are not letters. */
	static const struct {
		const char *bytes, *text;
	} known[] = {
		{ "", "" },
		{ "f", "Zg==" },
		{ "fo", "Zm8=" },
		{ "foo", "Zm9v" },
		{ "foob", "Zm9vYg==" },
		{ "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" },
		{ "\xfb\xef\xbe", "++++" },
		{ "\xff\xff\xff", "////" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;

		kb_base64_encode(&text, known[i].bytes,
				 strlen(known[i].bytes));
		check_str(text.data, known[i].text);
		check(kb_base64_decode(&bytes, known[i].text));
		check_str(bytes.data, known[i].bytes);
	}
}

static void test_base64_rejects(void)
{
	static const char *const cases[] = {
		"Z", "Zg", "Zg=", "Zg===", "=", "==", "====", "Zm9v=", "Zm9vY",
		"Z===", "Zh==", "Zn==", "Zm9=", "Zm8=Zm8=", "Zg==Zg==",
		"=m9v", "Z=9v", "Zm=v", "Z=8=", " Zm9v", "Zm9v ", "Zm9v\n",
		"Zm\n9", "Zm 9", "Zm9\n", "-_-_", "Zm9_", "Zm9-", "Zm9v\r\n",
		"Zm9\xc3", "Zm9.", "Zm9:", "Zm9@", "Zm9[", "Zm9`", "Zm9{",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_buf_addstr(&out, "before");
		if (kb_base64_decode(&out, cases[i]))
			tap_fail("'%s' is taken", cases[i]);
		check_str(out.data, "before");
		check_int(out.len, 6);
	}
}

static void test_base64_all_bytes_at_all_lengths(void)
{
	uint8_t bytes[256];

	for (int i = 0; i < 256; i++)
		bytes[i] = (uint8_t)i;
	for (size_t len = 0; len <= sizeof(bytes); len++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;

		kb_base64_encode(&text, bytes, len);
		check_int(text.len, (len + 2) / 3 * 4);
		check(kb_base64_decode(&again, text.data));
		check_int(again.len, len);
		check(!memcmp(again.data, bytes, len));
	}
}

static void test_pae_known_answers(void)
{
	/* The first vector with a name is that of DSSE's protocol.md. */
	static const struct {
		const char *type, *body, *pae;
	} known[] = {
		{ "", "", "DSSEv1 0  0 " },
		{ "http://example.com/HelloWorld", "hello world",
		  "DSSEv1 29 http://example.com/HelloWorld 11 hello world" },
		{ "a", " 1 b", "DSSEv1 1 a 4  1 b" },
		{ "\xc3\xa9", "\n", "DSSEv1 2 \xc3\xa9 1 \n" },
		{ "ten-bytes-", "0123456789",
		  "DSSEv1 10 ten-bytes- 10 0123456789" },
	};
	kb_auto(buf) struct kb_buf nul = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_envelope_add_pae(&out, known[i].type, known[i].body,
				    strlen(known[i].body));
		check_str(out.data, known[i].pae);
	}
	kb_envelope_add_pae(&nul, "t", "\0\0", 2);
	check_int(nul.len, 15);
	check(!memcmp(nul.data, "DSSEv1 1 t 2 \0\0", 15));
}

static void test_ed25519_known_answers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(vectors); i++) {
		struct kb_secret_key key = secret((int)i);
		uint8_t message[2], signature[KB_ED25519_SIGNATURE_BYTES];
		size_t len = strlen(vectors[i].message) / 2;
		char hex[2 * KB_ED25519_SIGNATURE_BYTES + 1];

		check(kb_hex_parse(message, len, vectors[i].message));
		kb_hex_format(hex, key.public.bytes, KB_ED25519_KEY_BYTES);
		check_str(hex, vectors[i].public);
		kb_ed25519_sign(signature, &key, message, len);
		kb_hex_format(hex, signature, sizeof(signature));
		check_str(hex, vectors[i].signature);
		check(kb_ed25519_verify(&key.public, signature, message, len));
		kb_digest_format(&key.public.id, hex);
		if (vectors[i].key_id)
			check_str(hex, vectors[i].key_id);
	}
}

static void test_ed25519_every_bit_counts(void)
{
	struct kb_secret_key alice = secret(ALICE), bob = secret(BOB);
	uint8_t good[KB_ED25519_SIGNATURE_BYTES];
	uint8_t bent[KB_ED25519_SIGNATURE_BYTES];

	kb_ed25519_sign(good, &alice, "abc", 3);
	check(!kb_ed25519_verify(&bob.public, good, "abc", 3));
	check(!kb_ed25519_verify(&alice.public, good, "abd", 3));
	check(!kb_ed25519_verify(&alice.public, good, "ab", 2));
	for (size_t i = 0; i < 8 * sizeof(good); i++) {
		memcpy(bent, good, sizeof(good));
		bent[i / 8] ^= (uint8_t)(1 << i % 8);
		check(!kb_ed25519_verify(&alice.public, bent, "abc", 3));
	}
}

static void test_a_released_key_is_wiped(void)
{
	struct kb_secret_key key = secret(ALICE), zero;

	memset(&zero, 0, sizeof(zero));
	kb_secret_key_release(&key);
	check(!memcmp(&key, &zero, sizeof(key)));
}

#define ALICE_PUBLIC_BASE64 \
	"MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
#define P256_PUBLIC_BASE64 \
	"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEiXem7wMOpzxjHOoL6p2bdy1p9w6/\n" \
	"4H8hLxnPGjDIdsgTzb7uY4zhibogXE8usAXcwGHl2yeA+aupfRmNFaCaFA=="
#define X25519_PUBLIC_BASE64 \
	"MCowBQYDK2VuAyEA/dHhDF2WojvBPx+L8GFE9+aG43mwxJ61PGnG9cp4AT0="

static void test_public_key_takes_one_in_pem(void)
{
	static const char *const cases[] = {
		PUBLIC_PEM(ALICE_PUBLIC_BASE64),
		"Alice's\n" PUBLIC_PEM(ALICE_PUBLIC_BASE64) "since 2017\n",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_public_key key;
		char hex[KB_DIGEST_HEX_SIZE];

		check_int(kb_public_key_parse(&key, cases[i], strlen(cases[i]),
					      "key", NULL), 0);
		kb_digest_format(&key.id, hex);
		check_str(hex, vectors[ALICE].key_id);
	}
}

static void test_public_key_rejects(void)
{
	static const char not_pem[] = "'key' is not a public key in PEM";
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", not_pem },
		{ "\n", not_pem },
		{ ALICE_PUBLIC_BASE64, not_pem },
		{ "-----BEGIN PUBLIC KEY-----\n", not_pem },
		{ "-----BEGIN PUBLIC KEY-----\n" ALICE_PUBLIC_BASE64 "\n",
		  not_pem },
		{ PUBLIC_PEM(""), not_pem },
		{ PUBLIC_PEM("MCow"), not_pem },
		{ "-----BEGIN PRIVATE KEY-----\n"
		  "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
		  "-----END PRIVATE KEY-----\n", not_pem },
		{ PUBLIC_PEM(P256_PUBLIC_BASE64),
		  "'key' is a key of type EC, want ED25519" },
		{ PUBLIC_PEM(X25519_PUBLIC_BASE64),
		  "'key' is a key of type X25519, want ED25519" },
		{ PUBLIC_PEM(ALICE_PUBLIC_BASE64)
		  PUBLIC_PEM(ALICE_PUBLIC_BASE64),
		  "'key' holds more than one key" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_public_key key;

		check_int(kb_public_key_parse(&key, cases[i].text,
					      strlen(cases[i].text), "key",
					      &err), -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

static void test_secret_key_rejects(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "'key' is not a private key in PEM" },
		{ PUBLIC_PEM(ALICE_PUBLIC_BASE64),
		  "'key' is not a private key in PEM" },
		{ "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
		  "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAc\n",
		  "'key' is not a private key in PEM" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_secret_key key = KB_SECRET_KEY_INIT;

		check_int(kb_secret_key_parse(&key, cases[i].text,
					      strlen(cases[i].text), "key",
					      &err), -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

static void seal(struct kb_buf *out, const char *payload, int who)
{
	kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
	struct kb_secret_key key = secret(who);

	kb_buf_addstr(&e.payload, payload);
	kb_envelope_sign(&e, &key);
	kb_envelope_print(out, &e);
}

#define KEYID "\"keyid\":\"06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9\""
#define SIG "\"sig\":\"FvGDbJdqPO9Hdwxf2q0S8gd6uTFGt4u2ZUpHdAYvRhMl7xfGYfqpRMAEDSW3DYgWEvdrnIbPj5NI/bqSHTBKBg==\""
#define PAYLOAD "\"payload\":\"aGVsbG8=\""
#define TYPE "\"payloadType\":\"application/vnd.in-toto+json\""

static void test_envelope_prints_what_it_was_read_from(void)
{
	static const char *const payloads[] = { "", "{}", "hello", "\n\t\"" };

	for (size_t i = 0; i < KB_ARRAY_LEN(payloads); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
		kb_auto(envelope) struct kb_envelope e = KB_ENVELOPE_INIT;
		struct kb_secret_key alice = secret(ALICE), bob = secret(BOB);
		struct kb_err err = KB_ERR_INIT;

		seal(&text, payloads[i], ALICE);
		check_int(kb_envelope_parse(&e, text.data, text.len, "e", NULL),
			  0);
		check_str(e.payload.data, payloads[i]);
		kb_envelope_print(&again, &e);
		check_str(again.data, text.data);
		check_int(kb_envelope_verify(&e, &alice.public, "e", NULL), 0);

		check_int(kb_envelope_verify(&e, &bob.public, "e", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, "e: 'keyid' is another key's, "
			  "'06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9'");
		e.key_id = bob.public.id;
		check_int(kb_envelope_verify(&e, &bob.public, "e", &err),
			  -KB_ERR_CORRUPT);
		check_str(err.msg, "e: the key did not sign this payload");
	}
}

static void test_envelope_rejects(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "cannot parse 'e': ends too soon at byte 0" },
		{ "[]", "e: is an array, want an object" },
		{ "{}", "e: 'payloadType' is missing" },
		{ "{" TYPE "}", "e: 'payload' is missing" },
		{ "{\"payload\":\"\",\"payloadType\":\"text/plain\",\"signatures\":[]}",
		  "e: 'payloadType' is 'text/plain', want 'application/vnd.in-toto+json'" },
		{ "{\"payload\":\"\",\"payloadType\":\"x\\n\\u001b\"}",
		  "e: 'payloadType' is 'x?" "?', want 'application/vnd.in-toto+json'" },
		{ "{\"payload\":\"aGVsbG8\"," TYPE ",\"signatures\":[]}",
		  "e: 'payload' is not base64" },
		{ "{\"payload\":\"aGVs\\nbG8=\"," TYPE ",\"signatures\":[]}",
		  "e: 'payload' is not base64" },
		{ "{\"payload\":1," TYPE ",\"signatures\":[]}",
		  "e: 'payload' is an integer, want a string" },
		{ "{" PAYLOAD "," TYPE "}", "e: 'signatures' is missing" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":{}}",
		  "e: 'signatures' is an object, want an array" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[]}",
		  "e: has 0 signatures, want 1" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "},{" KEYID "," SIG "}]}",
		  "e: has 2 signatures, want 1" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" SIG "}]}",
		  "e: 'keyid' is missing" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{\"keyid\":\"06E3\"," SIG "}]}",
		  "e: 'keyid' is not 64 lower-case hex digits" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "}]}",
		  "e: 'sig' is missing" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID ",\"sig\":\"aGVsbG8=\"}]}",
		  "e: 'sig' is of 5 bytes, want 64" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID ",\"sig\":\"-_-_\"}]}",
		  "e: 'sig' is not base64" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{\"cert\":\"\"," KEYID "," SIG "}]}",
		  "e: 'cert' is not a known member" },
		{ "{\"note\":\"\"," PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}",
		  "e: 'note' is not a known member" },
		{ "{" PAYLOAD "," PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}",
		  "cannot parse 'e': key at byte 22 repeats the one at byte 1" },
		{ "{" TYPE "," PAYLOAD ",\"signatures\":[{" KEYID "," SIG "}]}",
		  "cannot parse 'e': not canonical at byte 9" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}\n",
		  "cannot parse 'e': not canonical at byte 256" },
		{ "{" PAYLOAD "," TYPE ",\"signatures\":[{" KEYID "," SIG "}]}{}",
		  "cannot parse 'e': more after the value at byte 256" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_envelope e = KB_ENVELOPE_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_envelope_parse(&e, cases[i].text,
					    strlen(cases[i].text), "e", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define V1 "\"_type\":\"https://in-toto.io/Statement/v1\""
#define TOOL "\"tool\":{\"git_commit\":null,\"git_dirty\":null,\"name\":\"kb-sign\",\"version\":\"0.1.0\"}"
#define PREDICATE_OF(kind, version, parents, time)			\
	"\"predicate\":{\"kind\":\"" kind "\",\"parents\":[" parents "],"	\
	"\"schema_version\":" version ",\"time\":" time "," TOOL "}"
#define PREDICATE(kind, parents, time) PREDICATE_OF(kind, "1", parents, time)
#define SUITE PREDICATE("suite", "", "null")
#define PREDICATE_TYPE "\"predicateType\":\"urn:kb:signed-bundle:v1\""
#define SUBJECT(id, name)					\
	"\"subject\":[{\"digest\":{\"sha256\":\"" id "\"},\"name\":\"" name "\"}]"
#define PARENT(id, kind) "{\"id\":\"" id "\",\"kind\":\"" kind "\"}"
#define STATEMENT(predicate) \
	"{" V1 "," predicate "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}"

static void test_statement_prints_what_it_was_read_from(void)
{
	static const char *const cases[] = {
		STATEMENT(SUITE),
		STATEMENT(PREDICATE("suite", "", "\"2026-11-21T12:00:00Z\"")),
		STATEMENT(PREDICATE("submission", "", "null")),
		STATEMENT(PREDICATE_OF("baseline", "2",
				       PARENT(B64, "suite"), "null")),
		STATEMENT(PREDICATE_OF("evaluation", "2",
				       PARENT(B64, "suite") ","
				       PARENT(A64, "submission"), "null")),
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_statement_parse(&s, cases[i], strlen(cases[i]),
					     "s", &err), 0);
		check_str(err.msg, "");
		if (err.kind)
			continue;
		kb_statement_print(&again, &s);
		check_str(again.data, cases[i]);
	}
}

static void test_statement_rejects(void)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", "cannot parse 's': ends too soon at byte 0" },
		{ "\"\"", "s: is a string, want an object" },
		{ "{}", "s: '_type' is missing" },
		{ "{\"_type\":\"https://in-toto.io/Statement/v0.1\"," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "s: '_type' is 'https://in-toto.io/Statement/v0.1', want 'https://in-toto.io/Statement/v1'" },
		{ "{" V1 "," SUITE ",\"predicateType\":\"https://slsa.dev/provenance/v1\"," SUBJECT(A64, A64) "}",
		  "s: 'predicateType' is 'https://slsa.dev/provenance/v1', want 'urn:kb:signed-bundle:v1'" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE "}",
		  "s: 'subject' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[]}",
		  "s: has 0 subjects, want 1" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{},{}]}",
		  "s: has 2 subjects, want 1" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"name\":\"" A64 "\"}]}",
		  "s: 'digest' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"digest\":{},\"name\":\"" A64 "\"}]}",
		  "s: 'sha256' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"digest\":{\"sha256\":\"" A64 "\",\"sha512\":\"\"},\"name\":\"" A64 "\"}]}",
		  "s: 'sha512' is not a known member" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE ",\"subject\":[{\"digest\":{\"sha256\":\"" A64 "\"}}]}",
		  "s: 'name' is missing" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, B64) "}",
		  "s: the subject's name is not its digest" },
		{ "{" V1 "," SUITE "," PREDICATE_TYPE "," SUBJECT("00", "00") "}",
		  "s: 'name' is not 64 lower-case hex digits" },
		{ "{" V1 "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "s: 'predicate' is missing" },
		{ STATEMENT("\"predicate\":null"),
		  "s: 'predicate' is null, want an object" },
		{ STATEMENT("\"predicate\":{}"), "s: 'kind' is missing" },
		{ STATEMENT(PREDICATE("secret", "", "null")),
		  "s: 'kind' is 'secret', which is not known" },
		{ STATEMENT(PREDICATE("suite", PARENT(A64, "suite"), "null")),
		  "s: has 1 parents, want 0 for a suite" },
		{ STATEMENT(PREDICATE("baseline", PARENT(A64, "score"), "null")),
		  "s: a parent's kind is 'score', want 'suite'" },
		{ STATEMENT(PREDICATE("suite", "", "0")),
		  "s: 'time' is an integer, want a string" },
		{ STATEMENT(PREDICATE("suite", "", "\"\"")),
		  "s: 'time' is empty" },
		{ STATEMENT(PREDICATE("suite", "", "\"2026-11-21\"")),
		  "s: 'time' is not of the form 2026-11-21T12:00:00Z" },
		{ STATEMENT(PREDICATE("suite", "", "\"2026-13-21T12:00:00Z\"")),
		  "s: 'time' is not of the form 2026-11-21T12:00:00Z" },
		{ "{" V1 ",\"note\":1," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "s: 'note' is not a known member" },
		{ "{" V1 "," SUITE "," SUITE "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "cannot parse 's': key at byte 195 repeats the one at byte 43" },
		{ "{" SUITE "," V1 "," PREDICATE_TYPE "," SUBJECT(A64, A64) "}",
		  "cannot parse 's': not canonical at byte 2" },
		{ STATEMENT(SUITE) " ",
		  "cannot parse 's': not canonical at byte 412" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_statement s = KB_STATEMENT_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_statement_parse(&s, cases[i].text,
					     strlen(cases[i].text), "s", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
}

static void test_names_of_signatures(void)
{
	static const struct {
		const char *path;
		bool is;
	} cases[] = {
		{ "", false },
		{ ".dsse.json", false },
		{ A64, false },
		{ A64 ".dsse.json", false },
		{ A64 "." B64 ".dsse.json", true },
		{ "x/" A64 "." B64 ".dsse.json", true },
		{ "/" A64 "." B64 ".dsse.json", true },
		{ A64 "." B64 ".dsse.json/", false },
		{ A64 "." B64 ".dsse.jso", false },
		{ A64 "." B64 ".dsse.jsonx", false },
		{ A64 "-" B64 ".dsse.json", false },
		{ A64 "." B64, false },
		{ "a" A64 "." B64 ".dsse.json", false },
		{ A64 "." B64 "b.dsse.json", false },
		{ "A" A64 "." B64 ".dsse.json", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		if (kb_signature_is_named(cases[i].path) != cases[i].is)
			tap_fail("'%s' is %s", cases[i].path,
				 cases[i].is ? "not known" : "taken");
}

/* A bundle in the store "s" that is no more than a record's head; `file`
 * makes it another one. */
static void make_bundle(struct kb_bundle *b, const char *file)
{
	static const char record[] =
		"{\"kind\":\"suite\",\"parents\":[],\"schema_version\":1}";
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	kb_auto(mem) char *path = NULL;
	struct kb_digest id;

	if (kb_bundle_writer_new(&w, "s", NULL) < 0 ||
	    kb_bundle_writer_add(w, KB_BUNDLE_RECORD, record,
				 sizeof(record) - 1, NULL) < 0 ||
	    kb_bundle_writer_add(w, file, "", 0, NULL) < 0 ||
	    kb_bundle_writer_commit(w, &id, NULL) < 0)
		KB_BUG("cannot make a bundle");
	kb_digest_format(&id, hex);
	path = kb_xasprintf("s/%s", hex);
	if (kb_bundle_open(b, path, NULL) < 0)
		KB_BUG("cannot open a bundle");
}

static char *sign_it(const struct kb_bundle *b, int who)
{
	kb_auto(statement) struct kb_statement s = KB_STATEMENT_INIT;
	struct kb_secret_key key = secret(who);
	char *path = NULL;

	check_int(kb_statement_of(&s, b, NULL), 0);
	s.tool = kb_json_object();
	kb_json_set_string(s.tool, "git_commit", NULL);
	kb_json_set_string(s.tool, "git_dirty", NULL);
	kb_json_set_string(s.tool, "name", "u-sign");
	kb_json_set_string(s.tool, "version", "0");
	check_int(kb_signature_write(&path, b, &s, &key, NULL), 0);
	return path;
}

static void test_signature_is_found_and_the_bundle_unchanged(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(bundle) struct kb_bundle again = KB_BUNDLE_INIT;
	kb_auto(signers) struct kb_signers none = KB_SIGNERS_INIT;
	kb_auto(signers) struct kb_signers both = KB_SIGNERS_INIT;
	kb_auto(mem) char *by_bob = NULL, *by_alice = NULL, *name = NULL;
	kb_auto(buf) struct kb_buf read = KB_BUF_INIT, written = KB_BUF_INIT;
	struct kb_secret_key alice = secret(ALICE), bob = secret(BOB);
	static const struct kb_digest nobody;

	scratch_enter();
	make_bundle(&b, "data/a");
	check_int(kb_signature_list(&none, &b, NULL), 0);
	check_int(none.count, 0);
	check_int(kb_signature_check(&b, &alice.public, NULL),
		  -KB_ERR_MISSING);

	by_bob = sign_it(&b, BOB);
	check_int(kb_signature_check(&b, &alice.public, NULL),
		  -KB_ERR_MISSING);
	by_alice = sign_it(&b, ALICE);
	check_int(kb_signature_check(&b, &alice.public, NULL), 0);
	check_int(kb_signature_check(&b, &bob.public, NULL), 0);
	check(kb_signature_is_named(by_alice));
	check_int(kb_signature_list(&both, &b, NULL), 0);
	check_int(both.count, 2);
	check(kb_digest_equal(&both.key_ids[0], &alice.public.id));
	check(kb_digest_equal(&both.key_ids[1], &bob.public.id));
	check_int(kb_bundle_open(&again, b.path, NULL), 0);
	check(kb_digest_equal(&again.id, &b.id));

	name = kb_signature_name(&b, &alice.public.id);
	check(strstr(by_alice, name) != NULL);
	check_int(kb_signature_read(&read, &b, &alice.public.id, NULL), 0);
	scratch_read(&written, by_alice);
	check_str(read.data, written.data);
	check_int(kb_signature_read(&read, &b, &nobody, NULL),
		  -KB_ERR_MISSING);
	check_str(read.data, written.data);
	scratch_leave();
}

static void test_signing_again_gives_the_same_bytes(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf second = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL, *again = NULL;

	scratch_enter();
	make_bundle(&b, "data/a");
	path = sign_it(&b, ALICE);
	scratch_read(&first, path);
	again = sign_it(&b, ALICE);
	scratch_read(&second, again);
	check_str(again, path);
	check_str(second.data, first.data);
	scratch_leave();
}

static void test_signature_of_another_bundle(void)
{
	kb_auto(bundle) struct kb_bundle a = KB_BUNDLE_INIT;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *of_a = NULL, *of_b = NULL, *message = NULL;
	struct kb_secret_key alice = secret(ALICE);
	struct kb_err err = KB_ERR_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	scratch_enter();
	make_bundle(&a, "data/a");
	make_bundle(&b, "data/b");
	of_a = sign_it(&a, ALICE);
	of_b = sign_it(&b, ALICE);
	check_int(rename(of_a, of_b), 0);
	check_int(kb_signature_check(&b, &alice.public, &err), -KB_ERR_INPUT);
	kb_digest_format(&a.id, hex);
	message = kb_xasprintf("'%s': statement: it is about another bundle, '%s'",
			       of_b, hex);
	check_str(err.msg, message);
	scratch_leave();
}

/* Where the signature of what is opened as `path` is, seen from there. */
static void check_place(const char *from, const char *path, const char *want)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *got = NULL;
	char hex[KB_DIGEST_HEX_SIZE];

	if (chdir(from) < 0 || kb_bundle_open(&b, path, NULL) < 0)
		KB_BUG("cannot open a bundle");
	got = sign_it(&b, ALICE);
	kb_digest_format(&b.id, hex);
	if (!strstr(got, hex))
		tap_fail("no id in '%s'", got);
	else
		*strstr(got, hex) = '\0';
	check_str(got, want);
}

static void test_signature_is_beside_however_the_bundle_is_called(void)
{
	static const struct {
		const char *from, *path, *want;
	} cases[] = {
		{ ".", "bag", "./" },
		{ ".", "./bag", "./" },
		{ ".", "bag/", "./" },
		{ ".", "bag//", "./" },
		{ "bag", ".", "./../" },
		{ ".", "./", "./../" },
		{ ".", "../bag", "../" },
		{ "data", "..", "../../" },
		{ ".", "../../bag/.", "../../bag/./../" },
		{ "../..", ".//bag", "./" },
	};
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;

	scratch_enter();
	make_bundle(&b, "data/a");
	check_int(rename(b.path, "bag"), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		check_place(cases[i].from, cases[i].path, cases[i].want);
	scratch_leave();
}

TAP_MAIN(TAP(test_base64_known_answers_and_back),
	 TAP(test_base64_rejects),
	 TAP(test_base64_all_bytes_at_all_lengths),
	 TAP(test_pae_known_answers),
	 TAP(test_ed25519_known_answers),
	 TAP(test_ed25519_every_bit_counts),
	 TAP(test_a_released_key_is_wiped),
	 TAP(test_public_key_takes_one_in_pem),
	 TAP(test_public_key_rejects),
	 TAP(test_secret_key_rejects),
	 TAP(test_envelope_prints_what_it_was_read_from),
	 TAP(test_envelope_rejects),
	 TAP(test_statement_prints_what_it_was_read_from),
	 TAP(test_statement_rejects),
	 TAP(test_names_of_signatures),
	 TAP(test_signature_is_found_and_the_bundle_unchanged),
	 TAP(test_signing_again_gives_the_same_bytes),
	 TAP(test_signature_of_another_bundle),
	 TAP(test_signature_is_beside_however_the_bundle_is_called));
