#include "store/archive.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/bundle.h"
#include "store/gunzip.h"
#include "store/targz.h"

#define CHUNK_BYTES (64 * 1024)

/* Where a bundle goes: the directory `top` of the archive, "<id>" or
 * "<folder>/<id>". */
struct place {
	struct kb_targz *tar;
	const char *top;
};

static int put_tag_file(const struct place *to, const char *name,
			const void *data, size_t len, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", to->top, name);

	return kb_targz_add_file(to->tar, path, data, len, err);
}

/* First, because who unpacks believes no member before the manifest. */
static int put_tag_files(const struct place *to, const struct kb_bundle *b,
			 struct kb_err *err)
{
	static const char declaration[] = KB_BAG_DECLARATION;
	kb_auto(buf) struct kb_buf manifest = KB_BUF_INIT;
	int ret;

	ret = put_tag_file(to, KB_BAG_DECLARATION_NAME, declaration,
			   sizeof(declaration) - 1, err);
	if (ret < 0)
		return ret;
	kb_bag_format(&manifest, b->members, b->member_count);
	return put_tag_file(to, KB_BAG_MANIFEST_NAME, manifest.data,
			    manifest.len, err);
}

/* The directories that are on the way to `name` but not to `before`. */
static int put_new_directories(const struct place *to, const char *before,
			       const char *name, struct kb_err *err)
{
	size_t common = 0;

	while (before[common] && before[common] == name[common])
		common++;

	for (const char *p = name + common; (p = strchr(p, '/')); p++) {
		kb_auto(mem) char *dir = kb_xasprintf(
			"%s/%.*s/", to->top, (int)(p - name), name);
		int ret = kb_targz_add_dir(to->tar, dir, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int put_content(struct kb_targz *tar, int fd,
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
		/* The header has said a size, and more bytes would be taken for
		 * the next header. */
		if ((uint64_t)n > left)
			break;
		kb_hasher_add(h, chunk, (size_t)n);
		ret = kb_targz_put(tar, chunk, (size_t)n, err);
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

static int put_member(const struct place *to, const struct kb_bundle *b,
		      const struct kb_bundle_member *m, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", to->top, m->name);
	uint64_t size_bytes;
	kb_auto(fd) int fd = kb_beneath_open(b->dirfd, m->name, &size_bytes,
					     err);
	int ret;

	if (fd == -KB_ERR_MISSING)
		return kb_err(err, KB_ERR_CORRUPT,
			      "'%s' is declared but not there", m->name);
	if (fd < 0)
		return fd;
	ret = kb_targz_begin_file(to->tar, path, m->size_bytes, err);
	if (ret < 0)
		return ret;
	return put_content(to->tar, fd, m, err);
}

static int put_top(const struct place *to, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/", to->top);

	return kb_targz_add_dir(to->tar, path, err);
}

static int put_bundle(const struct place *to, const struct kb_bundle *b,
		      struct kb_err *err)
{
	const char *before = "";
	int ret;

	ret = put_top(to, err);
	if (ret < 0)
		return ret;
	ret = put_tag_files(to, b, err);
	if (ret < 0)
		return ret;

	/* In the manifest's order, which is bytewise: a bundle is one archive,
	 * whatever the order in its file system. What is in one directory comes
	 * together in that order, so that no directory is put twice. */
	for (size_t i = 0; i < b->member_count; i++) {
		const struct kb_bundle_member *m = &b->members[i];

		ret = put_new_directories(to, before, m->name, err);
		if (ret < 0)
			return ret;
		ret = put_member(to, b, m, err);
		if (ret < 0)
			return ret;
		before = m->name;
	}
	return 0;
}

int kb_archive_add(struct kb_targz *tar, const char *folder,
		   const struct kb_bundle *b, struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	kb_auto(mem) char *top = NULL;
	struct place to = { .tar = tar };

	kb_digest_format(&b->id, hex);
	to.top = top = kb_xasprintf("%s%s%s", folder, *folder ? "/" : "", hex);
	return put_bundle(&to, b, err);
}

/* The writer must not write what the reader would refuse. */
static int check_expansion(uint64_t unpacked_bytes, uint64_t packed_bytes,
			   struct kb_err *err)
{
	if (unpacked_bytes > kb_gunzip_limit_bytes(packed_bytes))
		return kb_err(err, KB_ERR_INPUT,
			      "would unpack to more than %d times its size",
			      KB_BUNDLE_EXPANSION_MAX);
	return 0;
}

int kb_archive_write(const struct kb_bundle *b, const char *path,
		     struct kb_err *err)
{
	kb_auto(targz) struct kb_targz *tar = NULL;
	uint64_t unpacked_bytes, packed_bytes;
	struct kb_err unread;
	int ret;

	if (!err)
		err = &unread;
	ret = kb_targz_new(&tar, path, false, err);
	if (ret == 0)
		ret = kb_archive_add(tar, "", b, err);
	if (ret == 0)
		ret = kb_targz_end(tar, &unpacked_bytes, &packed_bytes, err);
	if (ret == 0)
		ret = check_expansion(unpacked_bytes, packed_bytes, err);
	if (ret == 0)
		ret = kb_targz_commit(tar, err);
	return ret < 0 ? kb_err_wrap(err, "cannot archive bundle '%s'", b->path)
		       : 0;
}
