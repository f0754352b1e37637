#ifndef KB_STORE_UNTAR_H
#define KB_STORE_UNTAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_err;
struct kb_gunzip;

/*
 * The inner coat of an archive: entries of a tar stream, strictly.
 *
 * Only plain ustar, whose headers are one block each: extension headers of pax,
 * unless they are asked for, and of GNU tar are refused; so are links, devices,
 * FIFOs, files that are set-user-id, set-group-id or sticky, headers and
 * padding with more in them than POSIX's (store/ustar.h), and anything but
 * zeros after the last entry. Owners, times and other permissions are ignored.
 * The caller judges the names of entries. Nothing is written here.
 */
struct kb_untar;

struct kb_untar_entry {
	const char *path;	/* any bytes; borrowed until the next entry */
	bool is_dir;
	uint64_t size_bytes;	/* of the content that follows */
};

/* Borrows `gunzip` until free. Caller ends it with kb_untar_free(). */
void kb_untar_new(struct kb_untar **out, struct kb_gunzip *gunzip);
void kb_untar_free(struct kb_untar *t);

/* Before the first entry: take headers of pax, too, which long names need. */
void kb_untar_take_pax(struct kb_untar *t);

static inline void kb_cleanup_untar(struct kb_untar **t)
{
	kb_untar_free(*t);
}

/*
 * Go to the next entry, past what has not been read of this one. Returns 1
 * with `out`, or 0 when the archive has ended as it must.
 *
 * Fails with KB_ERR_INPUT, and with what kb_gunzip_read() fails with.
 */
int kb_untar_next(struct kb_untar *t, struct kb_untar_entry *out,
		  struct kb_err *err);

/* Exactly `size` more bytes of the entry's content. Fails as above. */
int kb_untar_read(struct kb_untar *t, void *out, size_t size,
		  struct kb_err *err);

#endif
