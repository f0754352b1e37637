#include "store/store.h"

#include <stdlib.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/err.h"
#include "lib/tap.h"
#include "lib/tiny.h"
#include "store/archive.h"
#include "store/one_member.h"

/* The members of the tiny bundle, not in their order. */
static int add_tiny(struct kb_bundle_writer *w, struct kb_err *err)
{
	int ret;

	ret = kb_bundle_writer_add(w, "data/manifest.json", TINY_RECORD,
				   strlen(TINY_RECORD), err);
	if (ret < 0)
		return ret;
	ret = kb_bundle_writer_add(w, "data/a/one.txt", TINY_ONE,
				   strlen(TINY_ONE), err);
	if (ret < 0)
		return ret;
	return kb_bundle_writer_add(w, "data/a/empty", "", 0, err);
}

static int commit_tiny(const char *store, struct kb_digest *id,
		       struct kb_err *err)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	int ret;

	ret = kb_bundle_writer_new(&w, store, err);
	if (ret < 0)
		return ret;
	ret = add_tiny(w, err);
	if (ret < 0)
		return ret;
	return kb_bundle_writer_commit(w, id, err);
}

/* A bundle of one member, committed; its id as text. */
static void commit_one(const char *store, const char *text,
		       char hex[KB_DIGEST_HEX_SIZE])
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_digest id;

	check_int(kb_bundle_writer_new(&w, store, NULL), 0);
	check_int(kb_bundle_writer_add(w, "data/x", text, strlen(text), NULL),
		  0);
	check_int(kb_bundle_writer_commit(w, &id, NULL), 0);
	kb_digest_format(&id, hex);
}

/* How many entries a directory has whose names start with `prefix`. */
static int count(const char *dir, const char *prefix)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int n = 0;

	while ((e = readdir(d)))
		n += strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		     !strncmp(e->d_name, prefix, strlen(prefix));
	closedir(d);
	return n;
}

static void test_commit_writes_the_tiny_bundle(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(commit_tiny("a/store", &id, &err), 0);
	check_str(err.msg, "");
	kb_digest_format(&id, hex);
	check_str(hex, TINY_ID);
	for (size_t i = 0; i < TINY_FILE_COUNT; i++) {
		kb_auto(mem) char *path = kb_xasprintf("a/store/" TINY_ID "/%s",
						       tiny_files[i].name);
		struct stat st;

		scratch_read(&text, path);
		check_str(text.data, tiny_files[i].text);
		check_int(stat(path, &st), 0);
		check_int(st.st_mode & 07777, 0444);
	}
	check_int(count("a/store", ""), 1);
	scratch_leave();
}

static void test_commit_of_a_known_id_changes_nothing(void)
{
	struct kb_digest first, second;
	struct stat before, after;

	scratch_enter();
	check_int(commit_tiny("s", &first, NULL), 0);
	check_int(stat("s/" TINY_ID, &before), 0);
	check_int(commit_tiny("s", &second, NULL), 0);
	check_int(stat("s/" TINY_ID, &after), 0);
	check(kb_digest_equal(&first, &second));
	check_int(after.st_ino, before.st_ino);
	check_int(count("s", ""), 1);
	scratch_leave();
}

static void test_discarded_bundle_leaves_nothing(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;

	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "s", NULL), 0);
	check_int(add_tiny(w, NULL), 0);
	check_int(count("s", ".kb-tmp-"), 1);
	kb_bundle_writer_free(kb_steal(w));
	check_int(count("s", ""), 0);
	scratch_leave();
}

static void test_writer_refusals(void)
{
	static const struct {
		const char *name;
		const char *message;
	} cases[] = {
		{ "x", "name 'x' does not start with 'data/'" },
		{ "data/../x",
		  "name 'data/../x' has a component '.' or '..'" },
		{ "data/a/b", "name 'data/a/b' is there twice" },
		{ "data/a/B",
		  "names 'data/a/b' and 'data/a/B' differ only in case" },
		{ "data/A/c",
		  "names 'data/a/b' and 'data/A/c' differ only in case" },
		{ "data/a", "name 'data/a' is a file and a directory" },
		{ "data/a/b/c", "name 'data/a/b' is a file and a directory" },
	};
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "s", NULL), 0);
	check_int(kb_bundle_writer_commit(w, &id, &err), -KB_ERR_INPUT);
	check_str(err.msg, "bundle has no members");

	check_int(kb_bundle_writer_add(w, "data/a/b", "", 0, NULL), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		check_int(kb_bundle_writer_add(w, cases[i].name, "", 0, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, cases[i].message);
	}
	check_int(kb_bundle_writer_add(w, "data/a/c", "", 0, NULL), 0);
	check_int(kb_bundle_writer_commit(w, &id, NULL), 0);
	scratch_leave();
}

static void test_store_that_is_a_file_is_refused(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("s", "");
	check_int(kb_bundle_writer_new(&w, "s", &err), -KB_ERR_INPUT);
	check_str(err.msg, "cannot make store 's': 's' is not a directory");
	scratch_leave();
}

static void test_writer_removes_what_dead_writers_left(void)
{
	struct kb_digest id;
	pid_t pid;

	scratch_enter();
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct kb_bundle_writer *w;

		kb_bundle_writer_new(&w, "s", NULL);
		add_tiny(w, NULL);
		raise(SIGKILL);
	}
	waitpid(pid, NULL, 0);
	check_int(count("s", ".kb-tmp-"), 1);
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(count("s", ".kb-tmp-"), 0);
	check_int(count("s", ""), 1);
	scratch_leave();
}

static void test_writer_spares_the_living(void)
{
	kb_auto(bundle_writer) struct kb_bundle_writer *w = NULL;
	struct kb_digest id;

	scratch_enter();
	check_int(kb_bundle_writer_new(&w, "s", NULL), 0);
	check_int(add_tiny(w, NULL), 0);
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(count("s", ".kb-tmp-"), 1);
	check_int(kb_bundle_writer_commit(w, &id, NULL), 0);
	kb_bundle_writer_free(kb_steal(w));
	check_int(count("s", ""), 1);
	scratch_leave();
}

/* Whose locks are not seen here, it may be. */
static void test_writer_spares_other_nodes_for_a_day(void)
{
	static const char name[] = "s/.kb-tmp-00000000-0123456789abcdef";
	struct timespec times[2] = { { .tv_sec = time(NULL) - 23 * 3600 } };
	struct kb_digest id;

	times[1] = times[0];
	scratch_enter();
	check_int(mkdir("s", 0777), 0);
	check_int(mkdir(name, 0777), 0);
	check_int(utimensat(AT_FDCWD, name, times, 0), 0);
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(count("s", ".kb-tmp-"), 1);
	times[1].tv_sec -= 2 * 3600;
	check_int(utimensat(AT_FDCWD, name, times, 0), 0);
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(count("s", ".kb-tmp-"), 0);
	scratch_leave();
}

static void test_writer_spares_temporary_files(void)
{
	struct kb_digest id;

	scratch_enter();
	scratch_print("s/.kb-tmp-0123456789abcdef", "");
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(count("s", ".kb-tmp-"), 1);
	scratch_leave();
}

/* Many writers of one id at a time: one bundle, no debris, no failure. */
static void test_writers_of_one_store_do_not_disturb_each_other(void)
{
	int failed = 0, status;

	scratch_enter();
	fflush(stdout);
	for (int i = 0; i < 8; i++) {
		struct kb_digest id;
		int ret = 0;

		if (fork() > 0)
			continue;
		for (int k = 0; k < 5 && ret == 0; k++)
			ret = commit_tiny("s", &id, NULL);
		_exit(ret != 0);
	}
	while (wait(&status) > 0)
		failed += status != 0;
	check_int(failed, 0);
	check_int(count("s", ""), 1);
	check_int(count("s", TINY_ID), 1);
	scratch_leave();
}

/* Open by `name` in a store and compare the path found. */
static void check_found_in(const char *store, const char *name,
			   const char *want)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	kb_store_open(&b, store, name, &err);
	check_str(err.msg, "");
	check_str(b.path ? b.path : "", want);
}

static void check_found(const char *name, const char *want)
{
	check_found_in("s", name, want);
}

static void test_bundle_is_found_by_path_id_and_prefix(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(commit_tiny("s", &id, NULL), 0);
	scratch_print("s/6fa7abca-notes", "");
	check_found(TINY_ID, "s/" TINY_ID);
	check_found("6fa7abca", "s/" TINY_ID);
	check_found("6fa7abca102a8", "s/" TINY_ID);
	check_found("s/" TINY_ID, "s/" TINY_ID);

	check_int(kb_bundle_open(&b, "s/" TINY_ID, NULL), 0);
	check_int(kb_archive_write(&b, "6fa7abca", NULL), 0);
	check_found("6fa7abca", "6fa7abca");
	scratch_leave();
}

static void test_a_store_lists_what_lies_under_an_id(void)
{
	kb_auto(mem) struct kb_digest *ids = NULL;
	struct kb_digest id;
	size_t count = 1;

	scratch_enter();
	check_int(kb_store_list(&ids, &count, "s", NULL), 0);
	check_int((int)count, 0);
	free(ids);
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(mkdir("s/" TINY_EMPTY_HEX, 0777), 0);
	check_int(mkdir("s/.names", 0777), 0);
	scratch_print("s/" TINY_ID ".tar.gz", "");
	check_int(kb_store_list(&ids, &count, "s", NULL), 0);
	check_int((int)count, 2);
	check(kb_digest_equal(&ids[0], &id));	/* 6..., and then e... */
	scratch_leave();
}

static void test_bundle_is_not_found(void)
{
	static const struct {
		const char *name;
		const char *message;
	} cases[] = {
		{ "nosuch", "'nosuch' is neither a file, nor a folder, nor a bundle in 's'" },
		{ "6fa7abc", "'6fa7abc' is neither a file, nor a folder, nor a bundle in 's'" },
		{ "6FA7ABCA", "'6FA7ABCA' is neither a file, nor a folder, nor a bundle in 's'" },
		{ "0123456", "'0123456' is neither a file, nor a folder, nor a bundle in 's'" },
		{ TINY_ID "0",
		  "'" TINY_ID "0' is neither a file, nor a folder, nor a bundle in 's'" },
	};
	struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(kb_store_open(&b, "none", TINY_ID, &err), -KB_ERR_MISSING);
	check_str(err.msg,
		  "'" TINY_ID "' is neither a file, nor a folder, nor a bundle in 'none'");
	check_int(commit_tiny("s", &id, NULL), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		check_int(kb_store_open(&b, "s", cases[i].name, &err),
			  -KB_ERR_MISSING);
		check_str(err.msg, cases[i].message);
	}
	scratch_leave();
}

/* Ids cannot be chosen, so these are empty directories called like some. */
static void test_ambiguous_prefix_lists_the_ids(void)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;
	char other[KB_DIGEST_HEX_SIZE] = TINY_ID;
	kb_auto(mem) char *path = NULL;
	kb_auto(mem) char *want = NULL;

	scratch_enter();
	check_int(commit_tiny("s", &id, NULL), 0);
	other[63] = 'f';
	path = kb_xasprintf("s/%s", other);
	check_int(mkdir(path, 0777), 0);
	want = kb_xasprintf("'6fa7abca' stands for 2 bundles in store 's': %s %s",
			    TINY_ID, other);
	check_int(kb_store_open(&b, "s", "6fa7abca", &err), -KB_ERR_INPUT);
	check_str(err.msg, want);
	scratch_leave();
}

static void test_bundle_under_another_id_is_refused(void)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	tiny_make("s/" TINY_EMPTY_HEX);
	check_int(kb_store_open(&b, "s", "e3b0c442", &err), -KB_ERR_CORRUPT);
	check_str(err.msg,
		  "bundle 's/" TINY_EMPTY_HEX "': "
		  "'manifest-sha256.txt' makes its id '" TINY_ID "'");
	check_int(kb_bundle_open(&b, "s/" TINY_EMPTY_HEX "/.", &err),
		  -KB_ERR_CORRUPT);
	check(strstr(err.msg, "makes its id '" TINY_ID "'") != NULL);
	scratch_leave();
}

static void test_archive_under_another_id_is_refused(void)
{
	struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(commit_tiny("s", &id, NULL), 0);
	check_int(kb_bundle_open(&b, "s/" TINY_ID, NULL), 0);
	check_int(mkdir("other", 0777), 0);
	check_int(kb_archive_write(&b, "other/" TINY_EMPTY_HEX, NULL), 0);
	check_int(kb_archive_write(&b, "other/" TINY_ID, NULL), 0);
	kb_bundle_release(&b);
	check_int(kb_store_open(&b, "other", TINY_EMPTY_HEX, &err),
		  -KB_ERR_CORRUPT);
	check_str(err.msg,
		  "bundle 'other/" TINY_EMPTY_HEX "': "
		  "'manifest-sha256.txt' makes its id '" TINY_ID "'");
	check_found_in("other", TINY_ID, "other/" TINY_ID);
	scratch_leave();
}

static void test_different_content_has_different_ids(void)
{
	char a[KB_DIGEST_HEX_SIZE], b[KB_DIGEST_HEX_SIZE];

	scratch_enter();
	commit_one("s", "a", a);
	commit_one("s", "b", b);
	check(strcmp(a, b));
	check_int(count("s", ""), 2);
	scratch_leave();
}

static void test_an_id_is_that_bundle_or_none(void)
{
	kb_auto(bundle) struct kb_bundle tiny = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id, other;

	scratch_enter();
	check_int(commit_tiny("store", &id, NULL), 0);
	commit_one("store", "x", hex);
	check_int(kb_digest_parse(&other, hex, NULL), 0);
	check_int(kb_store_open_id(&tiny, "store", &id, NULL), 0);
	check(kb_digest_equal(&tiny.id, &id));

	/* What lies here under the name of an id is not the store's. */
	check_int(kb_archive_write(&tiny, hex, NULL), 0);
	kb_bundle_release(&tiny);
	check_int(kb_store_open_id(&tiny, "store", &other, NULL), 0);
	check(kb_digest_equal(&tiny.id, &other));
	kb_bundle_release(&tiny);
	check_int(kb_store_open_id(&tiny, "none", &other, &err),
		  -KB_ERR_MISSING);
	check(strstr(err.msg, "' in store 'none'") != NULL);
	memset(other.bytes, 0, sizeof(other.bytes));
	check_int(kb_store_open_id(&tiny, "store", &other, NULL),
		  -KB_ERR_MISSING);
	scratch_leave();
}

static void write_over(const char *hex, const char *member, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "store/%s/%s", hex, member);
	check_int(chmod(path, 0644), 0);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
}

/* Of a bundle that is opened for one member the others are not looked at,
 * but the list of them is what the id is of. */
static void test_one_member_is_opened_alone(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;

	scratch_enter();
	check_int(commit_tiny("store", &id, NULL), 0);
	kb_digest_format(&id, hex);
	write_over(hex, "data/a/one.txt", "another");
	check_int(kb_store_open_member(&b, "store", &id, "data/manifest.json",
				       &err), 0);
	check(kb_digest_equal(&b.id, &id));
	check_int(b.member_count, 1);
	check_int(kb_bundle_read(&out, &b, "data/manifest.json", 1000, NULL),
		  0);
	check_str(out.data, TINY_RECORD);
	kb_bundle_release(&b);

	check_int(kb_store_open_member(&b, "store", &id, "data/a/one.txt",
				       NULL), 0);
	check_int(kb_bundle_read(&out, &b, "data/a/one.txt", 1000, &err),
		  -KB_ERR_CORRUPT);
	check_int(kb_store_open_member(&b, "store", &id, "data/none", &err),
		  -KB_ERR_INPUT);
	write_over(hex, "manifest-sha256.txt", "");
	check_int(kb_store_open_member(&b, "store", &id, "data/manifest.json",
				       &err), -KB_ERR_CORRUPT);
	id.bytes[0] ^= 1;
	check_int(kb_store_open_member(&b, "store", &id, "data/manifest.json",
				       &err), -KB_ERR_MISSING);
	scratch_leave();
}

static void test_a_name_ends_with_its_line(void)
{
	static const char digits[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char line[100], hex[KB_DIGEST_HEX_SIZE], path[256];
	struct kb_err err = KB_ERR_INIT;
	struct kb_digest id;
	size_t len;
	FILE *f;

	scratch_enter();
	len = (size_t)snprintf(line, sizeof(line), "%s  data/x.more\n", digits);
	line[strcspn(line, ".")] = '\0';
	kb_digest_of(&id, line, len);
	kb_digest_format(&id, hex);
	snprintf(path, sizeof(path), "store/%s", hex);
	check(!mkdir("store", 0755) && !mkdir(path, 0755));
	snprintf(path, sizeof(path), "store/%s/manifest-sha256.txt", hex);
	f = fopen(path, "w");
	check_int((intmax_t)fwrite(line, 1, len, f), (intmax_t)len);
	fclose(f);
	check_int(kb_store_open_member(&b, "store", &id, "data/x", &err),
		  -KB_ERR_INPUT);
	check(strstr(err.msg, "has no 'data/x'") != NULL);
	scratch_leave();
}

TAP_MAIN(TAP(test_one_member_is_opened_alone),
	 TAP(test_a_name_ends_with_its_line),
	 TAP(test_commit_writes_the_tiny_bundle),
	 TAP(test_commit_of_a_known_id_changes_nothing),
	 TAP(test_discarded_bundle_leaves_nothing),
	 TAP(test_writer_refusals),
	 TAP(test_store_that_is_a_file_is_refused),
	 TAP(test_writer_removes_what_dead_writers_left),
	 TAP(test_writer_spares_the_living),
	 TAP(test_writer_spares_other_nodes_for_a_day),
	 TAP(test_writer_spares_temporary_files),
	 TAP(test_writers_of_one_store_do_not_disturb_each_other),
	 TAP(test_bundle_is_found_by_path_id_and_prefix),
	 TAP(test_a_store_lists_what_lies_under_an_id),
	 TAP(test_bundle_is_not_found),
	 TAP(test_ambiguous_prefix_lists_the_ids),
	 TAP(test_bundle_under_another_id_is_refused),
	 TAP(test_archive_under_another_id_is_refused),
	 TAP(test_different_content_has_different_ids),
	 TAP(test_an_id_is_that_bundle_or_none));
