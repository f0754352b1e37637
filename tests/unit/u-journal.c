#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"

#define LINES 3

static struct kb_json *identity_named(const char *name)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "run", name);
	return v;
}

static struct kb_json *line_numbered(int i)
{
	static const char *const texts[LINES] = { "", "caf\xc3\xa9 \"\n\"",
						  "{}" };
	struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "i", i);
	kb_json_set_string(v, "text", texts[i % LINES]);
	return v;
}

static bool is_line(const struct kb_json *v, int i)
{
	kb_auto(json) struct kb_json *want = line_numbered(i);
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;

	kb_json_print(&a, v);
	kb_json_print(&b, want);
	return !strcmp(a.data, b.data);
}

static void append(struct kb_journal *j, int first, int last)
{
	for (int i = first; i <= last; i++) {
		kb_auto(json) struct kb_json *v = line_numbered(i);

		check_int(kb_journal_append(j, v, NULL), 0);
	}
}

/* Open the journal of "a" in the directory "store". */
static int open_journal(struct kb_journal *j, struct kb_err *err)
{
	kb_auto(json) struct kb_json *identity = identity_named("a");

	return kb_journal_open(j, "store", identity, NULL, err);
}

static void check_holds(const struct kb_journal *j, size_t count)
{
	check_int(j->count, count);
	for (size_t i = 0; i < j->count; i++)
		check(is_line(j->lines[i], (int)i));
}

/* A journal of LINES lines, closed; its path and bytes. */
static char *make(struct kb_buf *bytes)
{
	struct kb_journal j = KB_JOURNAL_INIT;
	char *path;

	check_int(open_journal(&j, NULL), 0);
	append(&j, 0, LINES - 1);
	path = kb_xstrdup(j.path);
	kb_journal_release(&j);
	scratch_read(bytes, path);
	return path;
}

static void test_lines_come_back(void)
{
	struct kb_journal j = KB_JOURNAL_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct stat st;

	scratch_enter();
	check_int(open_journal(&j, &err), 0);
	check_holds(&j, 0);
	append(&j, 0, 1);
	check_holds(&j, 2);
	kb_journal_release(&j);

	check_int(open_journal(&j, &err), 0);
	check_holds(&j, 2);
	append(&j, 2, 5);
	kb_journal_release(&j);

	check_int(open_journal(&j, &err), 0);
	check_holds(&j, 6);
	check_int(stat(j.path, &st), 0);
	check_int(kb_journal_delete(&j, &err), 0);
	check_int(stat(j.path, &st), -1);
	kb_journal_release(&j);
	kb_journal_release(&j);
	check_str(err.msg, "");
	scratch_leave();
}

static void test_form_is_the_documented_one(void)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	struct kb_journal j = KB_JOURNAL_INIT;

	scratch_enter();
	check_int(open_journal(&j, NULL), 0);
	append(&j, 0, 0);
	check_str(j.path, "store/.journal-"
			  "653a15c7b55227be29be2b1156ce9b7d"
			  "1ae573ac619b26d7080f0ba4a4fbac9e");
	scratch_read(&bytes, j.path);
	check_str(bytes.data, "653a15c7b55227be {\"run\":\"a\"}\n"
			      "d7b5c8f514dc3591 {\"i\":0,\"text\":\"\"}\n");
	kb_journal_release(&j);
	scratch_leave();
}

/* What the library makes of bytes as they lie in a file; how many lines. */
static size_t parse(const void *data, size_t len)
{
	kb_auto(json) struct kb_json *identity = identity_named("a");
	struct kb_json **lines;
	size_t count, good;

	good = kb_journal_parse(&lines, &count, data, len, identity);
	check(good <= len);
	check(good || !count);
	check(count <= LINES);
	for (size_t i = 0; i < count; i++) {
		check(is_line(lines[i], (int)i));
		kb_json_free(lines[i]);
	}
	free(lines);
	return count;
}

/* How many whole lines there are in the first `len` bytes, the identity
 * not counted. */
static size_t whole_lines(const struct kb_buf *bytes, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += bytes->data[i] == '\n';
	return count ? count - 1 : 0;
}

static void test_every_truncation_is_a_prefix(void)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;

	scratch_enter();
	free(make(&bytes));
	for (size_t len = 0; len <= bytes.len; len++)
		check_int(parse(bytes.data, len), whole_lines(&bytes, len));
	scratch_leave();
}

static void test_every_flipped_bit_ends_the_journal_there(void)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;

	scratch_enter();
	free(make(&bytes));
	for (size_t at = 0; at < bytes.len; at++) {
		for (int bit = 0; bit < 8; bit++) {
			bytes.data[at] ^= (char)(1 << bit);
			check_int(parse(bytes.data, bytes.len),
				  whole_lines(&bytes, at));
			bytes.data[at] ^= (char)(1 << bit);
		}
	}
	check_int(parse(bytes.data, bytes.len), LINES);
	scratch_leave();
}

static void test_lines_do_not_hold_out_of_their_form(void)
{
	static const char *const tails[] = {
		"\n", " \n", "x\n", "{}\n", " {}\n",
		/* right, but for the check's case or length */
		"44136FA355B3678A {}\n", "44136fa355b3678 {}\n",
		"44136fa355b3678a1 {}\n", "44136fa355b3678a  {}\n",
		"44136fa355b3678a\t{}\n",
		/* right, but not canonical */
		"257c1be96ae69f4b { }\n",
	};
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;

	scratch_enter();
	free(make(&bytes));
	for (size_t i = 0; i < KB_ARRAY_LEN(tails); i++) {
		kb_auto(buf) struct kb_buf bent = KB_BUF_INIT;

		kb_buf_addstr(&bent, bytes.data);
		kb_buf_addstr(&bent, tails[i]);
		check_int(parse(bent.data, bent.len), LINES);
	}
	scratch_leave();
}

static void test_torn_end_is_cut_off_when_opened(void)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL;

	scratch_enter();
	path = make(&bytes);
	for (size_t len = 0; len <= bytes.len; len += 7) {
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
		struct kb_journal j = KB_JOURNAL_INIT;
		size_t whole = whole_lines(&bytes, len);

		scratch_write(path, bytes.data, len);
		check_int(open_journal(&j, NULL), 0);
		check_holds(&j, whole);
		append(&j, (int)whole, LINES - 1);
		kb_journal_release(&j);
		scratch_read(&again, path);
		check_str(again.data, bytes.data);
	}
	scratch_leave();
}

static void test_what_follows_a_bent_line_is_cut_off(void)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT, again = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL;
	struct kb_journal j = KB_JOURNAL_INIT;
	size_t second;

	scratch_enter();
	path = make(&bytes);
	second = (size_t)(strchr(strchr(bytes.data, '\n') + 1, '\n') + 1 -
			  bytes.data);
	bytes.data[second] ^= 1;
	scratch_write(path, bytes.data, bytes.len);
	check_int(open_journal(&j, NULL), 0);
	check_holds(&j, 1);
	kb_journal_release(&j);
	scratch_read(&again, path);
	check_int(again.len, second);
	scratch_leave();
}

/* In a process of its own: the file may grow by a few bytes and no more. */
static int append_without_room(void)
{
	kb_auto(json) struct kb_json *line = line_numbered(2);
	struct kb_journal j = KB_JOURNAL_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct rlimit limit;
	struct stat st;

	signal(SIGXFSZ, SIG_IGN);
	check_int(open_journal(&j, NULL), 0);
	check_int(fstat(j.fd, &st), 0);
	check_int(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = (rlim_t)st.st_size + 5;
	check_int(setrlimit(RLIMIT_FSIZE, &limit), 0);
	check_int(kb_journal_append(&j, line, &err), -KB_ERR_SYS);
	check(strstr(err.msg, "cannot write 'store/.journal-"));
	check_int(j.count, 2);
	/* A caller may do without that line, and have room for the next. */
	limit.rlim_cur = limit.rlim_max;
	check_int(setrlimit(RLIMIT_FSIZE, &limit), 0);
	append(&j, 2, 2);
	kb_journal_release(&j);
	return tap_failed;
}

static void test_line_for_which_there_is_no_room_is_lost_alone(void)
{
	struct kb_journal j = KB_JOURNAL_INIT;
	int status;
	pid_t pid;

	scratch_enter();
	check_int(open_journal(&j, NULL), 0);
	append(&j, 0, 1);
	kb_journal_release(&j);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		const int failed = append_without_room();

		fflush(stdout);
		_exit(failed);
	}
	check_int(waitpid(pid, &status, 0), pid);
	check_int(status, 0);
	check_int(open_journal(&j, NULL), 0);
	check_holds(&j, LINES);
	kb_journal_release(&j);
	scratch_leave();
}

/* Of a file that cannot be synced, as a pipe cannot, that is found out; where
 * nothing was written since the last time, nothing is to be done. */
static void test_what_was_written_is_synced_once(void)
{
	kb_auto(json) struct kb_json *line = line_numbered(1);
	struct kb_journal j = KB_JOURNAL_INIT;
	struct kb_err err = KB_ERR_INIT;
	int fds[2], file;

	scratch_enter();
	check_int(open_journal(&j, NULL), 0);
	append(&j, 0, 0);
	check_int(pipe2(fds, O_CLOEXEC), 0);
	file = j.fd;
	j.fd = fds[1];
	check_int(kb_journal_sync(&j, &err), 0);
	j.fd = file;
	check_int(kb_journal_write(&j, line, &err), 0);
	check_holds(&j, 2);
	j.fd = fds[1];
	check_int(kb_journal_sync(&j, &err), -KB_ERR_SYS);
	check(strstr(err.msg, "cannot write 'store/.journal-"));
	j.fd = file;
	check_int(kb_journal_sync(&j, &err), 0);
	close(fds[0]);
	close(fds[1]);
	kb_journal_release(&j);
	check_int(open_journal(&j, NULL), 0);
	check_holds(&j, 2);
	kb_journal_release(&j);
	scratch_leave();
}

/* Under our name, but of another run: nothing of it is ours. */
static void test_other_identity_is_begun_anew(void)
{
	kb_auto(json) struct kb_json *other = identity_named("b");
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	kb_auto(mem) char *path = NULL;
	struct kb_journal j = KB_JOURNAL_INIT;

	scratch_enter();
	free(make(&bytes));
	check_int(kb_journal_open(&j, "store", other, NULL, NULL), 0);
	check_int(j.count, 0);
	path = kb_xstrdup(j.path);
	kb_journal_release(&j);

	scratch_write(path, bytes.data, bytes.len);
	check_int(kb_journal_open(&j, "store", other, NULL, NULL), 0);
	check_int(j.count, 0);
	kb_journal_release(&j);
	scratch_read(&bytes, path);
	check(strstr(bytes.data, "{\"run\":\"b\"}\n") &&
	      !strstr(bytes.data, "{\"run\":\"a\"}"));
	scratch_leave();
}

static void test_journal_is_one_process_s_at_a_time(void)
{
	struct kb_journal j = KB_JOURNAL_INIT, second = KB_JOURNAL_INIT;
	kb_auto(mem) char *want = NULL;
	struct kb_err err = KB_ERR_INIT;
	int status;
	pid_t pid;

	scratch_enter();
	check_int(open_journal(&j, NULL), 0);
	want = kb_xasprintf("another process is doing this run: '%s' is "
			    "locked", j.path);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		check_int(open_journal(&second, &err), -KB_ERR_TIMEOUT);
		check_str(err.msg, want);
		check_int(second.fd, -1);
		check(!second.path);
		fflush(stdout);
		_exit(tap_failed);
	}
	check_int(waitpid(pid, &status, 0), pid);
	check_int(status, 0);
	kb_journal_release(&j);
	check_int(open_journal(&second, &err), 0);
	kb_journal_release(&second);
	scratch_leave();
}

/* In place of libc's: of a file system that refuses, unless it is 0; or that
 * locks for nobody else. */
static int lock_errno;
static bool locks_nobody_out;

int flock(int fd, int operation)
{
	if (locks_nobody_out)
		return 0;
	if (!lock_errno)
		return (int)syscall(SYS_flock, fd, operation);
	errno = lock_errno;
	return -1;
}

static void test_without_locks_there_is_no_journal(void)
{
	static const struct {
		int error;
		const char *reason;
	} cases[] = {
		{ ENOSYS, "its file system has no locks (Function not "
			  "implemented), so that" },
		{ ENOLCK, "its file system has no locks (No locks available), "
			  "so that" },
		{ EOPNOTSUPP, "its file system has no locks (Operation not "
			      "supported), so that" },
		{ EIO, "Input/output error" },
	};

	scratch_enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_journal j = KB_JOURNAL_INIT;
		struct kb_err err = KB_ERR_INIT;

		lock_errno = cases[i].error;
		check_int(open_journal(&j, &err), -KB_ERR_SYS);
		check(strstr(err.msg, "cannot lock 'store/.journal-"));
		if (!strstr(err.msg, cases[i].reason))
			tap_fail("'%s' is not in '%s'", cases[i].reason,
				 err.msg);
		check_int(j.fd, -1);
	}
	lock_errno = 0;
	scratch_leave();
}

static void test_second_writer_writes_nothing(void)
{
	kb_auto(journal) struct kb_journal a = KB_JOURNAL_INIT;
	kb_auto(journal) struct kb_journal b = KB_JOURNAL_INIT;
	kb_auto(json) struct kb_json *line = line_numbered(7);
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	locks_nobody_out = true;
	check_int(open_journal(&a, NULL), 0);
	check_int(open_journal(&b, NULL), 0);
	append(&a, 0, 1);
	check_int(kb_journal_append(&b, line, &err), -KB_ERR_TIMEOUT);
	check(strstr(err.msg, "another process does this run as well"));
	check(strstr(err.msg, "was written to"));
	check_int(b.count, 0);
	append(&a, 2, 2);
	kb_journal_release(&b);
	check_int(open_journal(&b, NULL), 0);
	check_holds(&b, LINES);

	check_int(kb_journal_delete(&b, NULL), 0);
	check_int(kb_journal_append(&a, line, &err), -KB_ERR_TIMEOUT);
	check(strstr(err.msg, "was removed"));
	locks_nobody_out = false;
	scratch_leave();
}

static void test_run_that_was_finished_begins_anew(void)
{
	struct kb_journal j = KB_JOURNAL_INIT, again = KB_JOURNAL_INIT;
	struct stat st;

	scratch_enter();
	check_int(open_journal(&j, NULL), 0);
	append(&j, 0, 1);
	check_int(kb_journal_delete(&j, NULL), 0);
	check_int(open_journal(&again, NULL), 0);
	check_holds(&again, 0);
	check_int(stat(again.path, &st), 0);
	kb_journal_release(&again);
	kb_journal_release(&j);
	scratch_leave();
}

/* The journal of a shard, with lines `first` to `last`, closed. */
static void make_shard(const char *shard, int first, int last)
{
	kb_auto(json) struct kb_json *identity = identity_named("a");
	struct kb_journal j = KB_JOURNAL_INIT;

	check_int(kb_journal_open(&j, "store", identity, shard, NULL), 0);
	append(&j, first, last);
	check_int(j.shard_count, 0);
	kb_journal_release(&j);
}

static void test_whole_run_sees_its_shards(void)
{
	kb_auto(json) struct kb_json *other = identity_named("b");
	struct kb_journal j = KB_JOURNAL_INIT;
	struct stat st;
	char *first;

	scratch_enter();
	make_shard("2-of-2", 2, 4);
	make_shard("1-of-2", 0, 1);
	check_int(kb_journal_open(&j, "store", other, "1-of-2", NULL), 0);
	kb_journal_release(&j);

	check_int(open_journal(&j, NULL), 0);
	check_int(j.count, 0);
	check_int(j.shard_count, 2);
	check_holds(&j.shards[0], 2);
	check_int(j.shards[1].count, 3);
	check(is_line(j.shards[1].lines[0], 2));

	first = kb_xstrdup(j.shards[0].path);
	check_int(kb_journal_delete(&j, NULL), 0);
	kb_journal_release(&j);
	check(stat(first, &st) < 0);
	free(first);
	check_int(open_journal(&j, NULL), 0);
	check_int(j.shard_count, 0);
	kb_journal_release(&j);
	scratch_leave();
}

static void test_a_shard_goes_on_by_itself(void)
{
	kb_auto(json) struct kb_json *identity = identity_named("a");
	struct kb_journal j = KB_JOURNAL_INIT;

	scratch_enter();
	make_shard("1-of-2", 0, 1);
	check_int(kb_journal_open(&j, "store", identity, "1-of-2", NULL), 0);
	check_holds(&j, 2);
	kb_journal_release(&j);
	scratch_leave();
}

static void test_store_that_cannot_be_is_named(void)
{
	struct kb_journal j = KB_JOURNAL_INIT;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	scratch_print("store", "a file");
	check(open_journal(&j, &err) < 0);
	check(strstr(err.msg, "'store'"));
	kb_journal_release(&j);
	scratch_leave();
}

TAP_MAIN(
	TAP(test_lines_come_back),
	TAP(test_form_is_the_documented_one),
	TAP(test_every_truncation_is_a_prefix),
	TAP(test_every_flipped_bit_ends_the_journal_there),
	TAP(test_lines_do_not_hold_out_of_their_form),
	TAP(test_torn_end_is_cut_off_when_opened),
	TAP(test_what_follows_a_bent_line_is_cut_off),
	TAP(test_line_for_which_there_is_no_room_is_lost_alone),
	TAP(test_what_was_written_is_synced_once),
	TAP(test_other_identity_is_begun_anew),
	TAP(test_journal_is_one_process_s_at_a_time),
	TAP(test_without_locks_there_is_no_journal),
	TAP(test_second_writer_writes_nothing),
	TAP(test_run_that_was_finished_begins_anew),
	TAP(test_whole_run_sees_its_shards),
	TAP(test_a_shard_goes_on_by_itself),
	TAP(test_store_that_cannot_be_is_named),
);
