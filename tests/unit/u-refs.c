#include "store/refs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/scratch.h"
#include "lib/tap.h"

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define CHARACTERS "a bundle's name has letters, digits and ._+-, the first of " \
		   "them a letter or a digit: not "

static struct kb_digest id_of(const char *hex)
{
	struct kb_digest id;

	check_int(kb_digest_parse(&id, hex, NULL), 0);
	return id;
}

static void test_names_are_neither_ids_nor_paths(void)
{
	static const struct {
		const char *name, *why;		/* NULL: it is one */
		bool is_last;
	} rows[] = {
		{ "a", NULL, false },
		{ "h200-eager", NULL, false },
		{ "0", NULL, false },
		{ "kernelbench-0.2_x+y", NULL, false },
		{ "abcdef0", NULL, false },	/* too short for an id */
		{ "abcdef0x", NULL, false },
		{ "ABCDEF01", NULL, false },
		{ "x" A64, "a bundle's name has 1 to 64 characters, and 'x" A64
			   "' has 65", false },
		{ "", "a bundle's name has 1 to 64 characters, and '' has 0",
		  false },
		{ "abcdef01", "'abcdef01' could be the beginning of an id, and "
			      "so is no name", false },
		{ A64, "'" A64 "' could be the beginning of an id, and so is "
		       "no name", false },
		{ ".", CHARACTERS "'.'", false },
		{ "..", CHARACTERS "'..'", false },
		{ "-x", CHARACTERS "'-x'", false },
		{ "a/b", CHARACTERS "'a/b'", false },
		{ "a b", CHARACTERS "'a b'", false },
		{ "a\n", CHARACTERS "'a\n'", false },
		{ "\xc3\xa4", CHARACTERS "'\xc3\xa4'", false },
		{ "@last", CHARACTERS "'@last'", true },
		{ "@last:score", CHARACTERS "'@last:score'", true },
		{ "@last:", CHARACTERS "'@last:'", false },
		{ "@last:a/b", CHARACTERS "'@last:a/b'", false },
		{ "@lastly", CHARACTERS "'@lastly'", false },
		{ "@", CHARACTERS "'@'", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_ref_check(rows[i].name, &err),
			  rows[i].why ? -KB_ERR_INPUT : 0);
		check_str(err.msg, rows[i].why ? rows[i].why : "");
		check_int(kb_ref_is_possible(rows[i].name),
			  !rows[i].why || rows[i].is_last);
	}
}

static void check_name(const char *name, const char *want)
{
	struct kb_digest id;
	char hex[KB_DIGEST_HEX_SIZE] = "none";

	if (kb_ref_get(&id, "s", name, NULL) == 1)
		kb_digest_format(&id, hex);
	check_str(hex, want);
}

static void test_a_name_stands_for_what_it_was_set_to_last(void)
{
	const struct kb_digest a = id_of(A64), b = id_of(B64);
	struct kb_digest was;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	check_name("x", "none");
	check_int(kb_ref_set("s", "x", &a, &was, NULL), 0);
	check_name("x", A64);
	check_int(kb_ref_set("s", "x", &a, &was, NULL), 0);
	check_int(kb_ref_set("s", "x", &b, &was, NULL), 1);
	check(kb_digest_equal(&was, &a));
	check_name("x", B64);
	check_int(kb_ref_set("s", "@last:suite", &a, &was, NULL), 0);
	check_name("@last:suite", A64);
	check_name("@last", "none");

	check_int(kb_ref_set("s", "../x", &a, &was, &err), -KB_ERR_INPUT);
	check_str(err.msg, "'../x' cannot be a bundle's name");
	check_int(access("s/x", F_OK), -1);
	check_name("../.names/x", "none");

	check_int(kb_ref_remove("s", "x", NULL), 0);
	check_name("x", "none");
	check_int(kb_ref_remove("s", "x", &err), -KB_ERR_MISSING);
	check_str(err.msg, "store 's' has no name 'x'");
	check_int(kb_ref_remove("s", "../x", &err), -KB_ERR_MISSING);
	scratch_leave();
}

/* Colons are not for every file system; stores of 0.2.0 have them. */
static void test_a_last_of_a_kind_has_a_file_without_a_colon(void)
{
	const struct kb_digest b = id_of(B64);
	kb_auto(refs) struct kb_refs refs = KB_REFS_INIT;
	struct kb_digest was;

	scratch_enter();
	check_int(mkdir("s", 0777), 0);
	check_int(mkdir("s/.names", 0777), 0);
	scratch_print("s/.names/@last:suite", A64 "\n");
	check_name("@last:suite", A64);
	check_name("@last-suite", "none");

	check_int(kb_ref_set("s", "@last:suite", &b, &was, NULL), 1);
	check_int(access("s/.names/@last-suite", F_OK), 0);
	check_int(access("s/.names/@last:suite", F_OK), -1);
	check_name("@last:suite", B64);

	/* Of an earlier release that was run again. */
	scratch_print("s/.names/@last:suite", A64 "\n");
	check_name("@last:suite", A64);
	check_int(kb_refs_list(&refs, "s", NULL), 0);
	check_int(refs.count, 1);
	check_str(refs.items[0], "@last:suite");

	check_int(kb_ref_remove("s", "@last:suite", NULL), 0);
	check_name("@last:suite", "none");
	check_int(kb_ref_remove("s", "@last:suite", NULL), -KB_ERR_MISSING);
	scratch_leave();
}

static void test_a_file_that_holds_no_id_is_told(void)
{
	static const struct {
		const char *text;
		int ret;
	} rows[] = {
		{ A64 "\n", 1 },
		{ "", -KB_ERR_CORRUPT },
		{ A64, -KB_ERR_CORRUPT },
		{ A64 "\n\n", -KB_ERR_CORRUPT },
		{ A64 "\nmore", -KB_ERR_CORRUPT },
		{ "A" A64, -KB_ERR_CORRUPT },
		{ "gaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
		  -KB_ERR_CORRUPT },
	};
	struct kb_digest id, was;

	scratch_enter();
	check_int(mkdir("s", 0777), 0);
	check_int(mkdir("s/.names", 0777), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_err err = KB_ERR_INIT;

		scratch_print("s/.names/x", rows[i].text);
		check_int(kb_ref_get(&id, "s", "x", &err), rows[i].ret);
		if (rows[i].ret < 0)
			check_str(err.msg,
				  "name 'x': 's/.names/x' holds no id");
	}
	/* It may be set again. */
	id = id_of(B64);
	check_int(kb_ref_set("s", "x", &id, &was, NULL), 0);
	check_name("x", B64);
	scratch_leave();
}

static void test_all_names_are_listed_in_order(void)
{
	const struct kb_digest a = id_of(A64);
	kb_auto(refs) struct kb_refs names = KB_REFS_INIT;
	struct kb_digest was;

	scratch_enter();
	check_int(kb_refs_list(&names, "s", NULL), 0);
	check_int((int)names.count, 0);
	kb_ref_set("s", "b", &a, &was, NULL);
	kb_ref_set("s", "a", &a, &was, NULL);
	kb_ref_set("s", "@last", &a, &was, NULL);
	/* What a dead writer left, and what somebody else put there. */
	scratch_print("s/.names/" KB_FILE_TEMP_PREFIX "0", "");
	scratch_print("s/.names/not a name", "");
	check_int(kb_refs_list(&names, "s", NULL), 0);
	check_int((int)names.count, 3);
	if (names.count == 3) {
		check_str(names.items[0], "@last");
		check_str(names.items[1], "a");
		check_str(names.items[2], "b");
	}
	scratch_leave();
}

TAP_MAIN(TAP(test_names_are_neither_ids_nor_paths),
	 TAP(test_a_name_stands_for_what_it_was_set_to_last),
	 TAP(test_a_last_of_a_kind_has_a_file_without_a_colon),
	 TAP(test_a_file_that_holds_no_id_is_told),
	 TAP(test_all_names_are_listed_in_order));
