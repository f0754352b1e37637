#ifndef KB_TESTS_TARBALL_H
#define KB_TESTS_TARBALL_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/buf.h"

/*
 * Tar and gzip by hand, to say what no decent program would. A header is
 * good ustar until the test bends it.
 */

#define TAR_BLOCK_BYTES 512

/* POSIX.1-1988 ustar, by offset. */
struct tar_header {
	char name[100];
	char mode[8];
	char uid[8];
	char gid[8];
	char size[12];
	char mtime[12];
	char chksum[8];
	char typeflag;
	char linkname[100];
	char magic[8];		/* "ustar\0" and "00" */
	char uname[32];
	char gname[32];
	char devmajor[8];
	char devminor[8];
	char prefix[155];
	char pad[12];
};

_Static_assert(sizeof(struct tar_header) == TAR_BLOCK_BYTES, "one block");

/* The sum over the block, its own field taken as spaces. */
static inline void tar_seal(struct tar_header *h)
{
	const uint8_t *bytes = (const uint8_t *)h;
	unsigned sum = 0;

	memset(h->chksum, ' ', sizeof(h->chksum));
	for (size_t i = 0; i < sizeof(*h); i++)
		sum += bytes[i];
	snprintf(h->chksum, sizeof(h->chksum), "%06o", sum & 0777777);
}

/* `name` is "<prefix>/<name>" cut after `prefix_len` bytes, 0 for no cut. */
static inline struct tar_header tar_header(const char *name, size_t prefix_len,
					   char typeflag, uint64_t size_bytes)
{
	struct tar_header h = { .typeflag = typeflag };
	const char *rest = name + prefix_len + (prefix_len > 0);

	if (prefix_len > sizeof(h.prefix) || strlen(rest) > sizeof(h.name))
		KB_BUG("name does not fit a tar header");
	memcpy(h.prefix, name, prefix_len);
	memcpy(h.name, rest, strlen(rest));
	strcpy(h.mode, "0000644");
	strcpy(h.uid, "0000000");
	strcpy(h.gid, "0000000");
	snprintf(h.size, sizeof(h.size), "%011llo",
		 (unsigned long long)size_bytes);
	strcpy(h.mtime, "00000000000");
	memcpy(h.magic, "ustar\0" "00", sizeof(h.magic));
	tar_seal(&h);
	return h;
}

static inline void tar_put_header(struct kb_buf *tar, struct tar_header h)
{
	tar_seal(&h);
	kb_buf_add(tar, &h, sizeof(h));
}

/* Content, filled up to a whole block. */
static inline void tar_put_content(struct kb_buf *tar, const void *data,
				   size_t len)
{
	static const char zeros[TAR_BLOCK_BYTES];

	kb_buf_add(tar, data, len);
	kb_buf_add(tar, zeros, -len % TAR_BLOCK_BYTES);
}

static inline void tar_put_end(struct kb_buf *tar)
{
	static const char zeros[2 * TAR_BLOCK_BYTES];

	kb_buf_add(tar, zeros, sizeof(zeros));
}

/* One gzip member with the header that zlib writes by default on Unix. */
static inline void gzip_pack(struct kb_buf *out, const void *data, size_t len,
			     int level)
{
	z_stream z = { .next_in = (z_const Bytef *)data, .avail_in = (uInt)len };

	if (deflateInit2(&z, level, Z_DEFLATED, 16 + MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		KB_BUG("zlib cannot start");
	z.avail_out = (uInt)deflateBound(&z, (uLong)len) + 64;
	z.next_out = (Bytef *)kb_buf_reserve(out, z.avail_out);
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		KB_BUG("zlib cannot pack");
	out->data[out->len + 8] = 0;	/* what zlib says of other levels */
	out->len += z.total_out;
	out->data[out->len] = '\0';
	deflateEnd(&z);
}

#endif
