#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/self.h"
#include "base/text.h"
#include "lib/dies.h"
#include "lib/scratch.h"
#include "lib/tap.h"

static void put(const char *path, const char *text)
{
	check_int(kb_file_replace(AT_FDCWD, path, text, strlen(text), 0644,
				  NULL), 0);
}

static void check_content(const char *path, const char *want)
{
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

	check_int(kb_file_read(&got, AT_FDCWD, path, SIZE_MAX, NULL), 0);
	check_str(got.data, want);
}

/* Names in the working directory, hidden ones too. */
static int entry_count(void)
{
	DIR *d = opendir(".");
	int count = -2;		/* "." and ".." */

	while (d && readdir(d))
		count++;
	if (d)
		closedir(d);
	return count;
}

static void test_empty_allocations_are_real(void)
{
	kb_auto(mem) void *a = kb_xmalloc(0);
	kb_auto(mem) void *b = kb_xcalloc(0, 8);
	kb_auto(mem) void *c = kb_xreallocarray(NULL, 8, 0);

	check(a && b && c);
}

static void test_no_text_is_not_an_empty_one(void)
{
	static const struct {
		const char *a, *b;
		bool equal;
	} cases[] = {
		{ NULL, NULL, true }, { NULL, "", false }, { "", "", true },
		{ "a", NULL, false }, { "a", "", false }, { "a", "b", false },
		{ "ab", "a", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		check_int(kb_text_equal(cases[i].a, cases[i].b),
			  cases[i].equal);
		check_int(kb_text_equal(cases[i].b, cases[i].a),
			  cases[i].equal);
	}
	/* Not by the pointers. */
	check(kb_text_equal("a", (char[]){ 'a', 0 }));
}

static void test_calloc_is_zeroed(void)
{
	kb_auto(mem) uint8_t *p = kb_xcalloc(3, 5);

	for (int i = 0; i < 15; i++)
		check_int(p[i], 0);
}

static void test_string_copies(void)
{
	kb_auto(mem) char *whole = kb_xstrdup("abc");
	kb_auto(mem) char *part = kb_xstrndup("abc", 2);
	kb_auto(mem) char *more = kb_xstrndup("abc", 9);
	kb_auto(mem) char *made = kb_xasprintf("%s-%03d", "n", 7);

	check_str(whole, "abc");
	check_str(part, "ab");
	check_str(more, "abc");
	check_str(made, "n-007");
}

static void test_grow_keeps_elements(void)
{
	kb_auto(mem) int *v = NULL;
	size_t n = 0, capacity = 0, moves = 0;

	for (int i = 0; i < 1000; i++) {
		size_t before = capacity;

		v = kb_grow(v, n, &capacity, sizeof(*v));
		moves += capacity != before;
		v[n++] = i;
	}
	for (int i = 0; i < 1000; i++)
		check_int(v[i], i);
	check(moves <= 8);
}

static void allocate_more_than_size_max(void)
{
	/* Not foreseeable, or the compiler would warn. */
	volatile size_t half = SIZE_MAX / 2;

	free(kb_xreallocarray(NULL, half, 3));
}

static void hit_a_bug(void)
{
	KB_BUG("on purpose");
}

static void test_overflow_and_bugs_abort(void)
{
	check(dies(allocate_more_than_size_max));
	check(dies(hit_a_bug));
}

static void test_empty_buf_is_a_string(void)
{
	struct kb_buf b = KB_BUF_INIT;

	check_str(b.data, "");
	check_int(b.capacity, 0);
	kb_buf_add(&b, NULL, 0);
	check_str(b.data, "");
	kb_buf_release(&b);
	kb_buf_release(&b);
	check_str(b.data, "");
}

static void test_buf_adds_of_each_kind(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;

	kb_buf_add(&b, "ab\0c", 4);
	kb_buf_addstr(&b, "de");
	kb_buf_addch(&b, 'f');
	kb_buf_addf(&b, "%d%s", 12, "");
	check_int(b.len, 9);
	check(!memcmp(b.data, "ab\0cdef12", 10));
}

static void test_buf_stays_terminated(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;

	for (size_t i = 0; i < 300; i++) {
		check_int(b.data[b.len], 0);
		check_int(strlen(b.data), i);
		kb_buf_addch(&b, 'x');
	}
}

static void test_buf_of_one_empty_does_not_touch_another(void)
{
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;

	kb_buf_addstr(&a, "a");
	check_str(b.data, "");
	kb_buf_clear(&b);
	check_str(a.data, "a");
}

static void test_buf_clear_keeps_the_allocation(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	const char *data;

	kb_buf_addstr(&b, "abc");
	data = b.data;
	kb_buf_clear(&b);
	check_int(b.len, 0);
	check_str(b.data, "");
	kb_buf_addstr(&b, "xyz");
	check(b.data == data);
}

static void test_buf_grows_geometrically(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	size_t capacity = 0, moves = 0;

	for (int i = 0; i < 100000; i++) {
		kb_buf_addch(&b, 'x');
		moves += b.capacity != capacity;
		capacity = b.capacity;
	}
	check(moves < 20);
}

static void test_buf_reserve_is_room_without_length(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	char *end;

	kb_buf_addstr(&b, "ab");
	end = kb_buf_reserve(&b, 1000);
	check(end == b.data + 2);
	check_int(b.len, 2);
	check(b.capacity >= 1003);
	memset(end, 'y', 1000);
}

static void test_buf_detach_hands_on(void)
{
	struct kb_buf b = KB_BUF_INIT;
	kb_auto(mem) char *nothing = kb_buf_detach(&b);
	kb_auto(mem) char *text = NULL;

	check_str(nothing, "");
	kb_buf_addstr(&b, "abc");
	text = kb_buf_detach(&b);
	check_str(text, "abc");
	check_int(b.len, 0);
	check_int(b.capacity, 0);
}

static void reserve_more_than_size_max(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;

	kb_buf_addch(&b, 'x');
	kb_buf_reserve(&b, SIZE_MAX);
}

static void test_buf_overflow_aborts(void)
{
	check(dies(reserve_more_than_size_max));
}

static void test_err_returns_its_kind(void)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_err(&err, KB_ERR_INPUT, "'%s' is %d", "x", 3),
		  -KB_ERR_INPUT);
	check_int(err.kind, KB_ERR_INPUT);
	check_int(err.sys_errno, 0);
	check_str(err.msg, "'x' is 3");
	check_int(kb_err(NULL, KB_ERR_MISSING, "unseen"), -KB_ERR_MISSING);
}

static void test_err_sys_says_errno_and_keeps_it(void)
{
	struct kb_err err = KB_ERR_INIT;

	errno = ENOENT;
	check_int(kb_err_sys(&err, "cannot open '%s'", "x"), -KB_ERR_SYS);
	check_int(errno, ENOENT);
	check_int(err.sys_errno, ENOENT);
	check_str(err.msg, "cannot open 'x': No such file or directory");
	check_int(kb_err_sys(NULL, "unseen"), -KB_ERR_SYS);
}

static void test_err_wrap_puts_context_in_front(void)
{
	struct kb_err err = KB_ERR_INIT;

	kb_err(&err, KB_ERR_CORRUPT, "inner");
	check_int(kb_err_wrap(&err, "outer %d", 1), -KB_ERR_CORRUPT);
	check_int(err.kind, KB_ERR_CORRUPT);
	check_str(err.msg, "outer 1: inner");
}

static void test_err_cuts_long_messages(void)
{
	struct kb_err err = KB_ERR_INIT;
	char text[2 * KB_ERR_MSG_MAX];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';

	kb_err(&err, KB_ERR_INPUT, "%s", text);
	check_int(strlen(err.msg), KB_ERR_MSG_MAX - 1);
	kb_err_wrap(&err, "%s", "outer");
	check_int(strlen(err.msg), KB_ERR_MSG_MAX - 1);
	check(!strncmp(err.msg, "outer: xxx", 10));
	kb_err_wrap(&err, "%s", text);
	check_int(strlen(err.msg), KB_ERR_MSG_MAX - 1);
	errno = EIO;
	kb_err_sys(&err, "%s", text);
	check_int(strlen(err.msg), KB_ERR_MSG_MAX - 1);
}

static void test_read_appends(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;

	scratch_enter();
	put("empty", "");
	put("f", "abc");
	check_int(kb_file_read(&b, AT_FDCWD, "empty", 0, NULL), 0);
	check_str(b.data, "");
	check_int(kb_file_read(&b, AT_FDCWD, "f", 3, NULL), 0);
	check_int(kb_file_read(&b, AT_FDCWD, "f", 3, NULL), 0);
	check_str(b.data, "abcabc");
	scratch_leave();
}

static void test_read_of_many_chunks(void)
{
	kb_auto(buf) struct kb_buf in = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	scratch_enter();
	for (int i = 0; i < 50000; i++)
		kb_buf_addf(&in, "%d,", i);
	check_int(kb_file_replace(AT_FDCWD, "f", in.data, in.len, 0600, NULL),
		  0);
	check_int(kb_file_read(&out, AT_FDCWD, "f", in.len, NULL), 0);
	check_int(out.len, in.len);
	check(!memcmp(out.data, in.data, in.len));
	scratch_leave();
}

static void check_unreadable(const char *path, enum kb_err_kind kind,
			     const char *why)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_file_read(&b, AT_FDCWD, path, 2, &err), -(int)kind);
	check_str(err.msg, why);
}

static void test_read_refuses(void)
{
	scratch_enter();
	put("f", "abc");
	check_int(mkdir("dir", 0700), 0);
	check_int(mkfifo("pipe", 0600), 0);
	check_int(symlink("loop", "loop"), 0);

	check_unreadable("none", KB_ERR_MISSING,
			 "cannot open 'none': No such file or directory");
	check_unreadable("f", KB_ERR_INPUT, "'f' is larger than 2 bytes");
	check_unreadable("dir", KB_ERR_INPUT, "'dir' is not a regular file");
	check_unreadable("pipe", KB_ERR_INPUT,
			 "'pipe' is not a regular file");
	check_unreadable("loop", KB_ERR_SYS,
			 "cannot open 'loop': Too many levels of symbolic links");
	scratch_leave();
}

static void test_a_pipe_that_is_named_is_read_to_its_end(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL;
	struct kb_err err = KB_ERR_INIT;
	int fds[2];

	check_int(pipe(fds), 0);
	check_int(write(fds[1], "abc", 3), 3);
	close(fds[1]);
	path = kb_xasprintf("/proc/self/fd/%d", fds[0]);
	check_int(kb_file_read_named(&b, path, 3, NULL), 0);
	close(fds[0]);
	check_str(b.data, "abc");

	check_int(kb_file_read_named(&b, "/", 3, &err), -KB_ERR_INPUT);
	check_str(err.msg, "'/' is not a regular file");
	check_int(kb_file_read_named(&b, "/none", 3, NULL), -KB_ERR_MISSING);
}

static void test_a_mode_is_less_the_umask(void)
{
	static const struct {
		mode_t mask, mode, want;
	} cases[] = {
		{ 077, 0444, 0400 }, { 077, 0666, 0600 }, { 022, 0666, 0644 },
		{ 002, 0666, 0664 }, { 0, 0666, 0666 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		mode_t before = umask(cases[i].mask);
		struct stat st = { 0 };

		scratch_enter();
		check_int(kb_file_replace(AT_FDCWD, "f", "x", 1, cases[i].mode,
					  NULL), 0);
		umask(before);
		check_int(stat("f", &st), 0);
		check_int(st.st_mode & 07777, cases[i].want);
		check_content("f", "x");
		scratch_leave();
	}
}

static void test_replace_leaves_one_file(void)
{
	scratch_enter();
	put("f", "old and long");
	put("f", "new");
	check_content("f", "new");
	check_int(entry_count(), 1);
	scratch_leave();
}

static void test_replace_takes_the_place_of_a_link(void)
{
	scratch_enter();
	put("target", "kept");
	check_int(symlink("target", "f"), 0);
	put("f", "new");
	check_content("target", "kept");
	check_content("f", "new");
	scratch_leave();
}

static void test_failed_replace_leaves_no_temporary_file(void)
{
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	check_int(mkdir("dir", 0700), 0);
	check_int(kb_file_replace(AT_FDCWD, "dir", "x", 1, 0600, &err),
		  -KB_ERR_SYS);
	check_str(err.msg, "cannot replace 'dir': Is a directory");
	check_int(entry_count(), 1);

	check_int(kb_file_replace(AT_FDCWD, "no/f", "x", 1, 0600, &err),
		  -KB_ERR_SYS);
	check_int(err.sys_errno, ENOENT);
	scratch_leave();
}

static void test_paths_start_at_the_directory(void)
{
	kb_auto(buf) struct kb_buf b = KB_BUF_INIT;
	kb_auto(fd) int d = -1;

	scratch_enter();
	check_int(kb_dir_make("d/sub", NULL), 0);
	d = open("d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check_int(kb_file_replace(d, "sub/f", "x", 1, 0600, NULL), 0);
	check_content("d/sub/f", "x");
	check_int(kb_file_read(&b, d, "sub/f", 1, NULL), 0);
	check_int(kb_dir_sync(d, "sub", NULL), 0);
	check_int(kb_dir_remove(d, "sub", NULL), 0);
	check_int(access("d/sub", F_OK), -1);
	scratch_leave();
}

static void test_write_all_names_what_failed(void)
{
	kb_auto(fd) int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_file_write_all(fd, "", 0, "f", &err), 0);
	check_int(kb_file_write_all(fd, "x", 1, "f", &err), -KB_ERR_SYS);
	check_str(err.msg, "cannot write 'f': No space left on device");
}

static void test_dir_make_makes_parents(void)
{
	struct stat st = { 0 };

	scratch_enter();
	check_int(kb_dir_make("a//b/c/", NULL), 0);
	check_int(kb_dir_make("a//b/c/", NULL), 0);
	check_int(stat("a/b/c", &st), 0);
	check(S_ISDIR(st.st_mode));

	put("f", "");
	check_int(kb_dir_make("f", NULL), -KB_ERR_INPUT);
	check_int(kb_dir_make("f/x", NULL), -KB_ERR_SYS);
	check_int(kb_dir_make("", NULL), -KB_ERR_SYS);
	scratch_leave();
}

static void test_dir_sync_wants_a_directory(void)
{
	scratch_enter();
	put("f", "");
	check_int(kb_dir_sync(AT_FDCWD, ".", NULL), 0);
	check_int(kb_dir_sync(AT_FDCWD, "f", NULL), -KB_ERR_SYS);
	check_int(kb_dir_sync(AT_FDCWD, "none", NULL), -KB_ERR_SYS);
	scratch_leave();
}

/* File systems list them by time or by hash, and so not all of these as they come. */
static void test_dir_names_are_sorted(void)
{
	static const char *const names[] = { "b", ".hidden", "a", "B", "ab", "c", "\xff" };
	static const char *const sorted[] = { ".hidden", "B", "a", "ab", "b", "c", "\xff" };
	kb_auto(names) char **got = NULL, **none = NULL;
	kb_auto(fd) int fd = -1;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++)
		put(names[i], "");
	fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	check_int(kb_dir_names(&got, fd, "d", NULL), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(sorted); i++)
		check_str(got[i], sorted[i]);
	check(!got[KB_ARRAY_LEN(sorted)]);
	check_int(kb_dir_names(&none, -1, "d", &err), -KB_ERR_SYS);
	check_str(err.msg, "cannot read 'd': Bad file descriptor");
	scratch_leave();
}

static void test_dir_remove_takes_all_but_what_links_point_to(void)
{
	struct stat st;

	scratch_enter();
	put("kept", "kept");
	check_int(mkdir("d", 0700), 0);
	check_int(mkdir("d/sub", 0700), 0);
	put("d/sub/f", "x");
	check_int(symlink("../kept", "d/link"), 0);
	check_int(symlink("..", "d/up"), 0);
	check_int(chmod("d/sub", 0500), 0);

	check_int(kb_dir_remove(AT_FDCWD, "d", NULL), 0);
	check_int(stat("d", &st), -1);
	check_content("kept", "kept");
	check_int(kb_dir_remove(AT_FDCWD, "d", NULL), 0);
	scratch_leave();
}

/* This one is <build>/tests/unit/u-base. */
static void test_a_program_knows_where_it_is(void)
{
	kb_auto(mem) char *prefix = kb_self_prefix(NULL);
	kb_auto(mem) char *self = NULL;
	size_t len;

	check(prefix != NULL);
	len = strlen(prefix);
	check(len > 6 && !strcmp(prefix + len - 6, "/tests"));
	self = kb_xasprintf("%s/unit/u-base", prefix);
	check_int(access(self, X_OK), 0);
}

TAP_MAIN(TAP(test_empty_allocations_are_real),
	 TAP(test_no_text_is_not_an_empty_one),
	 TAP(test_calloc_is_zeroed),
	 TAP(test_string_copies),
	 TAP(test_grow_keeps_elements),
	 TAP(test_overflow_and_bugs_abort),
	 TAP(test_empty_buf_is_a_string),
	 TAP(test_buf_adds_of_each_kind),
	 TAP(test_buf_stays_terminated),
	 TAP(test_buf_of_one_empty_does_not_touch_another),
	 TAP(test_buf_clear_keeps_the_allocation),
	 TAP(test_buf_grows_geometrically),
	 TAP(test_buf_reserve_is_room_without_length),
	 TAP(test_buf_detach_hands_on),
	 TAP(test_buf_overflow_aborts),
	 TAP(test_err_returns_its_kind),
	 TAP(test_err_sys_says_errno_and_keeps_it),
	 TAP(test_err_wrap_puts_context_in_front),
	 TAP(test_err_cuts_long_messages),
	 TAP(test_read_appends),
	 TAP(test_read_of_many_chunks),
	 TAP(test_read_refuses),
	 TAP(test_a_pipe_that_is_named_is_read_to_its_end),
	 TAP(test_a_mode_is_less_the_umask),
	 TAP(test_replace_leaves_one_file),
	 TAP(test_replace_takes_the_place_of_a_link),
	 TAP(test_failed_replace_leaves_no_temporary_file),
	 TAP(test_paths_start_at_the_directory),
	 TAP(test_write_all_names_what_failed),
	 TAP(test_dir_make_makes_parents),
	 TAP(test_dir_sync_wants_a_directory),
	 TAP(test_dir_names_are_sorted),
	 TAP(test_dir_remove_takes_all_but_what_links_point_to),
	 TAP(test_a_program_knows_where_it_is));
