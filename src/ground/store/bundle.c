#include "store/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/archive.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/quote.h"

void kb_bundle_release(struct kb_bundle *b)
{
	struct kb_bag bag = { .members = b->members, .count = b->member_count };

	kb_bag_release(&bag);
	if (b->dirfd >= 0)
		close(b->dirfd);
	/* Nothing depends on it any more, and there is nobody to tell. */
	if (b->scratch)
		(void)kb_dir_remove(AT_FDCWD, b->scratch, NULL);
	free(b->scratch);
	free(b->path);
	*b = (struct kb_bundle)KB_BUNDLE_INIT;
}

const struct kb_bundle_member *kb_bundle_find(const struct kb_bundle *b,
					      const char *name)
{
	return kb_bag_find(b->members, b->member_count, name);
}

/* One of the two files at the top. */
static int read_tag_file(struct kb_buf *out, const struct kb_bundle *b,
			 const char *name, size_t max_bytes,
			 struct kb_err *err)
{
	uint64_t size_bytes;
	kb_auto(fd) int fd = kb_beneath_open(b->dirfd, name, &size_bytes, err);

	if (fd == -KB_ERR_MISSING)
		return kb_err(err, KB_ERR_INPUT, "there is no '%s'", name);
	if (fd < 0)
		return fd;
	return kb_file_read_fd(out, fd, name, max_bytes, err);
}

static int read_declaration(const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	ret = read_tag_file(&text, b, KB_BAG_DECLARATION_NAME,
			    sizeof(KB_BAG_DECLARATION_CRLF), err);
	if (ret < 0)
		return ret;
	return kb_bag_check_declaration(text.data, text.len, err);
}

/* The id is the digest of this one file, and the file has the digest of every
 * member: whoever trusts an id trusts all bytes below it. */
static int read_manifest(struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_bag bag;
	int ret;

	ret = read_tag_file(&text, b, KB_BAG_MANIFEST_NAME,
			    KB_BAG_MANIFEST_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	ret = kb_bag_parse(&bag, text.data, text.len, err);
	if (ret < 0)
		return ret;

	kb_digest_of(&b->id, text.data, text.len);
	b->members = bag.members;
	b->member_count = bag.count;
	return 0;
}

/* Copy the last component of `path`, which may end in slashes. */
static char *last_component(const char *path)
{
	size_t end = strlen(path), start;

	while (end > 0 && path[end - 1] == '/')
		end--;
	for (start = end; start > 0 && path[start - 1] != '/'; start--)
		;
	return kb_xstrndup(path + start, end - start);
}

/* The name of the directory or archive, also where `path` ends in a dot. */
static char *own_name(const char *path)
{
	kb_auto(mem) char *name = last_component(path);
	kb_auto(mem) char *resolved = NULL;

	if (strcmp(name, ".") && strcmp(name, ".."))
		return kb_steal(name);
	resolved = realpath(path, NULL);
	return last_component(resolved ? resolved : path);
}

/* A store is a directory of ids, so a name that is one is a promise. */
static int check_own_name(const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(mem) char *name = own_name(b->path);
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest promised;

	if (kb_digest_parse(&promised, name, NULL) < 0 ||
	    kb_digest_equal(&promised, &b->id))
		return 0;
	kb_digest_format(&b->id, hex);
	return kb_err(err, KB_ERR_CORRUPT,
		      "'" KB_BAG_MANIFEST_NAME "' makes its id '%s'", hex);
}

static bool is_tag_file(const char *name)
{
	return !strcmp(name, KB_BAG_DECLARATION_NAME) ||
	       !strcmp(name, KB_BAG_MANIFEST_NAME);
}

/*
 * Everything in the directory `dir` is declared, and so on below. What a
 * declared file is, is looked at when it is opened.
 */
static int check_nothing_else(const struct kb_bundle *b, const char *dir,
			      struct kb_err *err)
{
	bool at_top = !strcmp(dir, ".");
	kb_auto(fd) int fd = kb_beneath_open_dir(b->dirfd, dir, err);
	kb_auto(names) char **names = NULL;
	int ret = fd < 0 ? fd : kb_dir_names(&names, fd, dir, err);

	for (size_t i = 0; ret == 0 && names[i]; i++) {
		kb_auto(mem) char *name =
			at_top ? kb_xstrdup(names[i])
			       : kb_xasprintf("%s/%s", dir, names[i]);

		if (is_tag_file(name) || kb_bundle_find(b, name))
			continue;
		if (!kb_bag_has_directory(b->members, b->member_count, name))
			return kb_err(err, KB_ERR_INPUT, "'%s' is not declared",
				      kb_quote_str(name).text);
		ret = check_nothing_else(b, name, err);
	}
	return ret;
}

/* Returns a descriptor. */
static int open_member(const struct kb_bundle *b,
		       const struct kb_bundle_member *m, uint64_t *size_bytes,
		       struct kb_err *err)
{
	int fd = kb_beneath_open(b->dirfd, m->name, size_bytes, err);

	if (fd == -KB_ERR_MISSING)
		return kb_err(err, KB_ERR_CORRUPT,
			      "'%s' is declared but not there", m->name);
	return fd;
}

static int no_match(const struct kb_bundle_member *m, struct kb_err *err)
{
	return kb_err(err, KB_ERR_CORRUPT, "'%s' does not match its digest",
		      m->name);
}

/* A member that was checked before, so that its size is known. The file may
 * have been replaced since it was checked, so that it is hashed once more when
 * it is read. */
static int open_checked(const struct kb_bundle *b,
			const struct kb_bundle_member *m, struct kb_err *err)
{
	uint64_t size_bytes;
	int fd = open_member(b, m, &size_bytes, err);

	if (fd < 0 || size_bytes == m->size_bytes)
		return fd;
	close(fd);
	return no_match(m, err);
}

/* Without its bytes if it is `unread`. */
static int check_member(const struct kb_bundle *b, struct kb_bundle_member *m,
			const char *unread, struct kb_err *err)
{
	kb_auto(fd) int fd = open_member(b, m, &m->size_bytes, err);
	struct kb_digest got;
	int ret;

	if (fd < 0)
		return fd;
	if (m->size_bytes > KB_BUNDLE_MEMBER_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is larger than %" PRIu64 " bytes", m->name,
			      KB_BUNDLE_MEMBER_BYTES_MAX);
	if (unread && !strcmp(m->name, unread))
		return 0;

	/* Only a hint, for files of gigabytes on disks that turn. */
	(void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	ret = kb_digest_of_fd(&got, fd, m->name, &m->size_bytes, err);
	if (ret < 0)
		return ret;
	return kb_digest_equal(&got, &m->digest) ? 0 : no_match(m, err);
}

static int check_members(struct kb_bundle *b, const char *unread,
			 struct kb_err *err)
{
	for (size_t i = 0; i < b->member_count; i++) {
		int ret = check_member(b, &b->members[i], unread, err);

		if (ret < 0)
			return ret;
		b->total_bytes += b->members[i].size_bytes;
		if (b->total_bytes > KB_BUNDLE_TOTAL_BYTES_MAX)
			return kb_err(err, KB_ERR_INPUT,
				      "holds more than %" PRIu64 " bytes",
				      KB_BUNDLE_TOTAL_BYTES_MAX);
	}
	return 0;
}

/* Cheap checks first, and names before contents: a directory that is no bundle
 * is refused without reading its files. */
static int check_bag(struct kb_bundle *b, const char *unread,
		     struct kb_err *err)
{
	int ret;

	ret = read_declaration(b, err);
	if (ret < 0)
		return ret;
	ret = read_manifest(b, err);
	if (ret < 0)
		return ret;
	ret = check_own_name(b, err);
	if (ret < 0)
		return ret;
	ret = check_nothing_else(b, ".", err);
	if (ret < 0)
		return ret;
	return check_members(b, unread, err);
}

static int open_directory(struct kb_bundle *b, const char *path,
			  struct kb_err *err)
{
	b->dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (b->dirfd < 0)
		return kb_err_sys(err, "cannot open directory '%s'", path);
	return 0;
}

static int unpack_into_scratch(struct kb_bundle *b, struct kb_err *err)
{
	const char *tmp = getenv("TMPDIR");
	kb_auto(mem) char *scratch = kb_xasprintf("%s/kb-XXXXXX",
						  tmp && *tmp ? tmp : "/tmp");
	int ret;

	/* mkdtemp(3) makes it for its owner alone (mode 0700): in /tmp nobody
	 * else can look at members or put files beside them. */
	if (!mkdtemp(scratch))
		return kb_err_sys(err, "cannot make directory '%s'", scratch);
	b->scratch = kb_steal(scratch);

	ret = open_directory(b, b->scratch, err);
	if (ret < 0)
		return ret;
	return kb_archive_unpack(b->path, b->dirfd, err);
}

static int open_any(struct kb_bundle *b, mode_t mode, const char *unread,
		    struct kb_err *err)
{
	int ret;

	if (S_ISDIR(mode))
		ret = open_directory(b, b->path, err);
	else if (S_ISREG(mode))
		ret = unpack_into_scratch(b, err);
	else
		ret = kb_err(err, KB_ERR_INPUT,
			     "neither a directory nor a .tar.gz");
	if (ret < 0)
		return ret;
	return check_bag(b, unread, err);
}

int kb_bundle_open(struct kb_bundle *b, const char *path, struct kb_err *err)
{
	return kb_bundle_open_unread(b, path, NULL, err);
}

int kb_bundle_open_unread(struct kb_bundle *b, const char *path,
			  const char *unread, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle fresh = KB_BUNDLE_INIT;
	struct kb_err ignored;
	struct stat st;
	int ret;

	/* kb_err_wrap() adds to a message, so that there must be one. */
	if (!err)
		err = &ignored;
	if (stat(path, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR
			? kb_err(err, KB_ERR_MISSING, "cannot open '%s': %s",
				 path, strerror(errno))
			: kb_err_sys(err, "cannot open '%s'", path);

	fresh.path = kb_xstrdup(path);
	ret = open_any(&fresh, st.st_mode, unread, err);
	if (ret < 0)
		return kb_err_wrap(err, "bundle '%s'", path);

	*b = fresh;
	fresh = (struct kb_bundle)KB_BUNDLE_INIT;
	return 0;
}

/* Append a member's bytes; the caller takes them back on failure. */
static int read_member(struct kb_buf *out, const struct kb_bundle *b,
		       const struct kb_bundle_member *m, struct kb_err *err)
{
	size_t start = out->len;
	kb_auto(fd) int fd = open_checked(b, m, err);
	struct kb_digest got;
	int ret;

	if (fd < 0)
		return fd;
	ret = kb_file_read_fd(out, fd, m->name, m->size_bytes, err);
	if (ret < 0)
		return ret;
	kb_digest_of(&got, out->data + start, out->len - start);
	return kb_digest_equal(&got, &m->digest) ? 0 : no_match(m, err);
}

/* Fails if there is none, or one of more than `max_bytes`. */
static int find_to_read(const struct kb_bundle_member **out,
			const struct kb_bundle *b, const char *name,
			uint64_t max_bytes, struct kb_err *err)
{
	const struct kb_bundle_member *m = kb_bundle_find(b, name);

	if (!m)
		return kb_err(err, KB_ERR_MISSING, "bundle '%s' has no '%s'",
			      b->path, name);
	if (m->size_bytes > max_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "bundle '%s': '%s' is larger than %" PRIu64
			      " bytes", b->path, name, max_bytes);
	*out = m;
	return 0;
}

int kb_bundle_read(struct kb_buf *out, const struct kb_bundle *b,
		   const char *name, size_t max_bytes, struct kb_err *err)
{
	const struct kb_bundle_member *m;
	size_t start = out->len;
	struct kb_err unread;
	int ret;

	if (!err)
		err = &unread;
	ret = find_to_read(&m, b, name, max_bytes, err);
	if (ret < 0)
		return ret;

	ret = read_member(out, b, m, err);
	if (ret < 0) {
		out->len = start;
		if (out->capacity)
			out->data[start] = '\0';
		return kb_err_wrap(err, "bundle '%s'", b->path);
	}
	return 0;
}

struct taker {
	int (*take)(void *into, const char *piece, size_t len,
		    struct kb_err *err);
	void *into;
	int ret;		/* what `take` said last */
};

/* To the end of the file even if `taker` fails: what is not what was packed
 * is that before it is anything else. */
static int hash_pieces(struct kb_digest *got, int fd,
		       const struct kb_bundle_member *m, struct taker *taker,
		       struct kb_err *err)
{
	kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();
	kb_auto(mem) char *piece = kb_xmalloc(KB_FILE_READ_CHUNK_BYTES);
	uint64_t total = 0;
	ssize_t n;

	while ((n = read(fd, piece, KB_FILE_READ_CHUNK_BYTES)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kb_err_sys(err, "cannot read '%s'", m->name);
		total += (uint64_t)n;
		/* A file that grows while it is read would otherwise never end. */
		if (total > m->size_bytes)
			return no_match(m, err);
		kb_hasher_add(h, piece, (size_t)n);
		if (taker->ret == 0)
			taker->ret = taker->take(taker->into, piece, (size_t)n,
						 err);
	}
	kb_hasher_finish(h, got);
	return 0;
}

static int take_member(const struct kb_bundle *b,
		       const struct kb_bundle_member *m, struct taker *taker,
		       struct kb_err *err)
{
	kb_auto(fd) int fd = open_checked(b, m, err);
	struct kb_digest got;
	int ret;

	if (fd < 0)
		return fd;
	ret = hash_pieces(&got, fd, m, taker, err);
	if (ret < 0)
		return ret;
	return kb_digest_equal(&got, &m->digest) ? 0 : no_match(m, err);
}

int kb_bundle_read_pieces(const struct kb_bundle *b, const char *name,
			  uint64_t max_bytes,
			  int (*take)(void *into, const char *piece,
				      size_t len, struct kb_err *err),
			  void *into, struct kb_err *err)
{
	struct taker taker = { .take = take, .into = into };
	const struct kb_bundle_member *m;
	struct kb_err unread;
	int ret;

	if (!err)
		err = &unread;
	ret = find_to_read(&m, b, name, max_bytes, err);
	if (ret < 0)
		return ret;
	ret = take_member(b, m, &taker, err);
	return ret < 0 ? kb_err_wrap(err, "bundle '%s'", b->path) : taker.ret;
}
