#include "store/digest.h"

#include <fcntl.h>

#include "base/err.h"
#include "lib/scratch.h"
#include "lib/tap.h"

/* FIPS 180-4 examples; the names are the contract, so they are literal. */
static const struct {
	const char *text;
	const char *hex;
} known[] = {
	{ "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
	{ "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
	{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
	  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
};

#define MILLION_A_HEX \
	"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

#define NOT_64 "is not 64 hex digits"
#define BAD_CHARACTER "has a character other than 0-9 a-f"

static const struct {
	const char *hex;
	const char *message;
} rejected[] = {
	{ "", "digest '' " NOT_64 },
	{ "ba7816bf", "digest 'ba7816bf' " NOT_64 },
	{ "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0",
	  "digest 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad0' " NOT_64 },
	{ "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD",
	  "digest "
	  "'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD' " BAD_CHARACTER },
	{ "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a\x1b",
	  "digest "
	  "'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a?' " BAD_CHARACTER },
};

static void check_digest(const struct kb_digest *d, const char *want)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(d, hex);
	check_str(hex, want);
}

static void test_known_answers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		struct kb_digest d;

		kb_digest_of(&d, known[i].text, strlen(known[i].text));
		check_digest(&d, known[i].hex);
	}
}

static void test_hasher_does_not_care_how_bytes_are_cut(void)
{
	const char *text = known[2].text;
	size_t len = strlen(text);

	for (size_t cut = 0; cut <= len; cut++) {
		kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();
		struct kb_digest d;

		kb_hasher_add(h, text, cut);
		kb_hasher_add(h, text + cut, len - cut);
		kb_hasher_finish(h, &d);
		check_digest(&d, known[2].hex);
	}
}

static void test_file_larger_than_one_read(void)
{
	kb_auto(mem) char *million = kb_xmalloc(1000000);
	kb_auto(fd) int fd = -1;
	uint64_t size_bytes = 0;
	struct kb_digest d;

	scratch_enter();
	memset(million, 'a', 1000000);
	scratch_write("million", million, 1000000);

	fd = open("million", O_RDONLY | O_CLOEXEC);
	check_int(kb_digest_of_fd(&d, fd, "million", &size_bytes, NULL), 0);
	check_int(size_bytes, 1000000);
	check_digest(&d, MILLION_A_HEX);
	scratch_leave();
}

static void test_unreadable_descriptor_is_named(void)
{
	kb_auto(fd) int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest d;

	check_int(kb_digest_of_fd(&d, fd, "x", NULL, &err), -KB_ERR_SYS);
	check_str(err.msg, "cannot read 'x': Is a directory");
}

static void test_parse_is_inverse_of_format(void)
{
	struct kb_digest d;

	check_int(kb_digest_parse(&d, known[1].hex, NULL), 0);
	check_digest(&d, known[1].hex);
}

static void test_parse_rejects(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rejected); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_digest d;

		check_int(kb_digest_parse(&d, rejected[i].hex, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, rejected[i].message);
	}
}

static void test_equal_compares_all_bytes(void)
{
	struct kb_digest a, b;

	kb_digest_of(&a, "", 0);
	b = a;
	check(kb_digest_equal(&a, &b));
	for (size_t i = 0; i < KB_DIGEST_SIZE; i++) {
		b = a;
		b.bytes[i] ^= 1;
		check(!kb_digest_equal(&a, &b));
	}
}

TAP_MAIN(TAP(test_known_answers),
	 TAP(test_hasher_does_not_care_how_bytes_are_cut),
	 TAP(test_file_larger_than_one_read),
	 TAP(test_unreadable_descriptor_is_named),
	 TAP(test_parse_is_inverse_of_format),
	 TAP(test_parse_rejects),
	 TAP(test_equal_compares_all_bytes));
