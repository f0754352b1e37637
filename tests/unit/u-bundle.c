#include "store/bundle.h"

#include <errno.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "lib/tiny.h"
#include "store/bag.h"
#include "store/gunzip.h"
#include "store/name.h"

#define HEX TINY_EMPTY_HEX
#define LINE(name) HEX "  " name "\n"

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define HUNDRED FIFTY FIFTY

#define BAD_CHARACTER "has a character other than A-Z a-z 0-9 . _ - /"

static const char *const good_names[] = {
	"data/manifest.json",
	"data/.hidden",
	"data/a..b/...",
	"data/A-Z_a-z.0-9",
	"data/" HUNDRED,
	/* 90 bytes of directory, 100 of file. */
	"data/" FIFTY TEN TEN TEN "01234/" HUNDRED,
};

static const struct {
	const char *name;
	const char *message;
} bad_names[] = {
	{ "", "name '' does not start with 'data/'" },
	{ "data", "name 'data' does not start with 'data/'" },
	{ "bagit.txt", "name 'bagit.txt' does not start with 'data/'" },
	{ "/data/x", "name '/data/x' does not start with 'data/'" },
	{ "../data/x", "name '../data/x' does not start with 'data/'" },
	{ "data/", "name 'data/' has an empty component" },
	{ "data//x", "name 'data//x' has an empty component" },
	{ "data/x/", "name 'data/x/' has an empty component" },
	{ "data/./x", "name 'data/./x' has a component '.' or '..'" },
	{ "data/x/..", "name 'data/x/..' has a component '.' or '..'" },
	{ "data/../x", "name 'data/../x' has a component '.' or '..'" },
	{ "data/-rf", "name 'data/-rf' has a component that starts with '-'" },
	{ "data/a b",
	  "name 'data/a b' " BAD_CHARACTER },
	{ "data/a\\b",
	  "name 'data/a\\b' " BAD_CHARACTER },
	{ "data/\x1b[2J",
	  "name 'data/?[2J' " BAD_CHARACTER },
	{ "data/caf\xe9",
	  "name 'data/caf?' " BAD_CHARACTER },
	{ "data/" HUNDRED "x", "name 'data/" HUNDRED "x' is too long" },
	{ "data/" FIFTY TEN TEN TEN "012345/x",
	  "name 'data/" FIFTY TEN TEN TEN "012345/x' is too long" },
};

static const struct {
	const char *a, *b;
	const char *message;	/* NULL: they go together */
} pairs[] = {
	{ "data/a", "data/b", NULL },
	{ "data/a", "data/ab", NULL },
	{ "data/a/x", "data/a/y", NULL },
	{ "data/a/x", "data/a-b", NULL },
	{ "data/a.b", "data/A/b", NULL },
	{ "data/a", "data/a", "name 'data/a' is there twice" },
	{ "data/a", "data/A", "names 'data/a' and 'data/A' differ only in case" },
	{ "data/a/x", "data/A/y",
	  "names 'data/a/x' and 'data/A/y' differ only in case" },
	{ "data/a", "data/a/b", "name 'data/a' is a file and a directory" },
	{ "data/A/b", "data/a", "name 'data/a' is a file and a directory" },
};

static const struct {
	const char *text;
	const char *message;
} bad_manifests[] = {
	{ "", "manifest-sha256.txt: no members" },
	{ "\n", "manifest-sha256.txt line 1: too short for a digest and a name" },
	{ HEX, "manifest-sha256.txt line 1: no newline at the end" },
	{ LINE("data/a") HEX "  data/b",
	  "manifest-sha256.txt line 2: no newline at the end" },
	{ LINE("data/a") "\n",
	  "manifest-sha256.txt line 2: too short for a digest and a name" },
	{ HEX "   data/a\n",
	  "manifest-sha256.txt line 1: name ' data/a' " BAD_CHARACTER },
	{ HEX " *data/a\n",
	  "manifest-sha256.txt line 1: no two spaces after the digest" },
	{ HEX "\t data/a\n",
	  "manifest-sha256.txt line 1: no two spaces after the digest" },
	{ "\\" HEX "  data/a\n",
	  "manifest-sha256.txt line 1: digest "
	  "'\\e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85' "
	  "has a character other than 0-9 a-f" },
	{ HEX "  data/a\r\n",
	  "manifest-sha256.txt line 1: name 'data/a?' " BAD_CHARACTER },
	{ LINE("data/b") LINE("data/a"),
	  "manifest-sha256.txt line 2: name 'data/a' is not in bytewise order" },
	{ LINE("data/a") LINE("data/a"),
	  "manifest-sha256.txt line 2: name 'data/a' is there twice" },
	{ LINE("data/A") LINE("data/b") LINE("data/a"),
	  "manifest-sha256.txt line 3: name 'data/a' is not in bytewise order" },
	{ LINE("data/README") LINE("data/a") LINE("data/readme"),
	  "manifest-sha256.txt: names 'data/README' and 'data/readme' differ only in case" },
	{ LINE("data/A/x") LINE("data/a/y"),
	  "manifest-sha256.txt: names 'data/A/x' and 'data/a/y' differ only in case" },
	{ LINE("data/a") LINE("data/a-b") LINE("data/a/b"),
	  "manifest-sha256.txt: name 'data/a' is a file and a directory" },
};

static void test_names_allowed(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(good_names); i++) {
		struct kb_err err = KB_ERR_INIT;

		kb_bundle_check_name(good_names[i], &err);
		check_str(err.msg, "");
	}
}

static void test_names_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad_names); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_bundle_check_name(bad_names[i].name, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, bad_names[i].message);
	}
}

static void test_names_that_go_together(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++) {
		const char *want = pairs[i].message ? pairs[i].message : "";
		struct kb_err err = KB_ERR_INIT;

		kb_name_check_pair(pairs[i].a, pairs[i].b, &err);
		check_str(err.msg, want);
	}
}

static void test_manifest_refusals(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad_manifests); i++) {
		const char *text = bad_manifests[i].text;
		struct kb_err err = KB_ERR_INIT;
		struct kb_bag bag;

		check_int(kb_bag_parse(&bag, text, strlen(text), &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, bad_manifests[i].message);
		check_int(kb_bag_parse(&bag, text, strlen(text), NULL),
			  -KB_ERR_INPUT);
	}
}

static void test_manifest_with_a_nul_is_refused(void)
{
	static const char text[] = HEX "  data/a\0b\n";
	struct kb_err err = KB_ERR_INIT;
	struct kb_bag bag;

	check_int(kb_bag_parse(&bag, text, sizeof(text) - 1, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "manifest-sha256.txt line 1: name 'data/a?b' " BAD_CHARACTER);
}

static void test_manifest_with_too_many_members_is_refused(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_bag bag;

	kb_buf_reserve(&text, KB_BAG_MANIFEST_BYTES_MAX);
	for (int i = 0; i <= KB_BUNDLE_MEMBERS_MAX; i++)
		kb_buf_addf(&text, LINE("data/%06d"), i);
	check_int(kb_bag_parse(&bag, text.data, text.len, &err), -KB_ERR_INPUT);
	check_str(err.msg,
		  "manifest-sha256.txt line 100001: more than 100000 members");
}

static void test_declaration_has_one_spelling(void)
{
	static const char good[] = TINY_DECLARATION;
	char bent[sizeof(good)];

	check_int(kb_bag_check_declaration(good, sizeof(good) - 1, NULL), 0);
	for (size_t i = 0; i < sizeof(good); i++) {
		struct kb_err err = KB_ERR_INIT;

		memcpy(bent, good, sizeof(good));
		bent[i] ^= 0x20;
		check_int(kb_bag_check_declaration(bent, i, &err),
			  i == sizeof(good) - 1 ? 0 : -KB_ERR_INPUT);
		check_int(kb_bag_check_declaration(bent, sizeof(good), &err),
			  -KB_ERR_INPUT);
		check_str(err.msg,
			  "'bagit.txt' is not that of a BagIt 1.0 bag in UTF-8");
	}
}

/* Open `path` and compare the message; "" is success. */
static void check_open(const char *path, const char *want)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_bundle_open(&b, path, &err) == 0)
		kb_bundle_release(&b);
	check_str(err.msg, want);
}

static void test_tiny_bundle_has_its_id(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	tiny_make("tiny");
	kb_bundle_open(&b, "tiny", &err);
	check_str(err.msg, "");
	kb_digest_format(&b.id, hex);
	check_str(hex, TINY_ID);
	check_int(b.member_count, 3);
	check_int(b.total_bytes, sizeof(TINY_ONE TINY_RECORD) - 1);
	check_str(b.path, "tiny");
	check_str(b.members[1].name, "data/a/one.txt");
	check_int(b.members[1].size_bytes, sizeof(TINY_ONE) - 1);
	check(kb_bundle_find(&b, "data/a/one.txt") == &b.members[1]);
	check(!kb_bundle_find(&b, "data/a"));
	scratch_leave();
}

static void test_directory_called_like_an_id_must_have_it(void)
{
	scratch_enter();
	tiny_make("s/" TINY_ID);
	tiny_make("s/" TINY_EMPTY_HEX);
	check_open("s/" TINY_ID, "");
	check_open("s/" TINY_ID "//", "");
	check_open("s/" TINY_EMPTY_HEX,
		   "bundle 's/" TINY_EMPTY_HEX "': "
		   "'manifest-sha256.txt' makes its id '" TINY_ID "'");
	scratch_leave();
}

static void test_what_is_not_a_bundle(void)
{
	scratch_enter();
	check_open("nosuch", "cannot open 'nosuch': No such file or directory");
	mkdir("empty", 0777);
	check_open("empty", "bundle 'empty': there is no 'bagit.txt'");
	mkfifo("fifo", 0666);
	check_open("fifo",
		   "bundle 'fifo': neither a directory nor a .tar.gz");
	scratch_print("text", "text");
	check_open("text", "bundle 'text': this is no .tar.gz"
		   KB_REPACKED);
	scratch_leave();
}

/* Each bends the tiny bundle in the current directory's "b". */
static void lose_member(void) { unlink("b/data/a/one.txt"); }
static void lose_directory(void) { scratch_remove("b/data/a"); }
static void lose_manifest(void) { unlink("b/manifest-sha256.txt"); }
static void lose_declaration(void) { unlink("b/bagit.txt"); }
static void add_file(void) { scratch_print("b/data/extra", ""); }
static void add_tag_file(void) { scratch_print("b/bag-info.txt", ""); }
static void add_directory(void) { mkdir("b/data/a/sub", 0777); }
static void add_bad_name(void) { scratch_print("b/data/\x1b[2J", ""); }
static void change_member(void) { scratch_print("b/data/a/one.txt", "One\n"); }
static void grow_empty(void) { scratch_print("b/data/a/empty", "x"); }

static void exchange(const char *path, const char *target)
{
	unlink(path);
	check_int(symlink(target, path), 0);
}

static void link_member(void)
{
	scratch_print("one", TINY_ONE);
	exchange("b/data/a/one.txt", "../../../one");
}

static void link_directory(void)
{
	check_int(rename("b/data/a", "a"), 0);
	exchange("b/data/a", "../../a");
}

static void link_data(void)
{
	check_int(rename("b/data", "data"), 0);
	exchange("b/data", "../data");
}

static void link_manifest(void)
{
	scratch_print("m", TINY_MANIFEST);
	exchange("b/manifest-sha256.txt", "../m");
}

static void put_fifo(void)
{
	unlink("b/data/a/one.txt");
	check_int(mkfifo("b/data/a/one.txt", 0666), 0);
}

static void put_directory(void)
{
	unlink("b/data/a/one.txt");
	check_int(mkdir("b/data/a/one.txt", 0777), 0);
}

static void put_file(void)
{
	scratch_remove("b/data/a");
	scratch_print("b/data/a", "");
}

/* Nix's builders are kept from it; a sticky bit is refused alike. */
static void set_user_id(void)
{
	if (chmod("b/data/a/one.txt", 04755) < 0 && errno == EPERM)
		check_int(chmod("b/data/a/one.txt", 01755), 0);
}

static void make_huge(void)
{
	check_int(truncate("b/data/a/one.txt", (off_t)5 << 30), 0);
}

static void make_manifest_huge(void)
{
	check_int(truncate("b/manifest-sha256.txt", 1 << 30), 0);
}

static const struct {
	void (*bend)(void);
	const char *message;	/* after "bundle 'b': " */
} bent[] = {
	{ lose_member, "'data/a/one.txt' is declared but not there" },
	{ lose_directory, "'data/a/empty' is declared but not there" },
	{ lose_manifest, "there is no 'manifest-sha256.txt'" },
	{ lose_declaration, "there is no 'bagit.txt'" },
	{ add_file, "'data/extra' is not declared" },
	{ add_tag_file, "'bag-info.txt' is not declared" },
	{ add_directory, "'data/a/sub' is not declared" },
	{ add_bad_name, "'data/?[2J' is not declared" },
	{ change_member, "'data/a/one.txt' does not match its digest" },
	{ grow_empty, "'data/a/empty' does not match its digest" },
	{ link_member, "'data/a/one.txt' is not a regular file" },
	{ link_directory, "'data/a' is not a directory" },
	{ link_data, "'data' is not a directory" },
	{ link_manifest, "'manifest-sha256.txt' is not a regular file" },
	{ put_fifo, "'data/a/one.txt' is not a regular file" },
	{ put_directory, "'data/a/one.txt' is not a regular file" },
	{ put_file, "'data/a' is not a directory" },
	{ set_user_id,
	  "'data/a/one.txt' is set-user-id, set-group-id or sticky" },
	{ make_huge, "'data/a/one.txt' is larger than 4294967296 bytes" },
	{ make_manifest_huge,
	  "'manifest-sha256.txt' is larger than 25800000 bytes" },
};

static void test_bent_directories_are_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bent); i++) {
		kb_auto(mem) char *want = kb_xasprintf("bundle 'b': %s",
						       bent[i].message);

		scratch_enter();
		tiny_make("b");
		bent[i].bend();
		check_open("b", want);
		scratch_leave();
	}
}

/* A hard link is no way out: its bytes are hashed like any others. */
static void test_hard_linked_member_is_read(void)
{
	scratch_enter();
	tiny_make("b");
	check_int(link("b/data/a/one.txt", "other"), 0);
	check_open("b", "");
	scratch_leave();
}

static void test_losses_are_corrupt_and_forgeries_are_input(void)
{
	struct kb_bundle b = KB_BUNDLE_INIT;

	scratch_enter();
	tiny_make("b");
	change_member();
	check_int(kb_bundle_open(&b, "b", NULL), -KB_ERR_CORRUPT);
	lose_member();
	check_int(kb_bundle_open(&b, "b", NULL), -KB_ERR_CORRUPT);
	add_file();
	check_int(kb_bundle_open(&b, "b", NULL), -KB_ERR_INPUT);
	check_int(kb_bundle_open(&b, "nosuch", NULL), -KB_ERR_MISSING);
	scratch_leave();
}

/* Nothing may be accepted, and nothing but these two may be the reason. */
static void check_refused(const char *path, const char *how, size_t at)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_bundle_open(&b, "b", NULL);

	if (ret == 0)
		kb_bundle_release(&b);
	if (ret != -KB_ERR_CORRUPT && ret != -KB_ERR_INPUT)
		tap_fail("%s %s at %zu gives %d", path, how, at, ret);
}

static void bend_file(const char *path)
{
	/* The next value, the other case, all bits. */
	static const uint8_t masks[] = { 0x01, 0x20, 0xff };
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	scratch_read(&text, path);
	for (size_t i = 0; i < text.len; i++) {
		for (size_t k = 0; k < sizeof(masks); k++) {
			text.data[i] ^= (char)masks[k];
			scratch_write(path, text.data, text.len);
			check_refused(path, "flipped", i);
			text.data[i] ^= (char)masks[k];
		}
		scratch_write(path, text.data, i);
		check_refused(path, "cut", i);
	}
	kb_buf_addch(&text, '\n');
	scratch_write(path, text.data, text.len);
	check_refused(path, "lengthened", text.len);
	scratch_write(path, text.data, text.len - 1);
}

static void test_every_flip_and_every_cut_is_refused(void)
{
	scratch_enter();
	tiny_make("b");
	for (size_t i = 0; i < TINY_FILE_COUNT; i++) {
		kb_auto(mem) char *path = kb_xasprintf("b/%s",
						       tiny_files[i].name);

		bend_file(path);
	}
	check_open("b", "");
	scratch_leave();
}

static void test_read_appends_a_member(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	scratch_enter();
	tiny_make("b");
	check_int(kb_bundle_open(&b, "b", NULL), 0);
	kb_buf_addstr(&out, "<");
	check_int(kb_bundle_read(&out, &b, "data/a/one.txt", 4, NULL), 0);
	check_int(kb_bundle_read(&out, &b, "data/a/empty", 0, NULL), 0);
	check_str(out.data, "<one\n");
	scratch_leave();
}

static void test_read_fails_and_leaves_the_buffer(void)
{
	static const struct {
		const char *name;
		int kind;
		const char *message;
	} cases[] = {
		{ "data/none", KB_ERR_MISSING, "bundle 'b' has no 'data/none'" },
		{ "bagit.txt", KB_ERR_MISSING, "bundle 'b' has no 'bagit.txt'" },
		{ "data/manifest.json", KB_ERR_INPUT,
		  "bundle 'b': 'data/manifest.json' is larger than 4 bytes" },
		{ "data/a/one.txt", KB_ERR_CORRUPT,
		  "bundle 'b': 'data/a/one.txt' does not match its digest" },
		{ "data/a/empty", KB_ERR_CORRUPT,
		  "bundle 'b': 'data/a/empty' is declared but not there" },
	};
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	scratch_enter();
	tiny_make("b");
	check_int(kb_bundle_open(&b, "b", NULL), 0);
	change_member();
	unlink("b/data/a/empty");

	kb_buf_addstr(&out, "before");
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_bundle_read(&out, &b, cases[i].name, 4, &err),
			  -cases[i].kind);
		check_str(err.msg, cases[i].message);
		check_str(out.data, "before");
	}
	scratch_leave();
}

/* Keeps what it is given, until the buffer is "full". */
static int keep_piece(void *into, const char *piece, size_t len,
		      struct kb_err *err)
{
	struct kb_buf *out = into;

	if (!strcmp(out->data, "full"))
		return kb_err(err, KB_ERR_USAGE, "no room");
	kb_buf_add(out, piece, len);
	return 0;
}

static void test_pieces_make_the_member(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf large = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;

	for (int i = 0; i < 50000; i++)
		kb_buf_addf(&large, "%d,", i);
	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "s", NULL), 0);
	check_int(kb_bundle_writer_add(w, "data/empty", "", 0, NULL), 0);
	check_int(kb_bundle_writer_add(w, "data/large", large.data, large.len,
				       NULL), 0);
	check_int(kb_bundle_writer_commit(w, &id, NULL), 0);
	kb_digest_format(&id, hex);
	path = kb_xasprintf("s/%s", hex);
	check_int(kb_bundle_open(&b, path, NULL), 0);
	check_int(kb_bundle_read_pieces(&b, "data/empty", 0, keep_piece, &out,
					NULL), 0);
	check_int(out.len, 0);
	check_int(kb_bundle_read_pieces(&b, "data/large", large.len,
					keep_piece, &out, NULL), 0);
	check_str(out.data, large.data);
	scratch_leave();
}

static void test_pieces_fail_as_reading_does(void)
{
	static const struct {
		const char *name, *kept;
		int kind;
		const char *message;
	} cases[] = {
		{ "data/none", "", KB_ERR_MISSING,
		  "bundle 'b' has no 'data/none'" },
		{ "data/manifest.json", "", KB_ERR_INPUT,
		  "bundle 'b': 'data/manifest.json' is larger than 4 bytes" },
		{ "data/a/empty", "", KB_ERR_CORRUPT,
		  "bundle 'b': 'data/a/empty' is declared but not there" },
		{ "data/a/one.txt", "full", KB_ERR_USAGE, "no room" },
	};
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	tiny_make("b");
	check_int(kb_bundle_open(&b, "b", NULL), 0);
	unlink("b/data/a/empty");
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_buf_addstr(&out, cases[i].kept);
		check_int(kb_bundle_read_pieces(&b, cases[i].name, 4,
						keep_piece, &out, &err),
			  -cases[i].kind);
		check_str(err.msg, cases[i].message);
		check_str(out.data, cases[i].kept);
	}
	scratch_leave();
}

/* Whatever the taker says of it. */
static void test_pieces_of_another_file_are_corrupt(void)
{
	static const char *const kept[] = { "", "full" };
	static const char *const changed[] = { "One\n", "one\ntwo\n", "" };

	for (size_t i = 0; i < KB_ARRAY_LEN(kept) * KB_ARRAY_LEN(changed); i++) {
		kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		scratch_enter();
		tiny_make("b");
		check_int(kb_bundle_open(&b, "b", NULL), 0);
		kb_buf_addstr(&out, kept[i % 2]);
		scratch_print("b/data/a/one.txt", changed[i / 2]);
		check_int(kb_bundle_read_pieces(&b, "data/a/one.txt", 4,
						keep_piece, &out, &err),
			  -KB_ERR_CORRUPT);
		check_str(err.msg,
			  "bundle 'b': 'data/a/one.txt' does not match its digest");
		scratch_leave();
	}
}

/* More than are made durable one by one, in directories that take turns and of
 * which one is called as another begins. */
static void test_many_members_lie_where_they_should(void)
{
	static const char *const dirs[] = {
		"data", "data/a", "data/ab", "data/a/b",
	};
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *path = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "store", &err), 0);
	for (int i = 0; i < 1200; i++) {
		kb_auto(mem) char *name =
			kb_xasprintf("%s/f%d", dirs[i / 3 % 4], i);

		check_int(kb_bundle_writer_add(w, name, name, strlen(name),
					       &err), 0);
	}
	check_int(kb_bundle_writer_commit(w, &id, &err), 0);
	check_str(err.msg, "");
	kb_digest_format(&id, hex);
	path = kb_xasprintf("store/%s", hex);
	check_int(kb_bundle_open(&b, path, &err), 0);
	check_str(err.msg, "");
	check_int(b.member_count, 1200);
	for (size_t i = 0; i < b.member_count; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		check_int(kb_bundle_read(&text, &b, b.members[i].name, 100,
					 NULL), 0);
		check_str(text.data, b.members[i].name);
	}
	scratch_leave();
}

TAP_MAIN(TAP(test_names_allowed),
	 TAP(test_names_refused),
	 TAP(test_names_that_go_together),
	 TAP(test_manifest_refusals),
	 TAP(test_manifest_with_a_nul_is_refused),
	 TAP(test_manifest_with_too_many_members_is_refused),
	 TAP(test_declaration_has_one_spelling),
	 TAP(test_tiny_bundle_has_its_id),
	 TAP(test_directory_called_like_an_id_must_have_it),
	 TAP(test_what_is_not_a_bundle),
	 TAP(test_bent_directories_are_refused),
	 TAP(test_hard_linked_member_is_read),
	 TAP(test_losses_are_corrupt_and_forgeries_are_input),
	 TAP(test_every_flip_and_every_cut_is_refused),
	 TAP(test_read_appends_a_member),
	 TAP(test_read_fails_and_leaves_the_buffer),
	 TAP(test_pieces_make_the_member),
	 TAP(test_pieces_fail_as_reading_does),
	 TAP(test_pieces_of_another_file_are_corrupt),
	 TAP(test_many_members_lie_where_they_should));
