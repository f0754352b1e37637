#include "store/kept.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/scratch.h"
#include "lib/tap.h"

static struct kb_digest key_of(uint8_t number)
{
	return (struct kb_digest){ .bytes = { number } };
}

/* A folder and a file in it with `len` bytes. */
static void fill(struct kb_kept *k, size_t len)
{
	static const char bytes[100000];
	struct kb_kept_entry *e;

	k->outcome = kb_xstrdup("made");
	k->log = kb_xstrdup("said");
	kb_kept_add(k, "a")->is_dir = true;
	e = kb_kept_add(k, "a/b");
	e->changed_s = 1700000000;
	e->changed_ns = 999999999;
	e->data = bytes;
	e->len = len;
}

static void put(const char *dir, uint8_t number, size_t len)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	const struct kb_digest key = key_of(number);

	fill(&k, len);
	check_int(kb_kept_put(dir, &key, &k, NULL), 0);
}

static bool has(const char *dir, uint8_t number)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	const struct kb_digest key = key_of(number);

	return kb_kept_find(&k, dir, &key);
}

static char *path_of(const char *dir, uint8_t number)
{
	const struct kb_digest key = key_of(number);
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&key, hex);
	return kb_xasprintf("%s/%s", dir, hex);
}

static void test_names(void)
{
	static const struct {
		const char *name;
		bool ok;
	} rows[] = {
		{ "", false }, { "a", true }, { "a/b", true }, { "/", false },
		{ "/a", false }, { "a/", false }, { "a//b", false },
		{ ".", false }, { "..", false }, { "a/.", false },
		{ "a/../b", false }, { "...", true }, { ".a", true },
		{ "..a/b..", true }, { "\xff", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++)
		check_int(kb_kept_name_ok(rows[i].name), rows[i].ok);
}

static void test_nothing_is_kept_as_well(void)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT, back = KB_KEPT_INIT;
	const struct kb_digest key = key_of(1);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	k.outcome = kb_xstrdup("made");
	kb_kept_print(&text, &k, &key);
	check_int(kb_kept_parse(&back, text.data, text.len, &key, NULL), 0);
	check_str(back.outcome, "made");
	check(!back.detail);
	check_str(back.log, "");
	check_int((intmax_t)back.count, 0);
}

static void test_what_is_put_is_found(void)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	const struct kb_digest key = key_of(1);
	static const char dir[] = "x/y";

	scratch_enter();
	check(!has(dir, 1));
	put(dir, 1, 3);
	check(!has(dir, 2));
	check(kb_kept_find(&k, dir, &key));
	check_str(k.outcome, "made");
	check_str(k.log, "said");
	check_int((intmax_t)k.count, 2);
	check(k.entries[0].is_dir);
	check_str(k.entries[1].name, "a/b");
	check_int((intmax_t)k.entries[1].len, 3);
	check_int(k.entries[1].changed_s, 1700000000);
	check_int(k.entries[1].changed_ns, 999999999);
	check(!memcmp(k.entries[1].data, "\0\0\0", 3));
	scratch_leave();
}

/* Cut at every length, and every byte changed. */
static void test_what_is_damaged_is_not_there(void)
{
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	const struct kb_digest key = key_of(1);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	fill(&k, 3);
	kb_kept_print(&text, &k, &key);
	for (size_t i = 0; i < text.len; i++) {
		kb_auto(kept) struct kb_kept back = KB_KEPT_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_kept_parse(&back, text.data, i, &key, &err),
			  -KB_ERR_CORRUPT);
		text.data[i] ^= 1;
		check_int(kb_kept_parse(&back, text.data, text.len, &key,
					&err), -KB_ERR_CORRUPT);
		text.data[i] ^= 1;
	}
}

static void test_a_damaged_file_is_replaced(void)
{
	kb_auto(mem) char *path = path_of(".", 1);

	scratch_enter();
	put(".", 1, 3);
	check_int(chmod(path, 0600), 0);	/* for who is not root */
	check_int(truncate(path, 100), 0);
	check(!has(".", 1));
	put(".", 1, 3);
	check(has(".", 1));
	scratch_leave();
}

static void test_one_under_anothers_name_is_not_there(void)
{
	kb_auto(mem) char *first = path_of(".", 1);
	kb_auto(mem) char *second = path_of(".", 2);

	scratch_enter();
	put(".", 1, 3);
	check_int(rename(first, second), 0);
	check(!has(".", 2));
	scratch_leave();
}

static void make_old(const char *dir, uint8_t number, time_t when)
{
	kb_auto(mem) char *path = path_of(dir, number);
	const struct timespec times[2] = { { .tv_sec = when },
					   { .tv_sec = when } };

	check_int(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Three of some 40000 bytes; what was used last stays longest. */
static void test_the_oldest_go_first(void)
{
	scratch_enter();
	kb_kept_trim(".", 0);
	for (uint8_t i = 1; i <= 3; i++) {
		put(".", i, 40000);
		make_old(".", i, 1000 + i);
	}
	kb_kept_trim(".", 200000);
	check(has(".", 1));			/* and is the youngest now */
	kb_kept_trim(".", 100000);
	check(has(".", 1) && !has(".", 2) && has(".", 3));
	kb_kept_trim(".", 0);
	check(!has(".", 1) && !has(".", 3));
	kb_kept_trim("/nowhere/at/all", 0);
	scratch_leave();
}

/* In a file system of 256 KiB, a quarter of which is not much; 99 where there can be
 * none, as for other users than root: it would have to be of an id that they have. */
static int put_in_small(size_t len)
{
	const struct kb_digest key = key_of(1);
	kb_auto(kept) struct kb_kept k = KB_KEPT_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (unshare(CLONE_NEWNS) < 0 || mkdir("small", 0700) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "small", "tmpfs", 0, "size=262144") < 0)
		return 99;
	fill(&k, len);
	if (kb_kept_put("small", &key, &k, &err) == 0)
		return !has("small", 1);
	return has("small", 1) ||
	       strcmp(err.msg, "cannot keep a build in 'small': "
		      "No space left on device") ? 2 : 3;
}

static int in_child(size_t len)
{
	const pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(put_in_small(len));
	check_int(waitpid(pid, &status, 0), pid);
	(void)rmdir("small");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_no_disk_is_filled(void)
{
	int answer;

	scratch_enter();
	answer = in_child(40000);
	if (answer == 99) {
		tap_skip("no file system can be mounted");
	} else {
		check_int(answer, 0);
		check_int(in_child(80000), 3);
	}
	scratch_leave();
}

TAP_MAIN(
	TAP(test_names),
	TAP(test_nothing_is_kept_as_well),
	TAP(test_what_is_put_is_found),
	TAP(test_what_is_damaged_is_not_there),
	TAP(test_a_damaged_file_is_replaced),
	TAP(test_one_under_anothers_name_is_not_there),
	TAP(test_the_oldest_go_first),
	TAP(test_no_disk_is_filled)
);
