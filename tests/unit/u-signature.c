/* The files that signatures are, beside the bundles that they are of. */

#include "sign/signature.h"

#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "sign/envelope.h"
#include "sign/statement.h"
#include "store/bundle.h"
#include "unit/sign_keys.h"

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

TAP_MAIN(TAP(test_names_of_signatures),
	 TAP(test_signature_is_found_and_the_bundle_unchanged),
	 TAP(test_signing_again_gives_the_same_bytes),
	 TAP(test_signature_of_another_bundle),
	 TAP(test_signature_is_beside_however_the_bundle_is_called));
