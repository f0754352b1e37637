#ifndef KB_EXPORT_MADE_FILES_H
#define KB_EXPORT_MADE_FILES_H

#include <stddef.h>

#include "base/buf.h"

struct kb_err;

/*
 * Files in memory, on their way out: all of them are made before the first is
 * written.
 */

/* `path` is relative to the folder that the user gives, or NULL where he
 * names the file. */
struct kb_made_file {
	char *path;
	struct kb_buf text;
};

struct kb_made_files {
	struct kb_made_file *items;
	size_t count;
	size_t capacity;
};

#define KB_MADE_FILES_INIT { .items = NULL }

void kb_made_files_release(struct kb_made_files *f);

/* Takes `path`. The text, empty yet, is borrowed until the next is added. */
struct kb_buf *kb_made_files_add(struct kb_made_files *f, char *path);

/*
 * Write them, each whole or not at all: to the file `output`, or, where files
 * have paths of their own, below the folder `output`, made if need be; their
 * names are then put together in `path`.
 *
 * Fails with KB_ERR_SYS.
 */
int kb_made_files_write(struct kb_made_files *f, const char *output,
			struct kb_err *err);

static inline void kb_cleanup_made_files(struct kb_made_files *f)
{
	kb_made_files_release(f);
}

#endif
