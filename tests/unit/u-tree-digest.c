#include "store/tree_digest.h"

#include "base/alloc.h"
#include "base/err.h"
#include "lib/scratch.h"
#include "lib/tap.h"

static void make_file(const char *path, const char *text)
{
	kb_auto(fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		KB_BUG(path);
}

static void make_dir(const char *path)
{
	if (mkdir(path, 0755) < 0)
		KB_BUG(path);
}

static void make_link(const char *target, const char *path)
{
	if (symlink(target, path) < 0)
		KB_BUG(path);
}

static void check_tree(const char *path, const char *hex, uint64_t files,
		       uint64_t size_bytes)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_tree tree;
	char got[KB_DIGEST_HEX_SIZE];

	check_int(kb_tree_digest(&tree, path, false, &err), 0);
	kb_digest_format(&tree.digest, got);
	check_str(got, hex);
	check_int(tree.files, files);
	check_int(tree.size_bytes, size_bytes);
}

/* These were made by the commands in the header. */
#define TWO_HEX \
	"c0deda944c6498616a5e631e51626730f9f60fea6821ff891a105e64e2c1d069"
#define CACHE_HEX \
	"3b714a0a3351b6efc920da1d4fcfdd61b794a983e1566350cf6c98dcfeb627f6"
#define Z_HEX \
	"69280d6f6623cf75443dd74909e4b5d799a1721f78dc6aa4f248ec547a74cde4"

static void make_two(void)
{
	make_dir("two");
	make_dir("two/a");
	make_file("two/a/z", "abc");
	make_file("two/a-z", "");	/* before a/z, by bytes */
}

static void test_an_empty_directory_is_the_digest_of_nothing(void)
{
	scratch_enter();
	make_dir("empty");
	check_tree("empty",
		   "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		   0, 0);
	scratch_leave();
}

static void test_lines_are_those_of_sha256sum(void)
{
	scratch_enter();
	make_two();
	check_tree("two", TWO_HEX, 2, 3);
	check_tree("two/", TWO_HEX, 2, 3);
	scratch_leave();
}

static void test_a_cache_counts_what_its_links_lead_to(void)
{
	scratch_enter();
	make_dir("cache");
	make_dir("cache/blobs");
	make_dir("cache/snapshots");
	make_dir("cache/.locks");
	make_file("cache/blobs/0123", "abc");
	make_file("cache/.locks/held", "x");
	make_link("../blobs/0123", "cache/snapshots/config.json");
	check_tree("cache", CACHE_HEX, 1, 3);
	scratch_leave();
}

static void test_a_link_to_a_directory_is_that_directory(void)
{
	scratch_enter();
	make_two();
	make_link("two", "link");
	check_tree("link", TWO_HEX, 2, 3);
	scratch_leave();
}

static const struct {
	const char *path;
	int kind;
	const char *message;
} refused[] = {
	{ "absent", KB_ERR_MISSING, "there is no directory 'absent'" },
	{ "file", KB_ERR_INPUT, "'file' is not a directory" },
};

static void test_what_is_no_directory_is_refused(void)
{
	scratch_enter();
	make_file("file", "abc");
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_tree tree;

		check_int(kb_tree_digest(&tree, refused[i].path, false,
					 &err),
			  -refused[i].kind);
		check_str(err.msg, refused[i].message);
	}
	scratch_leave();
}

static void chmod_to(const char *path, mode_t mode)
{
	if (chmod(path, mode) < 0)
		KB_BUG(path);
}

static void check_open(const char *path)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_tree tree;

	check_int(kb_tree_digest(&tree, path, true, &err), 0);
}

/* Messages have the real path in front. */
static void check_bad(const char *path, bool for_others, const char *end)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_tree tree;
	size_t len;

	check_int(kb_tree_digest(&tree, path, for_others, &err),
		  -KB_ERR_INPUT);
	len = strlen(err.msg);
	check(len > strlen(end));
	check_str(err.msg + len - strlen(end), end);
}

static void test_what_cannot_be_listed_is_refused(void)
{
	scratch_enter();
	make_dir("dangling");
	make_link("nothing", "dangling/link");
	check_bad("dangling", false, "/dangling/link' leads nowhere");

	make_dir("loop");
	make_link(".", "loop/again");
	check_bad("loop", false, "/loop/again' leads back to where it is");

	make_dir("odd");
	make_file("odd/a\nb", "abc");
	check_bad("odd", false, "/odd/a?b' has a name that sha256sum would not "
		  "print as it is");
	scratch_leave();
}

static void test_others_must_be_able_to_read_it_all(void)
{
	scratch_enter();
	make_two();
	chmod_to("two/a", 0755);	/* whatever the umask */
	chmod_to("two", 0755);
	chmod_to("two/a/z", 0644);
	chmod_to("two/a-z", 0644);
	check_open("two");

	chmod_to("two/a/z", 0640);
	check_bad("two", true, "/two/a/z'");
	check_tree("two/a", Z_HEX, 1, 3);
	make_dir("linked");
	chmod_to("linked", 0755);
	make_link("../two/a/z", "linked/link");
	check_bad("linked", true, "/linked/link'");
	chmod_to("two/a/z", 0604);
	check_open("two");
	check_open("linked");

	chmod_to("two/a", 0754);
	check_bad("two", true, "/two/a'");
	chmod_to("two/a", 0751);
	check_bad("two", true, "/two/a'");
	chmod_to("two/a", 0755);
	chmod_to("two", 0750);
	check_bad("two", true, "/two'");
	scratch_leave();
}

TAP_MAIN(TAP(test_an_empty_directory_is_the_digest_of_nothing),
	 TAP(test_lines_are_those_of_sha256sum),
	 TAP(test_a_cache_counts_what_its_links_lead_to),
	 TAP(test_a_link_to_a_directory_is_that_directory),
	 TAP(test_what_is_no_directory_is_refused),
	 TAP(test_what_cannot_be_listed_is_refused),
	 TAP(test_others_must_be_able_to_read_it_all));
