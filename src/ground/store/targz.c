#include "store/targz.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/output.h"

/* The level that the only accepted gzip header belongs to. */
#define COMPRESSION_LEVEL "6"

KB_DEFINE_CLEANUP(entry, struct archive_entry *, archive_entry_free);

struct kb_targz {
	struct kb_new_file file;
	struct archive *tar;
};

static int cannot_write(struct kb_targz *t, struct kb_err *err)
{
	const char *why = archive_error_string(t->tar);

	errno = archive_errno(t->tar);
	return kb_err_sys(err, "cannot write the archive (%s)",
			  why ? why : "no reason given");
}

/* libarchive's restricted pax is ustar for whatever fits that. */
static int set_format(struct archive *tar, bool long_names)
{
	return long_names ? archive_write_set_format_pax_restricted(tar)
			  : archive_write_set_format_ustar(tar);
}

static int open_tar(struct kb_targz *t, bool long_names, struct kb_err *err)
{
	/* Without a time in the header of gzip (MTIME in RFC 1952), which would
	 * make other bytes of the same bundle a second later. */
	t->tar = archive_write_new();
	if (!t->tar || set_format(t->tar, long_names) != ARCHIVE_OK ||
	    archive_write_add_filter_gzip(t->tar) != ARCHIVE_OK ||
	    archive_write_set_filter_option(t->tar, "gzip",
					    "compression-level",
					    COMPRESSION_LEVEL) != ARCHIVE_OK ||
	    archive_write_set_filter_option(t->tar, "gzip", "timestamp",
					    NULL) != ARCHIVE_OK)
		KB_BUG("libarchive cannot write ustar and gzip");

	/* No padding after the gzip member: nothing may follow it. */
	archive_write_set_bytes_in_last_block(t->tar, 1);
	if (archive_write_open_fd(t->tar, t->file.fd) != ARCHIVE_OK)
		return cannot_write(t, err);
	return 0;
}

int kb_targz_new(struct kb_targz **out, const char *path, bool long_names,
		 struct kb_err *err)
{
	kb_auto(targz) struct kb_targz *t = kb_xcalloc(1, sizeof(*t));
	int ret = kb_output_open(&t->file, path, err);

	if (ret < 0)
		return ret;
	ret = open_tar(t, long_names, err);
	if (ret < 0)
		return ret;
	*out = kb_steal(t);
	return 0;
}

void kb_targz_free(struct kb_targz *t)
{
	if (!t)
		return;
	if (t->tar)
		archive_write_free(t->tar);
	kb_new_file_release(&t->file);
	free(t);
}

/* A header with everything in it that may differ set to nothing. */
static int put_header(struct kb_targz *t, const char *name, mode_t type,
		      uint64_t size_bytes, struct kb_err *err)
{
	kb_auto(entry) struct archive_entry *e = archive_entry_new();

	archive_entry_copy_pathname(e, name);
	archive_entry_set_filetype(e, type);
	archive_entry_set_perm(e, type == AE_IFDIR ? 0755 : 0444);
	archive_entry_set_size(e, (int64_t)size_bytes);
	archive_entry_set_mtime(e, 0, 0);
	archive_entry_set_uid(e, 0);
	archive_entry_set_gid(e, 0);

	if (archive_write_header(t->tar, e) != ARCHIVE_OK)
		return cannot_write(t, err);
	return 0;
}

int kb_targz_add_dir(struct kb_targz *t, const char *name, struct kb_err *err)
{
	return put_header(t, name, AE_IFDIR, 0, err);
}

int kb_targz_begin_file(struct kb_targz *t, const char *name,
			uint64_t size_bytes, struct kb_err *err)
{
	return put_header(t, name, AE_IFREG, size_bytes, err);
}

int kb_targz_put(struct kb_targz *t, const void *data, size_t len,
		 struct kb_err *err)
{
	if (archive_write_data(t->tar, data, len) != (la_ssize_t)len)
		return cannot_write(t, err);
	return 0;
}

int kb_targz_add_file(struct kb_targz *t, const char *name, const void *data,
		      size_t len, struct kb_err *err)
{
	int ret = kb_targz_begin_file(t, name, len, err);

	return ret < 0 ? ret : kb_targz_put(t, data, len, err);
}

int kb_targz_end(struct kb_targz *t, uint64_t *unpacked_bytes,
		 uint64_t *packed_bytes, struct kb_err *err)
{
	if (archive_write_close(t->tar) != ARCHIVE_OK)
		return cannot_write(t, err);
	if (unpacked_bytes)
		*unpacked_bytes = (uint64_t)archive_filter_bytes(t->tar, 0);
	if (packed_bytes)
		*packed_bytes = (uint64_t)archive_filter_bytes(t->tar, -1);
	return 0;
}

int kb_targz_commit(struct kb_targz *t, struct kb_err *err)
{
	return kb_new_file_commit(&t->file, err);
}
