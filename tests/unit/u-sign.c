/* Base64, and keys. */

#include "sign/ed25519.h"

#include "lib/tap.h"
#include "sign/base64.h"
#include "unit/sign_keys.h"

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
		/* A byte behind it, one that it lacks, parameters, and a type
		 * that nobody has. */
		{ PUBLIC_PEM("MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMl"
			     "rwIaaPcHURoA"), not_pem },
		{ PUBLIC_PEM("MCkwBQYDK2VwAyAA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMl"
			     "rwIaaPcHUQ=="), not_pem },
		{ PUBLIC_PEM("MCwwBwYDK2VwBQADIQDXWpgBgrEKt9VL/tPJZAc6DuFy89qm"
			     "IyWvAhpo9wdRGg=="), not_pem },
		{ PUBLIC_PEM("MCowBQYDK2UBAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMl"
			     "rwIaaPcHURo="), not_pem },
		{ "-----BEGIN PRIVATE KEY-----\n"
		  "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
		  "-----END PRIVATE KEY-----\n", not_pem },
		{ "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
		  "MCow\n"
		  "-----END ENCRYPTED PRIVATE KEY-----\n", not_pem },
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

#define SECRET_PEM(base64)						\
	"-----BEGIN PRIVATE KEY-----\n" base64 "\n"			\
	"-----END PRIVATE KEY-----\n"

static void test_secret_key_rejects(void)
{
	static const char not_pem[] = "'key' is not a private key in PEM";
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "", not_pem },
		{ PUBLIC_PEM(ALICE_PUBLIC_BASE64), not_pem },
		{ "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
		  "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAc\n",
		  not_pem },
		{ "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
		  "MIGb\n"
		  "-----END ENCRYPTED PRIVATE KEY-----\n",
		  "'key' is protected by a passphrase, want a key without one" },
		{ SECRET_PEM("MC4C"), not_pem },
		/* A byte behind it, one that it lacks, and parameters. */
		{ SECRET_PEM("MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVp"
			     "ezJpGXA7rAMcrn9gAA=="), not_pem },
		{ SECRET_PEM("MC0CAQAwBQYDK2VwBCEEH51hsZ3v/VpguoRK9JLsLMREScVp"
			     "ezJpGXA7rAMcrn8="), not_pem },
		{ SECRET_PEM("MDACAQAwBwYDK2VwBQAEIgQgnWGxne/9WmC6hEr0kuwsxERJ"
			     "xWl7MmkZcDusAxyuf2A="), not_pem },
		{ SECRET_PEM("MC4CAQAwBQYDK2VuBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVp"
			     "ezJpGXA7rAMcrn9g"),
		  "'key' is a key of type X25519, want ED25519" },
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

TAP_MAIN(TAP(test_base64_known_answers_and_back), TAP(test_base64_rejects),
	 TAP(test_base64_all_bytes_at_all_lengths),
	 TAP(test_ed25519_known_answers), TAP(test_ed25519_every_bit_counts),
	 TAP(test_a_released_key_is_wiped),
	 TAP(test_public_key_takes_one_in_pem), TAP(test_public_key_rejects),
	 TAP(test_secret_key_rejects));
