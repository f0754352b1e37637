/* An archive, unpacked into a stage and checked on the way. */

#include "store/archive.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "store/bag.h"
#include "store/beneath.h"
#include "store/bundle.h"
#include "store/gunzip.h"
#include "store/quote.h"
#include "store/untar.h"

#define HEX_LEN (KB_DIGEST_HEX_SIZE - 1)
#define CHUNK_BYTES (64 * 1024)

/* An archive is read once, front to back, and nothing that it says is believed
 * before its manifest was read and found to have the id that the archive's top
 * directory promises. That is why the manifest has to come before all members. */
struct unpack {
	struct kb_untar *tar;
	int dirfd;
	char top[KB_DIGEST_HEX_SIZE];	/* "" before the first entry */
	bool has_declaration;
	struct kb_bag bag;		/* empty before the manifest */
	bool *seen;			/* for each member of `bag` */
	uint64_t total_bytes;		/* of members so far */
};

static int is_twice(const char *name, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "'%s' is there twice", name);
}

static int is_undeclared(const char *name, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "'%s' is not declared",
		      kb_quote_str(name).text);
}

/*
 * Take the top directory off `path`, and the slash off its end: the top
 * directory itself becomes "".
 */
static int strip_top(struct unpack *u, char *path, const char **name,
		     struct kb_err *err)
{
	char top[KB_DIGEST_HEX_SIZE] = "";
	size_t len = strlen(path);
	struct kb_digest id;

	if (len >= HEX_LEN)
		memcpy(top, path, HEX_LEN);
	if (kb_digest_parse(&id, top, NULL) < 0 ||
	    (len > HEX_LEN && path[HEX_LEN] != '/'))
		return kb_err(err, KB_ERR_INPUT,
			      "entry '%s' is not below a directory named with "
			      "an id, so this is no bundle; 'kb-pack unpack' "
			      "unpacks a publication",
			      kb_quote_str(path).text);
	if (u->top[0] && strcmp(u->top, top))
		return kb_err(err, KB_ERR_INPUT, "entry '%s' is not below '%s'",
			      kb_quote_str(path).text, u->top);

	strcpy(u->top, top);
	*name = path + HEX_LEN + (len > HEX_LEN);
	return 0;
}

/* A tag file: held in memory until it is known to be right. */
static int read_tag_file(struct unpack *u, struct kb_buf *out,
			 const char *name, uint64_t size_bytes,
			 size_t max_bytes, struct kb_err *err)
{
	if (size_bytes > max_bytes)
		return kb_err(err, KB_ERR_INPUT, "'%s' is larger than %zu bytes",
			      name, max_bytes);

	while (size_bytes > 0) {
		size_t n = size_bytes < CHUNK_BYTES ? size_bytes : CHUNK_BYTES;
		int ret;

		ret = kb_untar_read(u->tar, kb_buf_reserve(out, n), n, err);
		if (ret < 0)
			return ret;
		out->len += n;
		out->data[out->len] = '\0';
		size_bytes -= n;
	}
	return 0;
}

static int write_tag_file(const struct unpack *u, const char *name,
			  const struct kb_buf *text, struct kb_err *err)
{
	kb_auto(fd) int fd = kb_beneath_create(u->dirfd, name, err);

	if (fd < 0)
		return fd;
	return kb_file_write_all(fd, text->data, text->len, name, err);
}

static int take_declaration(struct unpack *u, uint64_t size_bytes,
			    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (u->has_declaration)
		return is_twice(KB_BAG_DECLARATION_NAME, err);
	ret = read_tag_file(u, &text, KB_BAG_DECLARATION_NAME, size_bytes,
			    sizeof(KB_BAG_DECLARATION_CRLF), err);
	if (ret < 0)
		return ret;
	ret = kb_bag_check_declaration(text.data, text.len, err);
	if (ret < 0)
		return ret;

	u->has_declaration = true;
	return write_tag_file(u, KB_BAG_DECLARATION_NAME, &text, err);
}

static int check_id(const struct unpack *u, const struct kb_buf *manifest,
		    struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest id;

	kb_digest_of(&id, manifest->data, manifest->len);
	kb_digest_format(&id, hex);
	if (strcmp(hex, u->top))
		return kb_err(err, KB_ERR_CORRUPT,
			      "the archive is of '%s' but its manifest of '%s'",
			      u->top, hex);
	return 0;
}

static int take_manifest(struct unpack *u, uint64_t size_bytes,
			 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (u->seen)
		return is_twice(KB_BAG_MANIFEST_NAME, err);
	ret = read_tag_file(u, &text, KB_BAG_MANIFEST_NAME, size_bytes,
			    KB_BAG_MANIFEST_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	ret = check_id(u, &text, err);
	if (ret < 0)
		return ret;
	ret = kb_bag_parse(&u->bag, text.data, text.len, err);
	if (ret < 0)
		return ret;

	u->seen = kb_xcalloc(u->bag.count, sizeof(*u->seen));
	return write_tag_file(u, KB_BAG_MANIFEST_NAME, &text, err);
}

static int check_size(const struct unpack *u, const char *name,
		      uint64_t size_bytes, struct kb_err *err)
{
	if (size_bytes > KB_BUNDLE_MEMBER_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is larger than %" PRIu64 " bytes", name,
			      KB_BUNDLE_MEMBER_BYTES_MAX);
	if (size_bytes > KB_BUNDLE_TOTAL_BYTES_MAX - u->total_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "holds more than %" PRIu64 " bytes",
			      KB_BUNDLE_TOTAL_BYTES_MAX);
	return 0;
}

/* Tick a member off, refusing all that can be refused before its bytes. */
static int admit_member(struct unpack *u, const char *name,
			uint64_t size_bytes, struct kb_err *err)
{
	const struct kb_bundle_member *m;
	int ret = kb_bundle_check_name(name, err);

	if (ret < 0)
		return ret;
	if (!u->seen)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' comes before the manifest", name);
	m = kb_bag_find(u->bag.members, u->bag.count, name);
	if (!m)
		return is_undeclared(name, err);
	if (u->seen[m - u->bag.members])
		return is_twice(name, err);
	ret = check_size(u, name, size_bytes, err);
	if (ret < 0)
		return ret;

	u->seen[m - u->bag.members] = true;
	u->total_bytes += size_bytes;
	return 0;
}

/* Digests are not looked at here: whoever opens what was unpacked hashes it as
 * any bundle. */
static int copy_member(struct unpack *u, int fd, const char *name,
		       uint64_t size_bytes, struct kb_err *err)
{
	uint8_t chunk[CHUNK_BYTES];

	while (size_bytes > 0) {
		size_t n = size_bytes < CHUNK_BYTES ? size_bytes : CHUNK_BYTES;
		int ret;

		ret = kb_untar_read(u->tar, chunk, n, err);
		if (ret < 0)
			return ret;
		ret = kb_file_write_all(fd, chunk, n, name, err);
		if (ret < 0)
			return ret;
		size_bytes -= n;
	}
	return 0;
}

static int take_member(struct unpack *u, const char *name,
		       uint64_t size_bytes, struct kb_err *err)
{
	kb_auto(fd) int fd = -1;
	int ret;

	ret = admit_member(u, name, size_bytes, err);
	if (ret < 0)
		return ret;
	fd = kb_beneath_create(u->dirfd, name, err);
	if (fd < 0)
		return fd;
	return copy_member(u, fd, name, size_bytes, err);
}

/* Directories come into being with the members below them. */
static int check_directory(const struct unpack *u, const char *name,
			   struct kb_err *err)
{
	if (*name && !kb_bag_has_directory(u->bag.members, u->bag.count, name))
		return is_undeclared(name, err);
	return 0;
}

static int take_entry(struct unpack *u, const struct kb_untar_entry *e,
		      struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xstrdup(e->path);
	size_t len = strlen(path);
	const char *name = NULL;
	int ret;

	if (e->is_dir && len > 0 && path[len - 1] == '/')
		path[len - 1] = '\0';
	ret = strip_top(u, path, &name, err);
	if (ret < 0)
		return ret;

	if (e->is_dir)
		return check_directory(u, name, err);
	if (!strcmp(name, KB_BAG_DECLARATION_NAME))
		return take_declaration(u, e->size_bytes, err);
	if (!strcmp(name, KB_BAG_MANIFEST_NAME))
		return take_manifest(u, e->size_bytes, err);
	return take_member(u, name, e->size_bytes, err);
}

static int check_complete(const struct unpack *u, struct kb_err *err)
{
	if (!u->has_declaration)
		return kb_err(err, KB_ERR_INPUT,
			      "there is no '" KB_BAG_DECLARATION_NAME "'");
	if (!u->seen)
		return kb_err(err, KB_ERR_INPUT,
			      "there is no '" KB_BAG_MANIFEST_NAME "'");
	for (size_t i = 0; i < u->bag.count; i++)
		if (!u->seen[i])
			return kb_err(err, KB_ERR_CORRUPT,
				      "'%s' is declared but not there",
				      u->bag.members[i].name);
	return 0;
}

static int take_all(struct unpack *u, struct kb_err *err)
{
	struct kb_untar_entry e;
	int ret;

	while ((ret = kb_untar_next(u->tar, &e, err)) > 0) {
		ret = take_entry(u, &e, err);
		if (ret < 0)
			return ret;
	}
	return ret < 0 ? ret : check_complete(u, err);
}

static int unpack_bundle(struct kb_gunzip *gunzip, int dirfd, struct kb_err *err)
{
	kb_auto(untar) struct kb_untar *tar = NULL;
	struct unpack u = { .dirfd = dirfd };
	int ret;

	kb_untar_new(&tar, gunzip);
	u.tar = tar;
	ret = take_all(&u, err);
	kb_bag_release(&u.bag);
	free(u.seen);
	return ret;
}

int kb_archive_unpack(const char *path, int dirfd, struct kb_err *err)
{
	kb_auto(gunzip) struct kb_gunzip *gunzip = NULL;
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	ret = kb_gunzip_new(&gunzip, fd, path, err);
	if (ret < 0)
		return ret;
	return unpack_bundle(gunzip, dirfd, err);
}

int kb_archive_unpack_bytes(const void *data, size_t len, int dirfd,
			    struct kb_err *err)
{
	kb_auto(gunzip) struct kb_gunzip *gunzip = NULL;

	kb_gunzip_new_bytes(&gunzip, data, len, "archive");
	return unpack_bundle(gunzip, dirfd, err);
}
