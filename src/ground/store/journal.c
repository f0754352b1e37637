#include "store/journal.h"

#include <dirent.h>
#include <errno.h>
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
#include "base/lock.h"
#include "json/json.h"
#include "store/digest.h"

/* Sixty-four bits are against torn writes, and not against somebody: who can
 * write the journal can also write the bundle. */
#define CHECK_DIGITS 16
#define JOURNAL_BYTES_MAX ((size_t)1 << 30)

/* The check of a line's JSON, as it stands in front of it. */
static void format_check(char out[KB_DIGEST_HEX_SIZE], const void *json,
			 size_t len)
{
	struct kb_digest d;

	kb_digest_of(&d, json, len);
	kb_digest_format(&d, out);
	out[CHECK_DIGITS] = '\0';
}

static void print_line(struct kb_buf *out, const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf json = KB_BUF_INIT;
	char check[KB_DIGEST_HEX_SIZE];

	kb_json_print(&json, v);
	format_check(check, json.data, json.len);
	kb_buf_addf(out, "%s ", check);
	kb_buf_add(out, json.data, json.len);
	kb_buf_addch(out, '\n');
}

/* One line without its line feed; NULL if it does not hold. */
static struct kb_json *parse_line(const char *line, size_t len)
{
	char check[KB_DIGEST_HEX_SIZE];
	struct kb_json *v;

	if (len < CHECK_DIGITS + 1 || line[CHECK_DIGITS] != ' ')
		return NULL;
	format_check(check, line + CHECK_DIGITS + 1, len - CHECK_DIGITS - 1);
	if (memcmp(check, line, CHECK_DIGITS) ||
	    kb_json_parse(&v, line + CHECK_DIGITS + 1, len - CHECK_DIGITS - 1,
			  KB_JSON_CANONICAL, "journal", NULL) < 0)
		return NULL;
	return v;
}

/* Up to the first line that does not hold. What a kill or a full disk left
 * behind it is cut off, and done again; lines behind a gap cannot be trusted to
 * be of this run. */
size_t kb_journal_parse(struct kb_json ***lines, size_t *count,
			const void *data, size_t len,
			const struct kb_json *identity)
{
	kb_auto(buf) struct kb_buf first = KB_BUF_INIT;
	const char *text = data;
	size_t capacity = 0, at;

	*lines = NULL;
	*count = 0;
	print_line(&first, identity);
	if (len < first.len || memcmp(text, first.data, first.len))
		return 0;

	for (at = first.len; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		struct kb_json *v;

		if (!end)
			break;
		v = parse_line(text + at, (size_t)(end - text) - at);
		if (!v)
			break;
		*lines = kb_grow(*lines, *count, &capacity, sizeof(**lines));
		(*lines)[(*count)++] = v;
		at = (size_t)(end - text) + 1;
	}
	return at;
}

/* Locks may hold on one node only: what another wrote is seen by its length,
 * before anything is written over it. */
static int check_alone(const struct kb_journal *j, struct kb_err *err)
{
	struct stat st;

	if (fstat(j->fd, &st) < 0)
		return kb_err_sys(err, "cannot look at '%s'", j->path);
	if (st.st_size == lseek(j->fd, 0, SEEK_CUR) && st.st_nlink)
		return 0;
	return kb_err(err, KB_ERR_TIMEOUT,
		      "another process does this run as well: '%s' was %s, "
		      "and its file system's locks do not keep others out",
		      j->path, st.st_nlink ? "written to" : "removed");
}

/* A part of a line would end the journal for the lines that follow. */
static void cut_line(int fd, off_t start)
{
	if (ftruncate(fd, start) == 0)
		(void)lseek(fd, start, SEEK_SET);
}

static int write_line(struct kb_journal *j, const struct kb_json *v,
		      struct kb_err *err)
{
	const off_t start = lseek(j->fd, 0, SEEK_CUR);
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	int ret = check_alone(j, err);

	if (ret < 0)
		return ret;
	print_line(&line, v);
	j->unsynced = true;
	ret = kb_file_write_all(j->fd, line.data, line.len, j->path, err);
	if (ret < 0)
		cut_line(j->fd, start);
	return ret;
}

/* Only data: of a file that grows, fdatasync(2) writes the length as well. */
int kb_journal_sync(struct kb_journal *j, struct kb_err *err)
{
	if (j->unsynced && fdatasync(j->fd) < 0)
		return kb_err_sys(err, "cannot write '%s'", j->path);
	j->unsynced = false;
	return 0;
}

/* Keep what holds of an earlier run, or begin. */
static int resume_lines(struct kb_journal *j, const char *store,
			const struct kb_json *identity, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	size_t good;
	int ret = kb_file_read_fd(&bytes, j->fd, j->path, JOURNAL_BYTES_MAX,
				  err);

	if (ret < 0)
		return ret;
	good = kb_journal_parse(&j->lines, &j->count, bytes.data, bytes.len,
				identity);
	if (ftruncate(j->fd, (off_t)good) < 0 ||
	    lseek(j->fd, (off_t)good, SEEK_SET) < 0)
		return kb_err_sys(err, "cannot write '%s'", j->path);
	if (good)
		return 0;

	ret = write_line(j, identity, err);
	if (ret >= 0)
		ret = kb_journal_sync(j, err);
	return ret < 0 ? ret : kb_dir_sync(AT_FDCWD, store, err);
}

/* Its name in the store. */
static char *journal_name(const struct kb_json *identity, const char *shard)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest d;

	kb_json_print(&text, identity);
	kb_digest_of(&d, text.data, text.len);
	kb_digest_format(&d, hex);
	return kb_xasprintf(".journal-%s%s%s", hex, shard ? "-" : "",
			    shard ? shard : "");
}

/* The file of that name, locked. One that was finished and deleted between
 * our opening and locking it has no name any more. */
static int open_locked(struct kb_journal *j, struct kb_err *err)
{
	struct stat st = { .st_nlink = 0 };
	int ret;

	while (!st.st_nlink) {
		if (j->fd >= 0)
			close(j->fd);
		j->fd = open(j->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (j->fd < 0)
			return kb_err_sys(err, "cannot open '%s'", j->path);
		ret = kb_lock(j->fd, j->path, err);
		if (ret < 0)
			return ret;
		if (!ret)
			return kb_err(err, KB_ERR_TIMEOUT,
				      "another process is doing this run: "
				      "'%s' is locked", j->path);
		if (fstat(j->fd, &st) < 0)
			return kb_err_sys(err, "cannot look at '%s'", j->path);
	}
	return 0;
}

static int open_one(struct kb_journal *j, const char *store, const char *name,
		    const struct kb_json *identity, struct kb_err *err)
{
	int ret;

	*j = (struct kb_journal)KB_JOURNAL_INIT;
	j->path = kb_xasprintf("%s/%s", store, name);
	ret = open_locked(j, err);
	if (ret >= 0)
		ret = resume_lines(j, store, identity, err);
	if (ret < 0)
		kb_journal_release(j);
	return ret;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct kb_journal *)a)->path,
		      ((const struct kb_journal *)b)->path);
}

/* Each is locked as the run's own is, so that a shard that is still at work is
 * not taken for done. */
static int open_shards(struct kb_journal *j, const char *store,
		       const char *name, const struct kb_json *identity,
		       struct kb_err *err)
{
	kb_auto(dir) DIR *d = opendir(store);
	const size_t len = strlen(name);
	struct dirent *e;

	if (!d)
		return kb_err_sys(err, "cannot open '%s'", store);
	while ((errno = 0, e = readdir(d))) {
		int ret;

		if (strncmp(e->d_name, name, len) || e->d_name[len] != '-')
			continue;
		j->shards = kb_xreallocarray(j->shards, j->shard_count + 1,
					     sizeof(*j->shards));
		ret = open_one(&j->shards[j->shard_count], store, e->d_name,
			       identity, err);
		if (ret < 0)
			return ret;
		j->shard_count++;
	}
	if (errno)
		return kb_err_sys(err, "cannot read '%s'", store);
	if (j->shard_count)
		qsort(j->shards, j->shard_count, sizeof(*j->shards), by_path);
	return 0;
}

int kb_journal_open(struct kb_journal *j, const char *store,
		    const struct kb_json *identity, const char *shard,
		    struct kb_err *err)
{
	kb_auto(mem) char *name = journal_name(identity, shard);
	int ret = kb_dir_make(store, err);

	if (ret >= 0)
		ret = open_one(j, store, name, identity, err);
	if (ret < 0 || shard)
		return ret;
	ret = open_shards(j, store, name, identity, err);
	if (ret < 0)
		kb_journal_release(j);
	return ret;
}

struct kb_json *kb_journal_identity(const char *path)
{
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	const char *end;

	if (kb_file_read(&bytes, AT_FDCWD, path, JOURNAL_BYTES_MAX, &why) < 0)
		return NULL;
	end = memchr(bytes.data, '\n', bytes.len);
	return end ? parse_line(bytes.data, (size_t)(end - bytes.data)) : NULL;
}

int kb_journal_write(struct kb_journal *j, const struct kb_json *line,
		     struct kb_err *err)
{
	int ret = write_line(j, line, err);

	if (ret < 0)
		return ret;
	j->lines = kb_xreallocarray(j->lines, j->count + 1, sizeof(*j->lines));
	j->lines[j->count++] = kb_json_copy(line);
	return 0;
}

int kb_journal_append(struct kb_journal *j, const struct kb_json *line,
		      struct kb_err *err)
{
	int ret = kb_journal_write(j, line, err);

	return ret < 0 ? ret : kb_journal_sync(j, err);
}

/* Shards first: killed in between, the run still has all results in its own
 * journal. */
int kb_journal_delete(struct kb_journal *j, struct kb_err *err)
{
	for (size_t i = 0; i < j->shard_count; i++)
		if (unlink(j->shards[i].path) < 0)
			return kb_err_sys(err, "cannot remove '%s'",
					  j->shards[i].path);
	if (unlink(j->path) < 0)
		return kb_err_sys(err, "cannot remove '%s'", j->path);
	return 0;
}

void kb_journal_release(struct kb_journal *j)
{
	for (size_t i = 0; i < j->shard_count; i++)
		kb_journal_release(&j->shards[i]);
	free(j->shards);
	for (size_t i = 0; i < j->count; i++)
		kb_json_free(j->lines[i]);
	free(j->lines);
	free(j->path);
	if (j->fd >= 0)
		close(j->fd);
	*j = (struct kb_journal)KB_JOURNAL_INIT;
}
