#include "store/untar.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/err.h"
#include "store/gunzip.h"
#include "store/quote.h"
#include "store/ustar.h"

#define BLOCK_BYTES 512
#define END_BYTES (2 * BLOCK_BYTES)

/* libarchive with one format and, on purpose, no filter. */
struct kb_untar {
	struct archive *tar;
	struct kb_gunzip *gunzip;
	struct kb_err source_err;	/* kind 0 while unpacking goes well */
	uint64_t next_header_bytes;	/* where the next header must start */
	uint64_t given_bytes;		/* all that libarchive was given */
	bool takes_pax;
	struct kb_ustar headers;
	size_t chunk_len;		/* the last piece of it */
	uint8_t chunk[64 * 1024];
};

static la_ssize_t give_chunk(struct archive *tar, void *data, const void **out)
{
	struct kb_untar *t = data;
	int n = kb_gunzip_read(t->gunzip, t->chunk, sizeof(t->chunk),
			       &t->source_err);

	if (n < 0) {
		archive_set_error(tar, EIO, "unreadable");
		return ARCHIVE_FATAL;
	}
	t->chunk_len = (size_t)n;
	t->given_bytes += (uint64_t)n;
	kb_ustar_take(&t->headers, t->chunk, t->chunk_len);
	*out = t->chunk;
	return n;
}

/* Opened by the first kb_untar_next(), which can fail. */
void kb_untar_new(struct kb_untar **out, struct kb_gunzip *gunzip)
{
	struct kb_untar *t = kb_xcalloc(1, sizeof(*t));

	t->gunzip = gunzip;
	t->tar = archive_read_new();
	if (!t->tar || archive_read_support_format_tar(t->tar) != ARCHIVE_OK)
		KB_BUG("libarchive cannot read tar");
	*out = t;
}

void kb_untar_take_pax(struct kb_untar *t)
{
	t->takes_pax = true;
	t->headers.takes_pax = true;
}

void kb_untar_free(struct kb_untar *t)
{
	if (!t)
		return;
	archive_read_free(t->tar);
	free(t);
}

/*
 * libarchive complains about our own source, or about the archive. Its words
 * differ from version to version, so the message does not have them.
 */
static int refuse_archive(const struct kb_untar *t, struct kb_err *err)
{
	if (t->source_err.kind) {
		if (err)
			*err = t->source_err;
		return -(int)t->source_err.kind;
	}
	return kb_err(err, KB_ERR_INPUT, "the tar archive is damaged");
}

static int not_plain(struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "the tar archive is not plain ustar"
		      KB_REPACKED);
}

/*
 * A long name, an attribute or a sparse map comes in blocks before the
 * header that it extends. libarchive has merged those by now, but where
 * the next header starts gives them away.
 */
static bool header_is_in_place(const struct kb_untar *t)
{
	return archive_read_header_position(t->tar) ==
	       (int64_t)t->next_header_bytes;
}

static bool is_plain(const struct kb_untar *t)
{
	const int format = archive_format(t->tar);

	if (t->takes_pax)
		return format == ARCHIVE_FORMAT_TAR_USTAR ||
		       format == ARCHIVE_FORMAT_TAR_PAX_INTERCHANGE;
	return format == ARCHIVE_FORMAT_TAR_USTAR && header_is_in_place(t);
}

static int check_entry(struct archive_entry *e, const char *path,
		       struct kb_err *err)
{
	mode_t type = archive_entry_filetype(e);
	const char *fault = NULL;

	if (archive_entry_hardlink(e) || type == AE_IFLNK)
		fault = "is a link";
	else if (type != AE_IFREG && type != AE_IFDIR)
		fault = "is neither a file nor a directory";
	else if (type == AE_IFREG &&
		 archive_entry_perm(e) & (S_ISUID | S_ISGID | S_ISVTX))
		fault = "is set-user-id, set-group-id or sticky";
	else if (archive_entry_sparse_count(e) > 0)
		fault = "has holes";
	else if (archive_entry_size(e) < 0)
		fault = "has no size";

	if (fault)
		return kb_err(err, KB_ERR_INPUT, "entry '%s' %s",
			      kb_quote_str(path).text, fault);
	return 0;
}

/*
 * After the last entry come two blocks of zeros or more, and nothing else.
 * libarchive has looked at no more than those two, so whatever follows them
 * is in the last piece that it was given, or has yet to be unpacked.
 */
static int check_end(struct kb_untar *t, struct kb_err *err)
{
	uint64_t before_chunk = t->given_bytes - t->chunk_len;
	const void *unused;
	size_t i = 0;

	if (t->takes_pax)
		t->next_header_bytes =
			(uint64_t)archive_read_header_position(t->tar);
	if (!header_is_in_place(t))
		return not_plain(err);
	if (t->next_header_bytes > before_chunk)
		i = (size_t)(t->next_header_bytes - before_chunk);

	do {
		for (; i < t->chunk_len; i++)
			if (t->chunk[i])
				return kb_err(err, KB_ERR_INPUT,
					      "there are bytes after the tar archive");
		i = 0;
		if (give_chunk(t->tar, t, &unused) < 0)
			return refuse_archive(t, err);
	} while (t->chunk_len > 0);

	if (t->given_bytes < t->next_header_bytes + END_BYTES)
		return kb_err(err, KB_ERR_INPUT, "the tar archive is cut off");
	if (t->headers.fault)
		return kb_err(err, KB_ERR_INPUT, "the tar archive is not plain "
			      "ustar: %s" KB_REPACKED, t->headers.fault);
	return 0;
}

static uint64_t round_up_to_block(uint64_t size_bytes)
{
	uint64_t rest = size_bytes % BLOCK_BYTES;

	return rest ? size_bytes + (BLOCK_BYTES - rest) : size_bytes;
}

int kb_untar_next(struct kb_untar *t, struct kb_untar_entry *out,
		  struct kb_err *err)
{
	struct archive_entry *e;
	int r, ret;

	if (t->given_bytes == 0 &&
	    archive_read_open(t->tar, t, NULL, give_chunk, NULL) != ARCHIVE_OK)
		return refuse_archive(t, err);
	r = archive_read_next_header(t->tar, &e);
	if (r == ARCHIVE_EOF)
		return check_end(t, err);
	if (r != ARCHIVE_OK)
		return refuse_archive(t, err);
	if (!is_plain(t))
		return not_plain(err);

	out->path = archive_entry_pathname(e);
	if (!out->path)
		out->path = "";
	ret = check_entry(e, out->path, err);
	if (ret < 0)
		return ret;

	out->is_dir = archive_entry_filetype(e) == AE_IFDIR;
	out->size_bytes = (uint64_t)archive_entry_size(e);
	t->next_header_bytes += BLOCK_BYTES;
	t->next_header_bytes += round_up_to_block(out->size_bytes);
	return 1;
}

int kb_untar_read(struct kb_untar *t, void *out, size_t size,
		  struct kb_err *err)
{
	uint8_t *p = out;

	while (size > 0) {
		la_ssize_t n = archive_read_data(t->tar, p, size);

		if (n <= 0)
			return refuse_archive(t, err);
		p += n;
		size -= (size_t)n;
	}
	return 0;
}
