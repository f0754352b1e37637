#include "exchange/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "exchange/sources.h"

/* A folder's level folder, and no deeper. */
#define DEPTH_MAX 1

static void close_dir(DIR *d)
{
	closedir(d);
}
KB_DEFINE_CLEANUP(dir, DIR *, close_dir);

/* `flags` has O_NOFOLLOW for what a folder holds: nothing from outside. */
static int open_source(int dirfd, const char *name, const char *path,
		       int flags, struct kb_err *err)
{
	int fd = openat(dirfd, name,
			O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);

	if (fd >= 0)
		return fd;
	if (errno == ELOOP)
		return kb_err(err, KB_ERR_INPUT, "'%s' is a symbolic link",
			      path);
	if (errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING, "cannot open '%s': %s",
			      path, strerror(ENOENT));
	return kb_err_sys(err, "cannot open '%s'", path);
}

/* Reads the file behind `fd`, whose name says what it is. */
static int add_file(struct kb_sources *out, int fd, const char *path,
		    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	struct kb_source item = { .name = NULL };
	struct stat st;
	int ret;

	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a regular file",
			      path);
	ret = kb_file_read_fd(&buf, fd, path, KB_SOURCE_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	ret = kb_source_name_parse(&item, path, err);
	if (ret < 0)
		return ret;

	item.origin = kb_xstrdup(path);
	item.size_bytes = buf.len;
	item.data = kb_buf_detach(&buf);
	return kb_sources_add(out, &item, err);
}

static bool is_source_name(const char *name)
{
	return kb_runtime_of_file(name, NULL) != KB_RUNTIME_COUNT;
}

static bool is_level_name(const char *name)
{
	return !strncmp(name, "level", strlen("level")) &&
	       strspn(name + strlen("level"), "0123456789") ==
		       strlen(name + strlen("level"));
}

static int add_folder(struct kb_sources *out, int dirfd, const char *path,
		      int depth, struct kb_err *err);

static int add_entry(struct kb_sources *out, int dirfd, const char *name,
		     const char *folder, int depth, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", folder, name);
	kb_auto(fd) int fd = -1;
	struct stat st;

	fd = open_source(dirfd, name, path, O_NOFOLLOW, err);
	if (fd < 0)
		return fd;
	if (is_source_name(name))
		return add_file(out, fd, path, err);

	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (!S_ISDIR(st.st_mode))
		return 0;
	return add_folder(out, fd, path, depth + 1, err);
}

/* Takes nothing: works on a descriptor of its own. */
static int add_folder(struct kb_sources *out, int dirfd, const char *path,
		      int depth, struct kb_err *err)
{
	int own = fcntl(dirfd, F_DUPFD_CLOEXEC, 0);
	kb_auto(dir) DIR *d = own < 0 ? NULL : fdopendir(own);
	struct dirent *e;

	if (!d) {
		int ret = kb_err_sys(err, "cannot read '%s'", path);

		if (own >= 0)
			close(own);
		return ret;
	}
	while ((errno = 0, e = readdir(d))) {
		int ret;

		if (e->d_name[0] == '.')
			continue;
		if (!is_source_name(e->d_name) &&
		    (depth == DEPTH_MAX || !is_level_name(e->d_name)))
			continue;
		ret = add_entry(out, dirfd, e->d_name, path, depth, err);
		if (ret < 0)
			return ret;
	}
	if (errno)
		return kb_err_sys(err, "cannot read '%s'", path);
	return 0;
}

/* "dir/" and "dir" are one folder; "/" stays. */
static char *without_slashes(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return kb_xstrndup(path, len);
}

int kb_folder_read(struct kb_sources *out, const char *path,
		   struct kb_err *err)
{
	kb_auto(mem) char *plain = without_slashes(path);
	kb_auto(fd) int fd = -1;
	struct stat st;

	fd = open_source(AT_FDCWD, path, plain, 0, err);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", plain);
	if (S_ISDIR(st.st_mode))
		return add_folder(out, fd, plain, 0, err);
	return add_file(out, fd, plain, err);
}
