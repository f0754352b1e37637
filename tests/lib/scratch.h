#ifndef KB_TESTS_SCRATCH_H
#define KB_TESTS_SCRATCH_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"

/*
 * An empty directory to work in. Tests use relative names, so that messages
 * can be compared whole. What cannot be set up aborts.
 */

static char scratch_path[] = "/tmp/kb-test-XXXXXX";

static inline void scratch_enter(void)
{
	strcpy(scratch_path + sizeof(scratch_path) - sizeof("XXXXXX"),
	       "XXXXXX");
	if (!mkdtemp(scratch_path) || chdir(scratch_path) < 0)
		KB_BUG("cannot make a scratch directory");
}

static inline void scratch_leave(void)
{
	if (chdir("/") < 0 || kb_dir_remove(AT_FDCWD, scratch_path, NULL) < 0)
		KB_BUG("cannot remove the scratch directory");
}

static inline void scratch_remove(const char *path)
{
	if (kb_dir_remove(AT_FDCWD, path, NULL) < 0)
		KB_BUG("cannot remove a directory");
}

/* Create or replace a file, and the directories on its way. */
static inline void scratch_write(const char *path, const void *data, size_t len)
{
	const char *slash = strrchr(path, '/');
	kb_auto(fd) int fd = -1;

	if (slash) {
		kb_auto(mem) char *dir = kb_xstrndup(path,
						     (size_t)(slash - path));

		if (kb_dir_make(dir, NULL) < 0)
			KB_BUG("cannot make a directory");
	}
	unlink(path);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0 || kb_file_write_all(fd, data, len, path, NULL) < 0)
		KB_BUG("cannot write a file");
}

static inline void scratch_print(const char *path, const char *text)
{
	scratch_write(path, text, strlen(text));
}

static inline void scratch_read(struct kb_buf *out, const char *path)
{
	kb_buf_clear(out);
	if (kb_file_read(out, AT_FDCWD, path, 1 << 30, NULL) < 0)
		KB_BUG("cannot read a file");
}

#endif
