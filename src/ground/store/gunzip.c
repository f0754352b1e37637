#include "store/gunzip.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "store/bundle.h"

#define READ_CHUNK_BYTES (64 * 1024)
#define HEADER_LEN (sizeof(KB_GZIP_HEADER) - 1)

struct kb_gunzip {
	z_stream z;
	const char *name;
	int fd;			/* -1 when all input is in `z` */
	size_t header_seen;	/* bytes of the header compared so far */
	bool ended;		/* the trailer has been checked */
	uint64_t room_bytes;	/* what may still come out */
	uint8_t chunk[READ_CHUNK_BYTES];
};

/* A bomb is known by how much comes out for how much goes in. What is free is
 * for small archives, whose headers compress well. */
uint64_t kb_gunzip_limit_bytes(uint64_t size_bytes)
{
	uint64_t limit;

	if (__builtin_mul_overflow(size_bytes, KB_BUNDLE_EXPANSION_MAX,
				   &limit) ||
	    __builtin_add_overflow(limit, KB_BUNDLE_EXPANSION_FREE_BYTES,
				   &limit))
		return UINT64_MAX;
	return limit;
}

static struct kb_gunzip *gunzip_new(const char *name, uint64_t size_bytes)
{
	struct kb_gunzip *g = kb_xcalloc(1, sizeof(*g));

	g->name = name;
	g->fd = -1;
	g->room_bytes = kb_gunzip_limit_bytes(size_bytes);
	/* 16: gzip, and no zlib, wrapping. The only failure is no memory. */
	if (inflateInit2(&g->z, 16 + MAX_WBITS) != Z_OK)
		KB_BUG("zlib cannot start");
	return g;
}

int kb_gunzip_new(struct kb_gunzip **out, int fd, const char *name,
		  struct kb_err *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot read '%s'", name);
	*out = gunzip_new(name, (uint64_t)st.st_size);
	(*out)->fd = fd;
	return 0;
}

void kb_gunzip_new_bytes(struct kb_gunzip **out, const void *data, size_t len,
			 const char *name)
{
	if (len > UINT_MAX)
		KB_BUG("more bytes than zlib counts");
	*out = gunzip_new(name, len);
	(*out)->z.next_in = (z_const Bytef *)data;
	(*out)->z.avail_in = (uInt)len;
}

void kb_gunzip_free(struct kb_gunzip *g)
{
	if (!g)
		return;
	inflateEnd(&g->z);
	free(g);
}

/* Have input in `z`, unless there is no more. */
static int refill_input(struct kb_gunzip *g, struct kb_err *err)
{
	ssize_t n;

	if (g->z.avail_in > 0 || g->fd < 0)
		return 0;
	do
		n = read(g->fd, g->chunk, sizeof(g->chunk));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return kb_err_sys(err, "cannot read '%s'", g->name);

	g->z.next_in = g->chunk;
	g->z.avail_in = (uInt)n;
	return 0;
}

/* Compare what is there of the header, before zlib takes it away. */
static int check_header(struct kb_gunzip *g, struct kb_err *err)
{
	size_t left = HEADER_LEN - g->header_seen;
	size_t n = g->z.avail_in < left ? g->z.avail_in : left;

	/* RFC 1952: what begins otherwise was never packed by anybody. */
	if (g->header_seen < 2 && n && memcmp(g->z.next_in,
			&KB_GZIP_HEADER[g->header_seen],
			n < 2 - g->header_seen ? n : 2 - g->header_seen))
		return kb_err(err, KB_ERR_INPUT, "this is no .tar.gz" KB_REPACKED);
	if (memcmp(g->z.next_in, &KB_GZIP_HEADER[g->header_seen], n))
		return kb_err(err, KB_ERR_INPUT,
			      "the gzip header is not the one of an archive"
			      KB_REPACKED);
	g->header_seen += n;
	return 0;
}

/* gzip allows several members one after the other, and would then have two
 * spellings of one archive. */
static int check_nothing_follows(struct kb_gunzip *g, struct kb_err *err)
{
	int ret = refill_input(g, err);

	if (ret < 0)
		return ret;
	if (g->z.avail_in > 0)
		return kb_err(err, KB_ERR_INPUT,
			      "there are bytes after the gzip member"
			      KB_REPACKED);
	g->ended = true;
	return 0;
}

/* One step: some input becomes some output, or neither. */
static int inflate_step(struct kb_gunzip *g, struct kb_err *err)
{
	int ret = refill_input(g, err);

	if (ret < 0)
		return ret;
	if (g->z.avail_in == 0)
		return kb_err(err, KB_ERR_INPUT, "the gzip member is cut off");
	ret = check_header(g, err);
	if (ret < 0)
		return ret;

	switch (inflate(&g->z, Z_NO_FLUSH)) {
	case Z_OK:
		return 0;
	case Z_STREAM_END:
		return check_nothing_follows(g, err);
	case Z_MEM_ERROR:
		KB_BUG("zlib has no memory");
	default:
		return kb_err(err, KB_ERR_INPUT, "the gzip member is damaged");
	}
}

int kb_gunzip_read(struct kb_gunzip *g, void *out, size_t size,
		   struct kb_err *err)
{
	size_t n;

	g->z.next_out = out;
	g->z.avail_out = (uInt)size;
	while (g->z.avail_out == size && !g->ended) {
		int ret = inflate_step(g, err);

		if (ret < 0)
			return ret;
	}

	n = size - g->z.avail_out;
	if (n > g->room_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "unpacks to more than %d times its size",
			      KB_BUNDLE_EXPANSION_MAX);
	g->room_bytes -= n;
	return (int)n;
}
