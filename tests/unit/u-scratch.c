#include "confine/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/confine.h"
#include "lib/scratch.h"
#include "lib/tap.h"

/* The directory that kb_scratch_open() works in. */
static void enter(void)
{
	scratch_enter();
	check_int(setenv("TMPDIR", scratch_path, 1), 0);
}

static void leave(void)
{
	scratch_leave();
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

static void check_mode(const char *path, int mode)
{
	struct stat st;

	check_int(stat(path, &st), 0);
	check_int(st.st_mode & 07777, mode);
}

/* A root that some earlier run left, so many seconds ago. */
static void make_root(const char *name, int age_s)
{
	const struct timespec times[2] = {
		{ .tv_sec = time(NULL) - age_s },
		{ .tv_sec = time(NULL) - age_s },
	};

	kb_auto(mem) char *file = kb_xasprintf("%s/0/deep/file", name);

	scratch_print(file, "x");
	check_int(utimensat(AT_FDCWD, name, times, 0), 0);
}

static void test_root_is_there_until_released(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_err err = KB_ERR_INIT;
	char root[128];

	enter();
	check_int(kb_scratch_open(&s, &err), 0);
	check(!strncmp(s.root, scratch_path, strlen(scratch_path)));
	check(!strncmp(s.root + strlen(scratch_path), "/kb-scratch-", 12));
	snprintf(root, sizeof(root), "%s", s.root);
	check_mode(root, 0711);
	kb_scratch_release(&s);
	check(!exists(root));
	kb_scratch_release(&s);
	leave();
}

static void test_stale_roots_are_swept_and_others_are_not(void)
{
	kb_auto(fd) int lock = -1;
	struct kb_scratch s = KB_SCRATCH_INIT;

	enter();
	make_root("kb-scratch-stale", 3600);
	make_root("kb-scratch-young", 0);
	make_root("kb-scratch-locked", 3600);
	make_root("not-kb-scratch-1", 3600);
	make_root("elsewhere", 3600);
	check_int(symlink("elsewhere", "kb-scratch-link"), 0);
	scratch_print("kb-scratch-file", "x");
	lock = open("kb-scratch-locked", O_RDONLY | O_DIRECTORY);
	check_int(flock(lock, LOCK_EX), 0);

	check_int(kb_scratch_open(&s, NULL), 0);
	check(!exists("kb-scratch-stale"));
	check(exists("kb-scratch-young/0/deep/file"));
	check(exists("kb-scratch-locked/0/deep/file"));
	check(exists("not-kb-scratch-1/0/deep/file"));
	check(exists("elsewhere/0/deep/file"));
	check(exists("kb-scratch-link"));
	check(exists("kb-scratch-file"));
	kb_scratch_release(&s);
	leave();
}

static void test_roots_of_others_are_not_swept(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;

	if (geteuid()) {
		tap_skip("needs root");
		return;
	}
	enter();
	make_root("kb-scratch-theirs", 3600);
	check_int(chown("kb-scratch-theirs", 1, 1), 0);
	check_int(kb_scratch_open(&s, NULL), 0);
	check(exists("kb-scratch-theirs/0/deep/file"));
	kb_scratch_release(&s);
	leave();
}

static void test_open_root_is_not_swept_by_the_next_run(void)
{
	const struct timespec old[2] = { { .tv_sec = 1 }, { .tv_sec = 1 } };
	struct kb_scratch a = KB_SCRATCH_INIT, b = KB_SCRATCH_INIT;

	enter();
	check_int(kb_scratch_open(&a, NULL), 0);
	check_int(utimensat(AT_FDCWD, a.root, old, 0), 0);
	check_int(kb_scratch_open(&b, NULL), 0);
	check(exists(a.root));
	check(strcmp(a.root, b.root) != 0);
	kb_scratch_release(&a);
	kb_scratch_release(&b);
	leave();
}

/* In place of libc's: of a file system that refuses, unless it is 0. */
static int lock_errno;

int flock(int fd, int operation)
{
	if (!lock_errno)
		return (int)syscall(SYS_flock, fd, operation);
	errno = lock_errno;
	return -1;
}

static void test_root_that_cannot_be_locked_is_refused(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_err err = KB_ERR_INIT;
	kb_auto(mem) char *start = NULL;

	enter();
	start = kb_xasprintf("TMPDIR '%s': cannot lock '%s/kb-scratch-",
			     scratch_path, scratch_path);
	lock_errno = EBADF;
	check_int(kb_scratch_open(&s, &err), -KB_ERR_SYS);
	lock_errno = 0;
	check(!strncmp(err.msg, start, strlen(start)));
	check(strstr(err.msg, "its file system has no locks (Bad file"));
	check(!s.root);
	leave();
}

static void test_pairs_have_their_modes_whatever_the_umask(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_scratch_dir d = { .work = NULL }, e = { .work = NULL };
	mode_t mask;

	enter();
	check_int(kb_scratch_open(&s, NULL), 0);
	mask = umask(077);
	check_int(kb_scratch_make(&s, &d, false, NULL), 0);
	check_int(kb_scratch_make(&s, &e, false, NULL), 0);
	check_int(kb_scratch_put(&d, "a.c", "text", 4, NULL), 0);
	umask(mask);
	check(strcmp(d.work, e.work) && strcmp(d.code, e.code));
	check_mode(d.work, 0700);
	check_mode(d.code, 0755);

	kb_auto(mem) char *file = kb_xasprintf("%s/a.c", d.code);

	check_mode(file, 0444);
	kb_scratch_remove(&d);
	check(!d.work && !d.code && !exists(file));
	kb_scratch_remove(&d);
	check(exists(e.work));
	kb_scratch_remove(&e);
	kb_scratch_release(&s);
	leave();
}

static void test_work_is_given_away_to_the_other_user(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_scratch_dir d = { .work = NULL };
	struct stat st;

	if (geteuid()) {
		tap_skip("needs root");
		return;
	}
	enter();
	check_int(kb_scratch_open(&s, NULL), 0);
	check_int(kb_scratch_make(&s, &d, true, NULL), 0);
	check_int(stat(d.work, &st), 0);
	check_int(st.st_uid, KB_WORKER_UID);
	check_int(st.st_gid, KB_WORKER_GID);
	check_int(stat(d.code, &st), 0);
	check_int(st.st_uid, 0);
	kb_scratch_remove(&d);
	kb_scratch_release(&s);
	leave();
}

static void test_put_and_copy(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_scratch_dir d = { .work = NULL };
	struct kb_err err = KB_ERR_INIT;

	enter();
	check_int(kb_scratch_open(&s, NULL), 0);
	check_int(kb_scratch_make(&s, &d, false, NULL), 0);
	scratch_write("from/bytes", "a\0b", 3);
	check_int(kb_scratch_copy(&d, "from", "bytes", &err), 0);
	check_str(err.msg, "");

	kb_auto(mem) char *file = kb_xasprintf("%s/bytes", d.code);

	scratch_read(&text, file);
	check_int(text.len, 3);
	check(!memcmp(text.data, "a\0b", 3));

	/* Nothing is replaced. */
	kb_auto(mem) char *want =
		kb_xasprintf("cannot create '%s': File exists", file);

	check_int(kb_scratch_put(&d, "bytes", "x", 1, &err), -KB_ERR_SYS);
	check_str(err.msg, want);
	check_int(kb_scratch_copy(&d, "from", "nosuch", &err),
		  -KB_ERR_MISSING);
	kb_scratch_remove(&d);
	kb_scratch_release(&s);
	leave();
}

static void test_missing_temporary_directory_is_named(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(setenv("TMPDIR", "/nonexistent", 1), 0);
	check_int(kb_scratch_open(&s, &err), -KB_ERR_SYS);
	check(!strncmp(err.msg, "cannot make directory '/nonexistent/"
				"kb-scratch-", 47));
	check(strstr(err.msg, "': No such file or directory"));
	check(!s.root);
	check_int(s.lock_fd, -1);
	kb_scratch_release(&s);
}

/* What a worker leaves in it is hostile, but goes all the same. */
static void test_whatever_is_left_is_removed(void)
{
	struct kb_scratch s = KB_SCRATCH_INIT;
	struct kb_scratch_dir d = { .work = NULL };
	char root[128];

	enter();
	check_int(kb_scratch_open(&s, NULL), 0);
	check_int(kb_scratch_make(&s, &d, false, NULL), 0);
	snprintf(root, sizeof(root), "%s", s.root);
	check_int(chdir(d.work), 0);
	for (int i = 0; i < 200; i++) {
		check_int(mkdir("d", 0700), 0);
		check_int(chdir("d"), 0);
	}
	check_int(symlink("/etc/passwd", "link"), 0);
	check_int(mkfifo("fifo", 0600), 0);
	check_int(chdir(scratch_path), 0);
	kb_scratch_remove(&d);
	kb_scratch_release(&s);
	check(!exists(root));
	check(exists("/etc/passwd"));
	leave();
}

static void test_paths_are_cut_from_texts(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "" },
		{ "no path", "no path" },
		{ "/t d/kb-scratch-aB3dE6/4-code/code.c", "code.c" },
		{ "/t d/kb-scratch-aB3dE6/12/x/y", "x/y" },
		{ "'/t d/kb-scratch-aB3dE6/0'", "''" },
		{ "-I/t d/kb-scratch-aB3dE6/4-code -o", "-I -o" },
		{ "/t d/kb-scratch-aB3dE6", "" },
		{ "a /t d/kb-scratch-aB3dE6/1/b:/t d/kb-scratch-aB3dE6/2/c\n",
		  "a b:c\n" },
		{ "/t d/kb-scratch-", "/t d/kb-scratch-" },
		{ "/t d/kb-scratch-aB3dE", "/t d/kb-scratch-aB3dE" },
		{ "/tmp/kb-scratch-aB3dE6/4-code/code.c",
		  "/tmp/kb-scratch-aB3dE6/4-code/code.c" },
	};

	check_int(setenv("TMPDIR", "/t d", 1), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_scratch_cut_paths(&out, rows[i].text, strlen(rows[i].text));
		check_str(out.data, rows[i].want);
	}
}

TAP_MAIN(
	TAP(test_root_is_there_until_released),
	TAP(test_stale_roots_are_swept_and_others_are_not),
	TAP(test_roots_of_others_are_not_swept),
	TAP(test_open_root_is_not_swept_by_the_next_run),
	TAP(test_root_that_cannot_be_locked_is_refused),
	TAP(test_pairs_have_their_modes_whatever_the_umask),
	TAP(test_work_is_given_away_to_the_other_user),
	TAP(test_put_and_copy),
	TAP(test_missing_temporary_directory_is_named),
	TAP(test_whatever_is_left_is_removed),
	TAP(test_paths_are_cut_from_texts),
);
