/* Files that people name: what they lead to decides what is done. */

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/err.h"
#include "base/output.h"
#include "lib/scratch.h"
#include "lib/tap.h"

static void put(const char *path, const char *text)
{
	struct kb_err err = KB_ERR_INIT;

	if (kb_output_write(path, text, strlen(text), &err) < 0)
		tap_fail("cannot write: %s", err.msg);
}

static void check_content(const char *path, const char *want)
{
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

	check_int(kb_file_read(&got, AT_FDCWD, path, SIZE_MAX, NULL), 0);
	check_str(got.data, want);
}

static mode_t type_of(const char *path)
{
	struct stat st = { 0 };

	check_int(lstat(path, &st), 0);
	return st.st_mode & S_IFMT;
}

static void test_a_file_is_replaced_whole(void)
{
	mode_t before = umask(027);
	struct stat st = { 0 };

	scratch_enter();
	put("f", "old and long");
	check_int(link("f", "old"), 0);
	put("f", "new");
	umask(before);
	check_content("f", "new");
	check_content("old", "old and long");
	check_int(stat("f", &st), 0);
	check_int(st.st_mode & 07777, 0640);
	scratch_leave();
}

static void test_links_are_followed(void)
{
	scratch_enter();
	check_int(mkdir("paper", 0700), 0);
	put("paper/table", "old");
	check_int(symlink("table", "paper/link"), 0);
	check_int(symlink("paper/link", "f"), 0);
	put("f", "new");
	check(S_ISLNK(type_of("f")) && S_ISLNK(type_of("paper/link")));
	check_content("paper/table", "new");

	check_int(unlink("paper/table"), 0);
	put("f", "made");
	check(S_ISLNK(type_of("f")));
	check_content("paper/table", "made");
	scratch_leave();
}

static void test_a_fifo_is_written_to(void)
{
	char got[8] = "";
	kb_auto(fd) int fd = -1;

	scratch_enter();
	check_int(mkfifo("pipe", 0600), 0);
	fd = open("pipe", O_RDWR | O_NONBLOCK | O_CLOEXEC);
	put("pipe", "abc");
	check_int(read(fd, got, sizeof(got)), 3);
	check_str(got, "abc");
	check(S_ISFIFO(type_of("pipe")));
	check_int(kb_output_check("pipe", NULL), 0);
	scratch_leave();
}

static void test_a_device_is_written_to(void)
{
	scratch_enter();
	if (mknod("null", S_IFCHR | 0600, makedev(1, 3)) < 0) {
		tap_skip("no devices can be made");
	} else {
		put("null", "abc");
		check(S_ISCHR(type_of("null")));
	}
	scratch_leave();
}

/* Standard output is `path` while it lasts. */
static int begin_stdout(const char *path)
{
	const int kept = dup(STDOUT_FILENO);
	kb_auto(fd) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
				  0600);

	fflush(stdout);
	if (kept < 0 || dup2(fd, STDOUT_FILENO) < 0)
		KB_BUG("cannot set standard output");
	return kept;
}

static void end_stdout(int kept)
{
	if (dup2(kept, STDOUT_FILENO) < 0)
		KB_BUG("cannot set standard output");
	close(kept);
}

static void test_standard_output_gets_the_bytes_where_it_is(void)
{
	bool is_stdout, other_is;
	int kept;

	scratch_enter();
	put("other", "");
	kept = begin_stdout("out");
	check_int(write(STDOUT_FILENO, "before ", 7), 7);
	put("/proc/self/fd/1", "made");
	check_int(write(STDOUT_FILENO, " after", 6), 6);
	is_stdout = kb_output_is_stdout("/proc/self/fd/1");
	other_is = kb_output_is_stdout("other") || kb_output_is_stdout("none");
	end_stdout(kept);
	check_content("out", "before made after");
	check(is_stdout && !other_is);
	scratch_leave();
}

static void test_a_removed_file_is_not_made_again(void)
{
	kb_auto(fd) int fd = -1;
	kb_auto(mem) char *path = NULL;
	char got[8] = "";

	scratch_enter();
	fd = open("f", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	path = kb_xasprintf("/proc/self/fd/%d", fd);
	check_int(unlink("f"), 0);
	put(path, "abc");
	check_int(pread(fd, got, sizeof(got), 0), 3);
	check_int(access("f (deleted)", F_OK), -1);
	scratch_leave();
}

static void test_refusals(void)
{
	static const struct {
		const char *path, *why;
	} cases[] = {
		{ "dir", "cannot write 'dir': Is a directory" },
		{ "no/f", "cannot create 'no/f': No such file or directory" },
		{ "loop",
		  "cannot write 'loop': Too many levels of symbolic links" },
		{ "f/g", "cannot write 'f/g': Not a directory" },
		{ "", "cannot replace '': No such file or directory" },
	};

	scratch_enter();
	put("f", "kept");
	check_int(mkdir("dir", 0700), 0);
	check_int(symlink("loop", "loop"), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_output_write(cases[i].path, "x", 1, &err),
			  -KB_ERR_SYS);
		check_str(err.msg, cases[i].why);
	}
	check_int(kb_output_check("no/f", NULL), -KB_ERR_SYS);
	check_int(kb_output_check("loop", NULL), -KB_ERR_SYS);
	check_int(kb_output_check("g", NULL), 0);
	check_int(kb_output_check("dir/g", NULL), 0);
	check_content("f", "kept");
	scratch_leave();
}

/* Zeros in `f` would have standard input closed. */
static void test_what_cannot_be_opened_can_be_released(void)
{
	struct kb_new_file f = { .fd = STDIN_FILENO };

	scratch_enter();
	put("f", "");
	check_int(kb_output_open(&f, "f/g", NULL), -KB_ERR_SYS);
	check_int(f.fd, -1);
	kb_new_file_release(&f);
	scratch_leave();
}

TAP_MAIN(TAP(test_a_file_is_replaced_whole),
	 TAP(test_links_are_followed),
	 TAP(test_a_fifo_is_written_to),
	 TAP(test_a_device_is_written_to),
	 TAP(test_standard_output_gets_the_bytes_where_it_is),
	 TAP(test_a_removed_file_is_not_made_again),
	 TAP(test_refusals),
	 TAP(test_what_cannot_be_opened_can_be_released));
