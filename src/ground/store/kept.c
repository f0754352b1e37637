#include "store/kept.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "json/json.h"
#include "json/utf8.h"

/* A file of builds: the digest of what follows, one line of JSON about the
 * entries, and their bytes one after the other. Whoever can write the directory
 * can also make a file that passes; the digest is against disks and crashes,
 * and the directory belongs to the user. */
#define HEX_LEN (KB_DIGEST_HEX_SIZE - 1)
#define NAME_BYTES_MAX 1024

void kb_kept_release(struct kb_kept *k)
{
	for (size_t i = 0; i < k->count; i++)
		free(k->entries[i].name);
	free(k->entries);
	free(k->outcome);
	free(k->detail);
	free(k->log);
	kb_buf_release(&k->bytes);
	*k = (struct kb_kept)KB_KEPT_INIT;
}

struct kb_kept_entry *kb_kept_add(struct kb_kept *k, const char *name)
{
	struct kb_kept_entry *e;

	k->entries = kb_grow(k->entries, k->count, &k->capacity,
			     sizeof(*k->entries));
	e = &k->entries[k->count++];
	*e = (struct kb_kept_entry){ .name = kb_xstrdup(name) };
	return e;
}

/* Names become paths below a candidate's directory: none is absolute, and none
 * climbs out of it. */
bool kb_kept_name_ok(const char *name)
{
	const size_t len = strlen(name);

	if (!len || len > NAME_BYTES_MAX || !kb_utf8_valid(name, len))
		return false;
	for (const char *part = name; part;) {
		const size_t n = strcspn(part, "/");

		if (!n || (n == 1 && part[0] == '.') ||
		    (n == 2 && !strncmp(part, "..", 2)))
			return false;
		part = part[n] ? part + n + 1 : NULL;
	}
	return true;
}

/* --- bytes ------------------------------------------------------------- */

static struct kb_json *entry_to_json(const struct kb_kept_entry *e)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "name", e->name);
	kb_json_set_int(v, "changed_s", e->changed_s);
	kb_json_set_int(v, "changed_ns", e->changed_ns);
	if (e->is_dir)
		kb_json_set(v, "size_bytes", kb_json_null());
	else
		kb_json_set_int(v, "size_bytes", (int64_t)e->len);
	return v;
}

static void print_head(struct kb_buf *out, const struct kb_kept *k,
		       const struct kb_digest *key)
{
	kb_auto(json) struct kb_json *head = kb_json_object();
	struct kb_json *entries = kb_json_array();
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(key, hex);
	kb_json_set_string(head, "key", hex);
	kb_json_set_string(head, "outcome", k->outcome);
	kb_json_set_string(head, "detail", k->detail);
	kb_json_set_string(head, "log", k->log ? k->log : "");
	for (size_t i = 0; i < k->count; i++)
		kb_json_append(entries, entry_to_json(&k->entries[i]));
	kb_json_set(head, "entries", entries);
	kb_json_print(out, head);
	kb_buf_addch(out, '\n');
}

void kb_kept_print(struct kb_buf *out, const struct kb_kept *k,
		   const struct kb_digest *key)
{
	kb_auto(buf) struct kb_buf rest = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest check;

	print_head(&rest, k, key);
	for (size_t i = 0; i < k->count; i++)
		kb_buf_add(&rest, k->entries[i].data, k->entries[i].len);
	kb_digest_of(&check, rest.data, rest.len);
	kb_digest_format(&check, hex);
	kb_buf_addf(out, "%s\n", hex);
	kb_buf_add(out, rest.data, rest.len);
}

static int read_entry(struct kb_kept *k, const struct kb_json *v,
		      struct kb_err *err)
{
	static const char *const members[] = { "name", "changed_s",
					       "changed_ns", "size_bytes",
					       NULL };
	static const char where[] = "entry";
	const struct kb_json *size = kb_json_find(v, "size_bytes");
	struct kb_kept_entry *e;
	const char *name;
	int64_t len = 0;
	int ret = kb_json_only(v, members, where, err);

	if (ret >= 0)
		ret = kb_json_read_string(&name, v, "name", where, err);
	if (ret < 0)
		return ret;
	if (!kb_kept_name_ok(name))
		return kb_err(err, KB_ERR_CORRUPT, "%s: a name", where);
	e = kb_kept_add(k, name);
	e->is_dir = size && kb_json_type(size) == KB_JSON_NULL;
	ret = kb_json_read_int(&e->changed_s, v, "changed_s", 0,
			       KB_JSON_INT_MAX, where, err);
	if (ret >= 0)
		ret = kb_json_read_int(&e->changed_ns, v, "changed_ns", 0,
				       999999999, where, err);
	if (ret >= 0 && !e->is_dir)
		ret = kb_json_read_int(&len, v, "size_bytes", 0,
				       KB_KEPT_BYTES_MAX, where, err);
	e->len = (size_t)len;
	return ret;
}

static int read_head(struct kb_kept *k, const struct kb_json *head,
		     const struct kb_digest *key, struct kb_err *err)
{
	static const char *const members[] = { "key", "outcome", "detail",
					       "log", "entries", NULL };
	static const char where[] = "head";
	const char *hex, *outcome, *detail, *log;
	const struct kb_json *entries;
	struct kb_digest its;
	int ret = kb_json_only(head, members, where, err);

	if (ret >= 0)
		ret = kb_json_read_string(&hex, head, "key", where, err);
	if (ret >= 0)
		ret = kb_digest_parse(&its, hex, err);
	if (ret >= 0)
		ret = kb_json_read_string(&outcome, head, "outcome", where,
					  err);
	if (ret >= 0)
		ret = kb_json_read_string_or_null(&detail, head, "detail",
						  where, err);
	if (ret >= 0)
		ret = kb_json_read_string(&log, head, "log", where, err);
	if (ret >= 0)
		ret = kb_json_read(&entries, head, "entries", KB_JSON_ARRAY,
				   where, err);
	if (ret < 0)
		return ret;
	/* A file that was renamed by hand, or a key whose making changed. */
	if (!kb_digest_equal(&its, key))
		return kb_err(err, KB_ERR_CORRUPT, "%s: another key", where);
	k->outcome = kb_xstrdup(outcome);
	k->detail = kb_xstrdup(detail);
	k->log = kb_xstrdup(log);
	for (const struct kb_json *v = kb_json_first(entries); v && ret >= 0;
	     v = kb_json_next(v))
		ret = read_entry(k, v, err);
	return ret;
}

/* The files' bytes are all of the rest. */
static int share_out(struct kb_kept *k, const char *data, size_t len,
		     struct kb_err *err)
{
	for (size_t i = 0; i < k->count; i++) {
		struct kb_kept_entry *e = &k->entries[i];

		if (e->len > len)
			return kb_err(err, KB_ERR_CORRUPT, "too short");
		e->data = data;
		data += e->len;
		len -= e->len;
	}
	return len ? kb_err(err, KB_ERR_CORRUPT, "too long") : 0;
}

static int parse_kept(struct kb_kept *k, const char *text, size_t len,
		      const struct kb_digest *key, struct kb_err *err)
{
	kb_auto(json) struct kb_json *head = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest check;
	const char *end;
	int ret;

	if (len <= HEX_LEN || text[HEX_LEN] != '\n')
		return kb_err(err, KB_ERR_CORRUPT, "no check");
	/* Before anything is parsed: of what a crash cut off nothing is to be
	 * believed. */
	kb_digest_of(&check, text + HEX_LEN + 1, len - HEX_LEN - 1);
	kb_digest_format(&check, hex);
	if (memcmp(hex, text, HEX_LEN))
		return kb_err(err, KB_ERR_CORRUPT, "the check fails");
	text += HEX_LEN + 1;
	len -= HEX_LEN + 1;
	end = memchr(text, '\n', len);
	if (!end)
		return kb_err(err, KB_ERR_CORRUPT, "no head");
	ret = kb_json_parse(&head, text, (size_t)(end - text),
			    KB_JSON_CANONICAL, "head", err);
	if (ret >= 0)
		ret = read_head(k, head, key, err);
	return ret < 0 ? ret :
		share_out(k, end + 1, len - (size_t)(end + 1 - text), err);
}

/* Every fault is of one kind, because to callers each means the same: there is
 * no such build, and it is made again. */
int kb_kept_parse(struct kb_kept *k, const void *data, size_t len,
		  const struct kb_digest *key, struct kb_err *err)
{
	if (parse_kept(k, data, len, key, err) >= 0)
		return 0;
	kb_kept_release(k);
	if (err)
		err->kind = KB_ERR_CORRUPT;
	return -KB_ERR_CORRUPT;
}

/* --- files ------------------------------------------------------------- */

static char *path_of(const char *dir, const struct kb_digest *key)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(key, hex);
	return kb_xasprintf("%s/%s", dir, hex);
}

/* Kept builds must not fill a disk that others write to. */
#define KB_KEPT_ROOM_PARTS 4

static int check_room(const char *dir, size_t len, struct kb_err *err)
{
	struct statvfs fs;

	if (statvfs(dir, &fs) < 0)
		return kb_err_sys(err, "cannot look at '%s'", dir);
	if (len / fs.f_frsize < fs.f_bavail / KB_KEPT_ROOM_PARTS)
		return 0;
	errno = ENOSPC;
	return kb_err_sys(err, "cannot keep a build in '%s'", dir);
}

int kb_kept_put(const char *dir, const struct kb_digest *key,
		const struct kb_kept *k, struct kb_err *err)
{
	kb_auto(mem) char *path = path_of(dir, key);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *temp = NULL;
	kb_auto(fd) int fd = -1;
	uint64_t tag;
	int ret = kb_dir_make(dir, err);

	if (ret < 0)
		return ret;
	kb_kept_print(&text, k, key);
	ret = check_room(dir, text.len, err);
	if (ret < 0)
		return ret;
	if (getrandom(&tag, sizeof(tag), 0) != sizeof(tag))
		return kb_err_sys(err, "cannot draw random bytes");
	temp = kb_xasprintf("%s/" KB_FILE_TEMP_PREFIX "%016" PRIx64, dir, tag);
	/* Without fsync(2): what a crash loses is built again, and what it cuts
	 * off does not pass its check. */
	fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);
	if (fd < 0)
		return kb_err_sys(err, "cannot create '%s'", temp);
	ret = kb_file_write_all(fd, text.data, text.len, temp, err);
	if (ret >= 0 && rename(temp, path) < 0)
		ret = kb_err_sys(err, "cannot replace '%s'", path);
	if (ret < 0)			/* nothing more can be done */
		(void)unlink(temp);
	return ret;
}

bool kb_kept_find(struct kb_kept *k, const char *dir,
		  const struct kb_digest *key)
{
	kb_auto(mem) char *path = path_of(dir, key);
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;

	if (kb_file_read(&bytes, AT_FDCWD, path, KB_KEPT_BYTES_MAX, NULL) < 0 ||
	    kb_kept_parse(k, bytes.data, bytes.len, key, NULL) < 0)
		return false;
	k->bytes = bytes;
	bytes = (struct kb_buf)KB_BUF_INIT;
	/* The time of use, by which kb_kept_trim() forgets: many file systems
	 * do not keep that of reading. */
	(void)utimensat(AT_FDCWD, path, NULL, 0);
	return true;
}

bool kb_kept_has(const char *dir, const struct kb_digest *key)
{
	kb_auto(mem) char *path = path_of(dir, key);

	return !access(path, F_OK);
}

struct used {
	char *name;
	uint64_t bytes;
	struct timespec at;
};

static int by_age(const void *pa, const void *pb)
{
	const struct used *a = pa, *b = pb;

	if (a->at.tv_sec != b->at.tv_sec)
		return a->at.tv_sec < b->at.tv_sec ? -1 : 1;
	if (a->at.tv_nsec != b->at.tv_nsec)
		return a->at.tv_nsec < b->at.tv_nsec ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* A file of a process that was killed before it named the file has the age of
 * everything else. */
static struct used *list_used(DIR *d, size_t *count, uint64_t *total)
{
	struct used *list = NULL;
	size_t capacity = 0;
	struct dirent *e;
	struct stat st;

	while ((e = readdir(d))) {
		if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISREG(st.st_mode))
			continue;
		list = kb_grow(list, *count, &capacity, sizeof(*list));
		list[*count] = (struct used){
			.name = kb_xstrdup(e->d_name),
			.bytes = (uint64_t)st.st_size, .at = st.st_mtim,
		};
		*total += list[(*count)++].bytes;
	}
	return list;
}

void kb_kept_trim(const char *dir, uint64_t bytes_max)
{
	DIR *d = opendir(dir);
	struct used *list;
	size_t count = 0;
	uint64_t total = 0;

	if (!d)
		return;
	list = list_used(d, &count, &total);
	if (count)
		qsort(list, count, sizeof(*list), by_age);
	for (size_t i = 0; i < count; i++) {
		/* Another process may be reading the file. It has it open, or
		 * does not find it and builds. */
		if (total > bytes_max &&
		    !unlinkat(dirfd(d), list[i].name, 0))
			total -= list[i].bytes;
		free(list[i].name);
	}
	free(list);
	closedir(d);
}
