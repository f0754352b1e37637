#include "store/archive.h"

#include <dirent.h>

#include "base/err.h"
#include "lib/tap.h"
#include "lib/tarball.h"
#include "store/gunzip.h"
#include "lib/tiny.h"

#define TOP_LEN (sizeof(TINY_ID) - 1)

/* A header for "<TINY_ID>/<name>". */
static struct tar_header tiny_header(const char *name, char typeflag,
				     uint64_t size_bytes)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", TINY_ID, name);

	return tar_header(path, TOP_LEN, typeflag, size_bytes);
}

static void put_file(struct kb_buf *tar, const char *name, const char *text)
{
	tar_put_header(tar, tiny_header(name, '0', strlen(text)));
	tar_put_content(tar, text, strlen(text));
}

/* The first `count` of the tiny bundle's files. */
static void put_files(struct kb_buf *tar, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_file(tar, tiny_files[i].name, tiny_files[i].text);
}

static void put_tag_files(struct kb_buf *tar)
{
	put_files(tar, 2);
}

static void put_all(struct kb_buf *tar)
{
	put_files(tar, TINY_FILE_COUNT);
}

/* One entry without content, whatever it says. */
static void put_entry(struct kb_buf *tar, const char *path, char typeflag,
		      uint64_t size_bytes)
{
	tar_put_header(tar, tar_header(path, 0, typeflag, size_bytes));
}

/* Unpack `gz` into a new directory "out" and compare the message. */
static void check_unpack(const struct kb_buf *gz, const char *want)
{
	kb_auto(fd) int dirfd = -1;
	struct kb_err err = KB_ERR_INIT;

	mkdir("out", 0777);
	dirfd = open("out", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	kb_archive_unpack_bytes(gz->data, gz->len, dirfd, &err);
	check_str(err.msg, want);
}

/* As above, for a tar stream that wants its two blocks of zeros. */
static void check_unpack_tar(struct kb_buf *tar, const char *want)
{
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;

	tar_put_end(tar);
	gzip_pack(&gz, tar->data, tar->len, 6);
	check_unpack(&gz, want);
}

static void test_tar_by_hand_is_read_without_directories(void)
{
	kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;

	scratch_enter();
	put_all(&tar);
	check_unpack_tar(&tar, "");
	scratch_leave();
}

/* Each makes a hostile archive. */
static void make_nothing(struct kb_buf *tar) { (void)tar; }
static void make_parent(struct kb_buf *t) { put_entry(t, "../x", '0', 0); }
static void make_absolute(struct kb_buf *t) { put_entry(t, "/etc/x", '0', 0); }
static void make_other_top(struct kb_buf *t) { put_entry(t, "b/bagit.txt", '0', 0); }

static void make_second_top(struct kb_buf *tar)
{
	put_tag_files(tar);
	tar_put_header(tar, tar_header(TINY_EMPTY_HEX "/data", 64, '5', 0));
}

static void make_top_file(struct kb_buf *tar)
{
	put_tag_files(tar);
	put_entry(tar, TINY_ID, '0', 0);
}

static void make_wrong_top(struct kb_buf *tar)
{
	tar_put_header(tar, tar_header(TINY_EMPTY_HEX "/manifest-sha256.txt",
				       64, '0', strlen(TINY_MANIFEST)));
	tar_put_content(tar, TINY_MANIFEST, strlen(TINY_MANIFEST));
}

static void make_climbing(struct kb_buf *tar)
{
	put_tag_files(tar);
	put_file(tar, "data/../../x", "");
}

static void make_sibling(struct kb_buf *tar)
{
	put_tag_files(tar);
	put_file(tar, "../x", "");
}

static void make_escape_code(struct kb_buf *tar)
{
	put_tag_files(tar);
	put_file(tar, "data/\x1b[2J", "");
}

static void put_link(struct kb_buf *tar, char typeflag)
{
	struct tar_header h = tiny_header("data/a/one.txt", typeflag, 0);

	put_tag_files(tar);
	strcpy(h.linkname, "/etc/passwd");
	tar_put_header(tar, h);
}

static void make_symlink(struct kb_buf *tar) { put_link(tar, '2'); }
static void make_hard_link(struct kb_buf *tar) { put_link(tar, '1'); }

static void put_special(struct kb_buf *tar, char typeflag)
{
	put_tag_files(tar);
	tar_put_header(tar, tiny_header("data/a/one.txt", typeflag, 0));
}

static void make_character_device(struct kb_buf *tar) { put_special(tar, '3'); }
static void make_block_device(struct kb_buf *tar) { put_special(tar, '4'); }
static void make_fifo(struct kb_buf *tar) { put_special(tar, '6'); }

static void make_set_user_id(struct kb_buf *tar)
{
	struct tar_header h = tiny_header("data/a/one.txt", '0', 0);

	put_tag_files(tar);
	strcpy(h.mode, "0004755");
	tar_put_header(tar, h);
}

static void make_twice(struct kb_buf *tar)
{
	put_all(tar);
	put_file(tar, "data/a/one.txt", TINY_ONE);
}

static void make_declaration_twice(struct kb_buf *tar)
{
	put_all(tar);
	put_file(tar, "bagit.txt", TINY_DECLARATION);
}

static void make_manifest_twice(struct kb_buf *tar)
{
	put_all(tar);
	put_file(tar, "manifest-sha256.txt", TINY_MANIFEST);
}

static void make_other_case(struct kb_buf *tar)
{
	put_all(tar);
	put_file(tar, "data/a/One.txt", TINY_ONE);
}

static void make_undeclared(struct kb_buf *tar)
{
	put_all(tar);
	put_file(tar, "data/extra", "");
}

static void make_tag_file(struct kb_buf *tar)
{
	put_all(tar);
	put_file(tar, "bag-info.txt", "");
}

static void make_directory(struct kb_buf *tar)
{
	put_all(tar);
	tar_put_header(tar, tiny_header("data/sub", '5', 0));
}

static void make_member_first(struct kb_buf *tar)
{
	put_file(tar, "data/a/one.txt", TINY_ONE);
}

static void make_incomplete(struct kb_buf *tar)
{
	put_files(tar, TINY_FILE_COUNT - 1);
}

static void make_no_declaration(struct kb_buf *tar)
{
	for (size_t i = 1; i < TINY_FILE_COUNT; i++)
		put_file(tar, tiny_files[i].name, tiny_files[i].text);
}

static void make_no_manifest(struct kb_buf *tar) { put_files(tar, 1); }

static void make_bent_declaration(struct kb_buf *tar)
{
	put_file(tar, "bagit.txt", "BagIt-Version: 0.97\n");
}

static void make_long_declaration(struct kb_buf *tar)
{
	tar_put_header(tar, tiny_header("bagit.txt", '0', 1 << 20));
}

static void make_huge_size(struct kb_buf *tar)
{
	put_tag_files(tar);
	tar_put_header(tar, tiny_header("data/a/one.txt", '0',
					UINT64_C(5) << 30));
}

static void make_huge_manifest(struct kb_buf *tar)
{
	tar_put_header(tar, tiny_header("manifest-sha256.txt", '0',
					UINT64_C(5) << 30));
}

static void make_negative_size(struct kb_buf *tar)
{
	struct tar_header h = tiny_header("data/a/one.txt", '0', 0);

	put_tag_files(tar);
	memset(h.size, 0xff, sizeof(h.size));
	tar_put_header(tar, h);
}

static void make_cut_member(struct kb_buf *tar)
{
	put_tag_files(tar);
	tar_put_header(tar, tiny_header("data/a/one.txt", '0', 1 << 20));
}

static void make_pax(struct kb_buf *tar)
{
	static const char record[] = "28 path=../../../etc/passwd\n";

	tar_put_header(tar, tiny_header("pax", 'x', sizeof(record) - 1));
	tar_put_content(tar, record, sizeof(record) - 1);
	put_all(tar);
}

static void make_pax_global(struct kb_buf *tar)
{
	static const char record[] = "17 comment=hello\n";

	put_tag_files(tar);
	tar_put_header(tar, tiny_header("pax", 'g', sizeof(record) - 1));
	tar_put_content(tar, record, sizeof(record) - 1);
	put_file(tar, "data/a/one.txt", TINY_ONE);
}

static void make_gnu_long_name(struct kb_buf *tar)
{
	static const char name[] = TINY_ID "/bagit.txt";

	put_entry(tar, "././@LongLink", 'L', sizeof(name));
	tar_put_content(tar, name, sizeof(name));
	put_all(tar);
}

static void make_gnu(struct kb_buf *tar)
{
	struct tar_header h = tiny_header("bagit.txt", '0', 0);

	memcpy(h.magic, "ustar  ", sizeof(h.magic));
	memset(h.prefix, 0, sizeof(h.prefix));
	tar_put_header(tar, h);
}

static void make_v7(struct kb_buf *tar)
{
	struct tar_header h = tiny_header("bagit.txt", '0', 0);

	memset(h.magic, 0, sizeof(h.magic));
	memset(h.prefix, 0, sizeof(h.prefix));
	tar_put_header(tar, h);
}

static void make_trailing_bytes(struct kb_buf *tar)
{
	put_all(tar);
	tar_put_end(tar);
	put_file(tar, "data/extra", "");
}

static void make_far_trailing_bytes(struct kb_buf *tar)
{
	static const char zeros[65536];

	put_all(tar);
	for (int i = 0; i < 3; i++)
		kb_buf_add(tar, zeros, sizeof(zeros));
	put_file(tar, "data/extra", "");
}

static void make_garbage(struct kb_buf *tar)
{
	tar_put_content(tar, "#!/bin/sh\n", 10);
}

#define IN_TOP "entry '" TINY_ID "/"

static const struct {
	void (*make)(struct kb_buf *tar);
	const char *message;
} hostile[] = {
	{ make_nothing, "there is no 'bagit.txt'" },
	{ make_parent,
	  "entry '../x' is not below a directory named with an id, so this "
	  "is no bundle; 'kb-pack unpack' unpacks a publication" },
	{ make_absolute,
	  "entry '/etc/x' is not below a directory named with an id, so this "
	  "is no bundle; 'kb-pack unpack' unpacks a publication" },
	{ make_other_top,
	  "entry 'b/bagit.txt' is not below a directory named with an id, so this "
	  "is no bundle; 'kb-pack unpack' unpacks a publication" },
	{ make_second_top,
	  "entry '" TINY_EMPTY_HEX "/data' is not below '" TINY_ID "'" },
	{ make_top_file, "name '' does not start with 'data/'" },
	{ make_wrong_top,
	  "the archive is of '" TINY_EMPTY_HEX "' but its manifest of '" TINY_ID "'" },
	{ make_climbing,
	  "name 'data/../../x' has a component '.' or '..'" },
	{ make_sibling, "name '../x' does not start with 'data/'" },
	{ make_escape_code,
	  "name 'data/?[2J' has a character other than A-Z a-z 0-9 . _ - /" },
	{ make_symlink, IN_TOP "data/a/one.txt' is a link" },
	{ make_hard_link, IN_TOP "data/a/one.txt' is a link" },
	{ make_character_device,
	  IN_TOP "data/a/one.txt' is neither a file nor a directory" },
	{ make_block_device,
	  IN_TOP "data/a/one.txt' is neither a file nor a directory" },
	{ make_fifo,
	  IN_TOP "data/a/one.txt' is neither a file nor a directory" },
	{ make_set_user_id,
	  IN_TOP "data/a/one.txt' is set-user-id, set-group-id or sticky" },
	{ make_twice, "'data/a/one.txt' is there twice" },
	{ make_declaration_twice, "'bagit.txt' is there twice" },
	{ make_manifest_twice, "'manifest-sha256.txt' is there twice" },
	{ make_other_case, "'data/a/One.txt' is not declared" },
	{ make_undeclared, "'data/extra' is not declared" },
	{ make_tag_file, "name 'bag-info.txt' does not start with 'data/'" },
	{ make_directory, "'data/sub' is not declared" },
	{ make_member_first, "'data/a/one.txt' comes before the manifest" },
	{ make_incomplete, "'data/manifest.json' is declared but not there" },
	{ make_no_declaration, "there is no 'bagit.txt'" },
	{ make_no_manifest, "there is no 'manifest-sha256.txt'" },
	{ make_bent_declaration,
	  "'bagit.txt' is not that of a BagIt 1.0 bag in UTF-8" },
	{ make_long_declaration, "'bagit.txt' is larger than 57 bytes" },
	{ make_huge_size,
	  "'data/a/one.txt' is larger than 4294967296 bytes" },
	{ make_huge_manifest,
	  "'manifest-sha256.txt' is larger than 25800000 bytes" },
	{ make_negative_size, "the tar archive is damaged" },
	{ make_cut_member, "the tar archive is damaged" },
	{ make_pax, "the tar archive is not plain ustar" KB_REPACKED },
	{ make_pax_global, "the tar archive is not plain ustar" KB_REPACKED },
	{ make_gnu_long_name, "the tar archive is not plain ustar" KB_REPACKED },
	{ make_gnu, "the tar archive is not plain ustar" KB_REPACKED },
	{ make_v7, "the tar archive is not plain ustar" KB_REPACKED },
	{ make_trailing_bytes, "there are bytes after the tar archive" },
	{ make_far_trailing_bytes, "there are bytes after the tar archive" },
	{ make_garbage, "the tar archive is damaged" },
};

/* Only what was admitted is on disk, and nothing outside "out". */
static void check_only_out(void)
{
	DIR *d = opendir(".");
	struct dirent *e;

	while ((e = readdir(d)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    strcmp(e->d_name, "out"))
			tap_fail("'%s' was made", e->d_name);
	closedir(d);
}

static void test_hostile_archives_are_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(hostile); i++) {
		kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;

		scratch_enter();
		hostile[i].make(&tar);
		check_unpack_tar(&tar, hostile[i].message);
		check_only_out();
		scratch_leave();
	}
}

static void test_tar_without_its_end_is_refused(void)
{
	for (size_t blocks = 0; blocks < 2; blocks++) {
		kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;

		scratch_enter();
		put_all(&tar);
		tar_put_end(&tar);
		gzip_pack(&gz, tar.data,
			  tar.len - (2 - blocks) * TAR_BLOCK_BYTES, 6);
		check_unpack(&gz, "the tar archive is cut off");
		scratch_leave();
	}
}

static void test_expansion_bomb_is_refused(void)
{
	kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;
	size_t len = 64 << 20;
	kb_auto(mem) char *zeros = kb_xcalloc(1, len);

	scratch_enter();
	put_tag_files(&tar);
	tar_put_header(&tar, tiny_header("data/a/one.txt", '0', len));
	tar_put_content(&tar, zeros, len);
	tar_put_end(&tar);
	gzip_pack(&gz, tar.data, tar.len, 6);
	check_unpack(&gz, "unpacks to more than 200 times its size");
	scratch_leave();
}

TAP_MAIN(TAP(test_tar_by_hand_is_read_without_directories),
	 TAP(test_hostile_archives_are_refused),
	 TAP(test_tar_without_its_end_is_refused),
	 TAP(test_expansion_bomb_is_refused));
