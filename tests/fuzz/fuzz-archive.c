/*
 * The archive reader, from bytes. Input that does not start like gzip is
 * taken for a tar stream: header sums are put right and it is packed, since
 * no fuzzer guesses check sums.
 *
 * Whatever is unpacked lies inside the directory, is no more than what the
 * bag declares, and opens as a bundle unless a member's bytes are wrong. The
 * reader of publications has the same bytes, and is only refused with a reason.
 */

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/tarball.h"
#include "store/archive.h"
#include "store/bundle.h"
#include "store/gunzip.h"
#include "store/publication_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds, const char *what)
{
	if (!holds)
		KB_BUG(what);
}

static void seal_headers(struct kb_buf *tar)
{
	for (size_t at = 0; at + TAR_BLOCK_BYTES <= tar->len;
	     at += TAR_BLOCK_BYTES) {
		struct tar_header h;

		memcpy(&h, tar->data + at, sizeof(h));
		if (memcmp(h.magic, "ustar", 5))
			continue;
		tar_seal(&h);
		memcpy(tar->data + at, &h, sizeof(h));
	}
}

static void add_le(struct kb_buf *out, uint32_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		kb_buf_addch(out, (char)(v >> 8 * i));
}

/* As gzip, in blocks that are not compressed (RFC 1951, 3.2.4): deflate takes as
 * long to start as all that is done with most inputs. */
static void gzip_store(struct kb_buf *out, const char *data, size_t len)
{
	size_t at = 0, n;

	kb_buf_add(out, KB_GZIP_HEADER, sizeof(KB_GZIP_HEADER) - 1);
	do {
		n = len - at < UINT16_MAX ? len - at : UINT16_MAX;
		kb_buf_addch(out, at + n == len);
		add_le(out, (uint32_t)n, 2);
		add_le(out, ~(uint32_t)n, 2);
		kb_buf_add(out, data + at, n);
		at += n;
	} while (at < len);
	add_le(out, (uint32_t)crc32_z(0, (const Bytef *)data, len), 4);
	add_le(out, (uint32_t)len, 4);
}

static void pack(struct kb_buf *out, const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;

	if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b) {
		kb_buf_add(out, data, size);
		return;
	}
	kb_buf_add(&tar, data, size);
	seal_headers(&tar);
	gzip_store(out, tar.data, tar.len);
}

/* For all inputs, since to make and to remove it takes as long as what is done
 * in it. */
struct scratch {
	char *path, *bag;
	DIR *in_bag;		/* empty between inputs */
};

static struct scratch scratch;

static void remove_scratch(void)
{
	(void)kb_dir_remove(AT_FDCWD, scratch.path, NULL);
	closedir(scratch.in_bag);
	free(scratch.bag);
	free(scratch.path);
}

static void make_scratch(void)
{
	const char *tmp = getenv("TMPDIR");

	scratch.path = kb_xasprintf("%s/kb-fuzz-XXXXXX",
				    tmp && *tmp ? tmp : "/tmp");
	require(mkdtemp(scratch.path) != NULL, "cannot make a directory");
	scratch.bag = kb_xasprintf("%s/bag", scratch.path);
	require(mkdir(scratch.bag, 0777) == 0, "cannot make a directory");
	scratch.in_bag = opendir(scratch.bag);
	require(scratch.in_bag != NULL, "cannot open a directory");
	atexit(remove_scratch);
}

static void empty_bag(void)
{
	const int fd = dirfd(scratch.in_bag);
	const struct dirent *e;

	rewinddir(scratch.in_bag);
	while ((e = readdir(scratch.in_bag)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..") &&
		    unlinkat(fd, e->d_name, 0) < 0)
			require(kb_dir_remove(fd, e->d_name, NULL) == 0,
				"cannot remove a directory");
}

/* Write what was opened as an archive, and open that. */
static void check_round_trip(const struct kb_bundle *b)
{
	kb_auto(bundle) struct kb_bundle again = KB_BUNDLE_INIT;
	kb_auto(mem) char *path = kb_xasprintf("%s/again.tar.gz", scratch.path);

	require(kb_archive_write(b, path, NULL) == 0, "cannot be archived");
	require(kb_bundle_open(&again, path, NULL) == 0, "cannot be reopened");
	require(kb_digest_equal(&again.id, &b->id), "has another id again");
}

static void check_bag(void)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_bundle_open(&b, scratch.bag, &err) < 0)
		require(err.kind == KB_ERR_CORRUPT, "unpacked but not a bag");
	else
		check_round_trip(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_unpacked u;

	if (!scratch.path)
		make_scratch();
	pack(&gz, data, size);
	if (kb_archive_unpack_bytes(gz.data, gz.len, dirfd(scratch.in_bag),
				    &err) == 0)
		check_bag();
	else
		require((err.kind == KB_ERR_INPUT ||
			 err.kind == KB_ERR_CORRUPT) && err.msg[0],
			"a refusal without a reason");
	empty_bag();
	err = (struct kb_err)KB_ERR_INIT;
	if (kb_publication_unpack_bytes(gz.data, gz.len, dirfd(scratch.in_bag),
					u.folder, &err) < 0)
		require(err.kind == KB_ERR_INPUT && err.msg[0],
			"a publication is refused without a reason");
	empty_bag();
	return 0;
}
