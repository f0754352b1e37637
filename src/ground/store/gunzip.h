#ifndef KB_STORE_GUNZIP_H
#define KB_STORE_GUNZIP_H

#include <stddef.h>
#include <stdint.h>

struct kb_err;

/*
 * The outer coat of an archive: one gzip member (RFC 1952), read in pieces
 * and strictly.
 *
 * The header must be KB_GZIP_HEADER, the only one that we write; nothing
 * may follow the member; its check sum and length must be right; and it may
 * not unpack to more than kb-bundle.5 allows for its size. (libarchive's
 * own gzip filter ignores the check sum and whatever follows, which is why
 * it is not used for reading.)
 */

/* Deflate, no flags, no time, default level, made on Unix. */
#define KB_GZIP_HEADER "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"

/* Advice, at the end of a message, about an archive that kb did not make, and
 * that may contain a good bundle. */
#define KB_REPACKED "; if it was packed again by another program, 'tar -xf' " \
		    "it and verify the folder"

struct kb_gunzip;

/*
 * Start on the regular file `fd`, which is borrowed until free, or on
 * bytes, borrowed likewise. `name` is used in messages and borrowed too.
 * Caller ends it with kb_gunzip_free().
 *
 * Fails with KB_ERR_SYS.
 */
int kb_gunzip_new(struct kb_gunzip **out, int fd, const char *name,
		  struct kb_err *err);
void kb_gunzip_new_bytes(struct kb_gunzip **out, const void *data, size_t len,
			 const char *name);
void kb_gunzip_free(struct kb_gunzip *g);

static inline void kb_cleanup_gunzip(struct kb_gunzip **g)
{
	kb_gunzip_free(*g);
}

/*
 * Up to `size` bytes of content, at most INT_MAX. Returns how many; 0 is
 * the end, and says that all of the above held.
 *
 * Fails with KB_ERR_INPUT, KB_ERR_SYS.
 */
int kb_gunzip_read(struct kb_gunzip *g, void *out, size_t size,
		   struct kb_err *err);

/* The most that `size_bytes` of gzip may unpack to. */
uint64_t kb_gunzip_limit_bytes(uint64_t size_bytes);

#endif
