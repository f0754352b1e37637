/*
 * The archive reader, from bytes. Input that does not start like gzip is
 * taken for a tar stream: header sums are put right and it is packed, since
 * no fuzzer guesses check sums.
 *
 * Whatever is unpacked lies inside the directory, is no more than what the
 * bag declares, and opens as a bundle unless a member's bytes are wrong.
 */

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

static void pack(struct kb_buf *out, const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf tar = KB_BUF_INIT;

	if (size >= 2 && data[0] == 0x1f && data[1] == 0x8b) {
		kb_buf_add(out, data, size);
		return;
	}
	kb_buf_add(&tar, data, size);
	seal_headers(&tar);
	gzip_pack(out, tar.data, tar.len, 1);
}

/* Write what was opened as an archive, and open that. */
static void check_round_trip(const struct kb_bundle *b, const char *dir)
{
	kb_auto(bundle) struct kb_bundle again = KB_BUNDLE_INIT;
	kb_auto(mem) char *path = kb_xasprintf("%s/again.tar.gz", dir);

	require(kb_archive_write(b, path, NULL) == 0, "cannot be archived");
	require(kb_bundle_open(&again, path, NULL) == 0, "cannot be reopened");
	require(kb_digest_equal(&again.id, &b->id), "has another id again");
}

static void fuzz_in(const char *dir, const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf gz = KB_BUF_INIT;
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(mem) char *bag = kb_xasprintf("%s/bag", dir);
	kb_auto(fd) int dirfd = -1;
	struct kb_err err = KB_ERR_INIT;

	require(mkdir(bag, 0777) == 0, "cannot make a directory");
	dirfd = open(bag, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	pack(&gz, data, size);
	if (kb_archive_unpack_bytes(gz.data, gz.len, dirfd, &err) < 0) {
		require((err.kind == KB_ERR_INPUT ||
			 err.kind == KB_ERR_CORRUPT) && err.msg[0],
			"a refusal without a reason");
		return;
	}
	if (kb_bundle_open(&b, bag, &err) < 0)
		require(err.kind == KB_ERR_CORRUPT,
			"unpacked but not a bag");
	else
		check_round_trip(&b, dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *tmp = getenv("TMPDIR");
	kb_auto(mem) char *dir = kb_xasprintf("%s/kb-fuzz-XXXXXX",
					      tmp && *tmp ? tmp : "/tmp");

	require(mkdtemp(dir) != NULL, "cannot make a directory");
	fuzz_in(dir, data, size);
	require(kb_dir_remove(AT_FDCWD, dir, NULL) == 0,
		"cannot remove a directory");
	return 0;
}
