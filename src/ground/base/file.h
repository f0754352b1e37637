#ifndef KB_BASE_FILE_H
#define KB_BASE_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/cleanup.h"

struct kb_buf;
struct kb_err;

/*
 * Files, whole. A file that this project writes appears complete under its
 * final name or not at all: temporary name beside it, write, fsync, rename,
 * fsync of the directory. A crash leaves the old file and at most a
 * temporary one whose name starts with KB_FILE_TEMP_PREFIX.
 *
 * All fail with KB_ERR_SYS unless they say otherwise; messages name the
 * path. Paths are relative to `dirfd`, which may be AT_FDCWD.
 */

#define KB_FILE_TEMP_PREFIX ".kb-tmp-"

/* The bytes of one read(2), however many there are to read. */
#define KB_FILE_READ_CHUNK_BYTES (64 * 1024)

/*
 * Append everything in the regular file `path` to `out`.
 *
 * Fails with KB_ERR_MISSING if there is none, with KB_ERR_INPUT if it is
 * larger than `max_bytes` or not a regular file. Links are followed.
 */
int kb_file_read(struct kb_buf *out, int dirfd, const char *path,
		 size_t max_bytes, struct kb_err *err);

/* As kb_file_read(), of a file that the user names: pipes and devices, such as
 * `<(command)` of a shell and /dev/stdin, are read to their end, too. */
int kb_file_read_named(struct kb_buf *out, const char *path, size_t max_bytes,
		       struct kb_err *err);

/* As kb_file_read(), from an open descriptor to its end. */
int kb_file_read_fd(struct kb_buf *out, int fd, const char *name,
		    size_t max_bytes, struct kb_err *err);

/* All of `data`, whatever write(2) takes at a time. */
int kb_file_write_all(int fd, const void *data, size_t len, const char *name,
		      struct kb_err *err);

/* Create or replace `path` as said above, with permission bits `mode` less the
 * umask. A link is replaced, not followed: base/output.h has the files that
 * people name. */
int kb_file_replace(int dirfd, const char *path, const void *data, size_t len,
		    mode_t mode, struct kb_err *err);

/* The same in steps: what is written to `fd` becomes `path` when it is
 * committed. A release before that leaves the old file. */
struct kb_new_file {
	int dirfd;
	char *path;
	char *temp;		/* NULL: `fd` is what `path` names, or it is
				   committed */
	int fd;			/* -1 once committed */
};

#define KB_NEW_FILE_INIT { .fd = -1 }

int kb_new_file_open(struct kb_new_file *f, int dirfd, const char *path,
		     mode_t mode, struct kb_err *err);
int kb_new_file_commit(struct kb_new_file *f, struct kb_err *err);
void kb_new_file_release(struct kb_new_file *f);

static inline void kb_cleanup_new_file(struct kb_new_file *f)
{
	kb_new_file_release(f);
}

/* Make `path` and its missing parents, 0777 less the umask. */
int kb_dir_make(const char *path, struct kb_err *err);

/* Make names created in or renamed into the directory durable. */
int kb_dir_sync(int dirfd, const char *path, struct kb_err *err);

/* The names in the directory that `fd` has open and messages call `path`, without "."
 * and "..". They are sorted by their bytes, because each file system lists them in an
 * order of its own. Behind the last is NULL. */
int kb_dir_names(char ***names, int fd, const char *path, struct kb_err *err);

void kb_names_free(char **names);
KB_DEFINE_CLEANUP(names, char **, kb_names_free);

/*
 * Delete a directory and everything below it, not crossing links. A path
 * that is already gone is success.
 */
int kb_dir_remove(int dirfd, const char *path, struct kb_err *err);

#endif
