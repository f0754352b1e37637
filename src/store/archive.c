#include "store/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/bundle.h"
#include "store/gunzip.h"

#define CHUNK_BYTES (64 * 1024)

/* What the one gzip header that is read belongs to. */
#define COMPRESSION_LEVEL "6"

KB_DEFINE_CLEANUP(tar, struct archive *, archive_write_free);
KB_DEFINE_CLEANUP(entry, struct archive_entry *, archive_entry_free);

static int cannot_write(struct archive *tar, struct kb_err *err)
{
	const char *why = archive_error_string(tar);

	errno = archive_errno(tar);
	return kb_err_sys(err, "cannot write the archive (%s)",
			  why ? why : "no reason given");
}

/* A header with everything in it that may differ set to nothing. */
static int put_header(struct archive *tar, const struct kb_bundle *b,
		      const char *name, mode_t type, uint64_t size_bytes,
		      struct kb_err *err)
{
	kb_auto(entry) struct archive_entry *e = archive_entry_new();
	kb_auto(mem) char *path = NULL;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&b->id, hex);
	path = kb_xasprintf("%s/%s", hex, name);
	archive_entry_copy_pathname(e, path);
	archive_entry_set_filetype(e, type);
	archive_entry_set_perm(e, type == AE_IFDIR ? 0755 : 0444);
	archive_entry_set_size(e, (int64_t)size_bytes);
	archive_entry_set_mtime(e, 0, 0);
	archive_entry_set_uid(e, 0);
	archive_entry_set_gid(e, 0);

	if (archive_write_header(tar, e) != ARCHIVE_OK)
		return cannot_write(tar, err);
	return 0;
}

static int put_bytes(struct archive *tar, const void *data, size_t len,
		     struct kb_err *err)
{
	if (archive_write_data(tar, data, len) != (la_ssize_t)len)
		return cannot_write(tar, err);
	return 0;
}

static int put_tag_file(struct archive *tar, const struct kb_bundle *b,
			const char *name, const void *data, size_t len,
			struct kb_err *err)
{
	int ret;

	ret = put_header(tar, b, name, AE_IFREG, len, err);
	if (ret < 0)
		return ret;
	return put_bytes(tar, data, len, err);
}

static int put_tag_files(struct archive *tar, const struct kb_bundle *b,
			 struct kb_err *err)
{
	static const char declaration[] = KB_BAG_DECLARATION;
	kb_auto(buf) struct kb_buf manifest = KB_BUF_INIT;
	int ret;

	ret = put_tag_file(tar, b, KB_BAG_DECLARATION_NAME, declaration,
			   sizeof(declaration) - 1, err);
	if (ret < 0)
		return ret;
	kb_bag_format(&manifest, b->members, b->member_count);
	return put_tag_file(tar, b, KB_BAG_MANIFEST_NAME, manifest.data,
			    manifest.len, err);
}

/* The directories that are on the way to `name` but not to `before`. */
static int put_new_directories(struct archive *tar, const struct kb_bundle *b,
			       const char *before, const char *name,
			       struct kb_err *err)
{
	size_t common = 0;

	while (before[common] && before[common] == name[common])
		common++;

	for (const char *p = name + common; (p = strchr(p, '/')); p++) {
		kb_auto(mem) char *dir = kb_xstrndup(name, (size_t)(p - name));
		int ret = put_header(tar, b, dir, AE_IFDIR, 0, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int put_content(struct archive *tar, int fd,
		       const struct kb_bundle_member *m, struct kb_err *err)
{
	kb_auto(hasher) struct kb_hasher *h = kb_hasher_new();
	uint8_t chunk[CHUNK_BYTES];
	uint64_t left = m->size_bytes;
	struct kb_digest got;
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		int ret;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kb_err_sys(err, "cannot read '%s'", m->name);
		if ((uint64_t)n > left)
			break;
		kb_hasher_add(h, chunk, (size_t)n);
		ret = put_bytes(tar, chunk, (size_t)n, err);
		if (ret < 0)
			return ret;
		left -= (uint64_t)n;
	}

	kb_hasher_finish(h, &got);
	if (n != 0 || left != 0 || !kb_digest_equal(&got, &m->digest))
		return kb_err(err, KB_ERR_CORRUPT,
			      "'%s' does not match its digest", m->name);
	return 0;
}

static int put_member(struct archive *tar, const struct kb_bundle *b,
		      const struct kb_bundle_member *m, struct kb_err *err)
{
	uint64_t size_bytes;
	kb_auto(fd) int fd = kb_beneath_open(b->dirfd, m->name, &size_bytes,
					     err);
	int ret;

	if (fd == -KB_ERR_MISSING)
		return kb_err(err, KB_ERR_CORRUPT,
			      "'%s' is declared but not there", m->name);
	if (fd < 0)
		return fd;
	ret = put_header(tar, b, m->name, AE_IFREG, m->size_bytes, err);
	if (ret < 0)
		return ret;
	return put_content(tar, fd, m, err);
}

static int put_bundle(struct archive *tar, const struct kb_bundle *b,
		      struct kb_err *err)
{
	const char *before = "";
	int ret;

	ret = put_header(tar, b, "", AE_IFDIR, 0, err);
	if (ret < 0)
		return ret;
	ret = put_tag_files(tar, b, err);
	if (ret < 0)
		return ret;

	for (size_t i = 0; i < b->member_count; i++) {
		const struct kb_bundle_member *m = &b->members[i];

		ret = put_new_directories(tar, b, before, m->name, err);
		if (ret < 0)
			return ret;
		ret = put_member(tar, b, m, err);
		if (ret < 0)
			return ret;
		before = m->name;
	}
	return 0;
}

/* What the reader would refuse must not be written. */
static int check_expansion(struct archive *tar, struct kb_err *err)
{
	uint64_t unpacked_bytes = (uint64_t)archive_filter_bytes(tar, 0);
	uint64_t packed_bytes = (uint64_t)archive_filter_bytes(tar, -1);

	if (unpacked_bytes > kb_gunzip_limit_bytes(packed_bytes))
		return kb_err(err, KB_ERR_INPUT,
			      "would unpack to more than %d times its size",
			      KB_BUNDLE_EXPANSION_MAX);
	return 0;
}

static int write_to(int fd, const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(tar) struct archive *tar = archive_write_new();
	int ret;

	if (!tar || archive_write_set_format_ustar(tar) != ARCHIVE_OK ||
	    archive_write_add_filter_gzip(tar) != ARCHIVE_OK ||
	    archive_write_set_filter_option(tar, "gzip", "compression-level",
					    COMPRESSION_LEVEL) != ARCHIVE_OK ||
	    archive_write_set_filter_option(tar, "gzip", "timestamp",
					    NULL) != ARCHIVE_OK)
		KB_BUG("libarchive cannot write ustar and gzip");

	/* No padding after the gzip member: nothing may follow it. */
	archive_write_set_bytes_in_last_block(tar, 1);
	if (archive_write_open_fd(tar, fd) != ARCHIVE_OK)
		return cannot_write(tar, err);
	ret = put_bundle(tar, b, err);
	if (ret < 0)
		return ret;
	if (archive_write_close(tar) != ARCHIVE_OK)
		return cannot_write(tar, err);
	return check_expansion(tar, err);
}

static int write_file(const char *path, const struct kb_bundle *b,
		      struct kb_err *err)
{
	kb_auto(fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
				  0666);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot create '%s'", path);
	ret = write_to(fd, b, err);
	if (ret < 0)
		return ret;
	if (fsync(fd) < 0)
		return kb_err_sys(err, "cannot write '%s'", path);
	return 0;
}

int kb_archive_write(const struct kb_bundle *b, const char *path,
		     struct kb_err *err)
{
	const char *slash = strrchr(path, '/');
	kb_auto(mem) char *dir = slash
		? kb_xstrndup(path, (size_t)(slash + 1 - path))
		: kb_xstrdup("./");
	kb_auto(mem) char *temp = NULL;
	struct kb_err unread;
	uint64_t tag;
	int ret;

	if (!err)
		err = &unread;
	if (getrandom(&tag, sizeof(tag), 0) != sizeof(tag))
		return kb_err_sys(err, "cannot draw random bytes");
	temp = kb_xasprintf("%s" KB_FILE_TEMP_PREFIX "%016" PRIx64, dir, tag);

	ret = write_file(temp, b, err);
	if (ret < 0)
		goto undo;
	if (rename(temp, path) < 0) {
		ret = kb_err_sys(err, "cannot replace '%s'", path);
		goto undo;
	}
	return kb_dir_sync(AT_FDCWD, dir, err);

undo:
	unlink(temp);
	return kb_err_wrap(err, "cannot archive bundle '%s'", b->path);
}
