#ifndef KB_STORE_TARGZ_H
#define KB_STORE_TARGZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_err;

/*
 * A .tar.gz in the making. What is added in the same order gives the same
 * bytes with one version of zlib: ustar, owner 0, time 0, modes 0444 and 0755,
 * no name or time in the gzip header. The file appears by one rename when it
 * is committed.
 *
 * Names are relative; a directory's ends in a slash and precedes what is in
 * it. ustar has room for names of two parts with a slash between them, of 100
 * bytes and before that of 155. A longer one is refused or, with
 * `long_names`, gets a header of pax's before its own.
 *
 * All fail with KB_ERR_SYS; after that a writer can only be freed.
 */
struct kb_targz;

/* Caller ends it with kb_targz_free(), which removes what was not
 * committed. */
int kb_targz_new(struct kb_targz **out, const char *path, bool long_names,
		 struct kb_err *err);
void kb_targz_free(struct kb_targz *t);

int kb_targz_add_dir(struct kb_targz *t, const char *name, struct kb_err *err);
int kb_targz_add_file(struct kb_targz *t, const char *name, const void *data,
		      size_t len, struct kb_err *err);

/* A file in pieces: its head, then exactly `size_bytes` of content. */
int kb_targz_begin_file(struct kb_targz *t, const char *name,
			uint64_t size_bytes, struct kb_err *err);
int kb_targz_put(struct kb_targz *t, const void *data, size_t len,
		 struct kb_err *err);

/* End the stream; nothing can be added afterwards. Either may be NULL. */
int kb_targz_end(struct kb_targz *t, uint64_t *unpacked_bytes,
		 uint64_t *packed_bytes, struct kb_err *err);

/* Make it durable, under its name. */
int kb_targz_commit(struct kb_targz *t, struct kb_err *err);

static inline void kb_cleanup_targz(struct kb_targz **t)
{
	kb_targz_free(*t);
}

#endif
