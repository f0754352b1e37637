#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

int kb_file_read_fd(struct kb_buf *out, int fd, const char *name,
		    size_t max_bytes, struct kb_err *err)
{
	size_t total = 0;

	for (;;) {
		char *end = kb_buf_reserve(out, KB_FILE_READ_CHUNK_BYTES);
		ssize_t n = read(fd, end, KB_FILE_READ_CHUNK_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kb_err_sys(err, "cannot read '%s'", name);
		if (n == 0)
			return 0;

		/* By what was read and not by fstat(2): a pipe has no size, and
		 * a file may grow meanwhile. */
		total += (size_t)n;
		if (total > max_bytes)
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' is larger than %zu bytes", name,
				      max_bytes);
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
}

static int read_opened(struct kb_buf *out, int fd, const char *path,
		       bool is_named, size_t max_bytes, struct kb_err *err)
{
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING, "cannot open '%s': %s", path,
			      strerror(ENOENT));
	if (fd < 0 || fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode) && (!is_named || S_ISDIR(st.st_mode)))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a regular file",
			      path);
	return kb_file_read_fd(out, fd, path, max_bytes, err);
}

int kb_file_read(struct kb_buf *out, int dirfd, const char *path,
		 size_t max_bytes, struct kb_err *err)
{
	/* O_NONBLOCK: opening a FIFO must not wait for a writer. */
	kb_auto(fd) int fd = openat(dirfd, path,
				    O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return read_opened(out, fd, path, false, max_bytes, err);
}

int kb_file_read_named(struct kb_buf *out, const char *path, size_t max_bytes,
		       struct kb_err *err)
{
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return read_opened(out, fd, path, true, max_bytes, err);
}

int kb_file_write_all(int fd, const void *data, size_t len, const char *name,
		      struct kb_err *err)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kb_err_sys(err, "cannot write '%s'", name);
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A file's fsync(2) does not make the directory entry durable that names it;
 * the directory needs one of its own. */
int kb_dir_sync(int dirfd, const char *path, struct kb_err *err)
{
	kb_auto(fd) int fd = openat(dirfd, path,
				    O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) < 0)
		return kb_err_sys(err, "cannot sync directory '%s'", path);
	return 0;
}

static char *parent_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return kb_xstrdup(".");
	if (slash == path)
		return kb_xstrdup("/");
	return kb_xstrndup(path, (size_t)(slash - path));
}

/* Close once, and report the result. */
static int close_checked(int *fd)
{
	const int closing = *fd;

	*fd = -1;
	return close(closing);
}

int kb_new_file_open(struct kb_new_file *f, int dirfd, const char *path,
		     mode_t mode, struct kb_err *err)
{
	kb_auto(mem) char *parent = parent_of(path);
	uint64_t tag;

	*f = (struct kb_new_file){ .dirfd = dirfd, .fd = -1 };
	if (getrandom(&tag, sizeof(tag), 0) != sizeof(tag))
		return kb_err_sys(err, "cannot draw random bytes");
	f->path = kb_xstrdup(path);
	/* In the same directory, because rename(2) does not go from one file
	 * system to another. */
	f->temp = kb_xasprintf("%s/" KB_FILE_TEMP_PREFIX "%016llx", parent,
			       (unsigned long long)tag);
	/* O_EXCL does not follow a link that somebody put there. The mode goes
	 * through open(2): fchmod(2) heeds neither the umask nor what the
	 * directory's default ACL says. */
	f->fd = openat(dirfd, f->temp,
		       O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (f->fd < 0) {
		free(kb_steal(f->temp));	/* there is none to remove */
		return kb_err_sys(err, "cannot create '%s'", path);
	}
	return 0;
}

int kb_new_file_commit(struct kb_new_file *f, struct kb_err *err)
{
	kb_auto(mem) char *parent = parent_of(f->path);

	/* The bytes must be on the disk before the name is: after a crash a
	 * file system may otherwise have the new name and no content. */
	if ((f->temp && fsync(f->fd) < 0) || close_checked(&f->fd) < 0)
		return kb_err_sys(err, "cannot write '%s'", f->path);
	if (!f->temp)
		return 0;
	if (renameat(f->dirfd, f->temp, f->dirfd, f->path) < 0)
		return kb_err_sys(err, "cannot replace '%s'", f->path);
	free(kb_steal(f->temp));
	return kb_dir_sync(f->dirfd, parent, err);
}

void kb_new_file_release(struct kb_new_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->temp)		/* nothing more can be done if this fails */
		(void)unlinkat(f->dirfd, f->temp, 0);
	free(f->temp);
	free(f->path);
	*f = (struct kb_new_file)KB_NEW_FILE_INIT;
}

int kb_file_replace(int dirfd, const char *path, const void *data, size_t len,
		    mode_t mode, struct kb_err *err)
{
	kb_auto(new_file) struct kb_new_file f = KB_NEW_FILE_INIT;
	int ret = kb_new_file_open(&f, dirfd, path, mode, err);

	if (ret == 0)
		ret = kb_file_write_all(f.fd, data, len, path, err);
	return ret < 0 ? ret : kb_new_file_commit(&f, err);
}

int kb_dir_make(const char *path, struct kb_err *err)
{
	kb_auto(mem) char *copy = kb_xstrdup(path);
	struct stat st;

	for (char *p = copy + 1; *copy && *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		/* Another process may be making the same directories. */
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			return kb_err_sys(err, "cannot make directory '%s'",
					  copy);
		*p = '/';
	}
	if (mkdir(copy, 0777) < 0 && errno != EEXIST)
		return kb_err_sys(err, "cannot make directory '%s'", copy);
	if (stat(copy, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", copy);
	if (!S_ISDIR(st.st_mode))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a directory",
			      copy);
	return 0;
}

static int is_no_way(const struct dirent *e)
{
	return strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
}

/* Not alphasort(), which asks the locale. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int kb_dir_names(char ***names, int fd, const char *path, struct kb_err *err)
{
	struct dirent **entries = NULL;
	const int count = scandirat(fd, ".", &entries, is_no_way, by_bytes);

	if (count < 0)
		return kb_err_sys(err, "cannot read '%s'", path);
	*names = kb_xcalloc((size_t)count + 1, sizeof(**names));
	for (int i = 0; i < count; i++) {
		(*names)[i] = kb_xstrdup(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return 0;
}

void kb_names_free(char **names)
{
	for (char **name = names; *name; name++)
		free(*name);
	free(names);
}

int kb_dir_remove(int dirfd, const char *path, struct kb_err *err)
{
	/* Never through a link: what it leads to is not part of this tree. */
	int fd = openat(dirfd, path,
			O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	kb_auto(dir) DIR *d = NULL;
	struct dirent *e;

	if (fd < 0 && errno == ENOENT)
		return 0;
	/* A directory that we may not read is still ours to delete. */
	if (fd < 0 && errno == EACCES && !fchmodat(dirfd, path, 0700, 0))
		fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
			    O_CLOEXEC);
	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	d = fdopendir(fd);
	if (!d) {
		close(fd);
		return kb_err_sys(err, "cannot read '%s'", path);
	}

	/* Members of a bundle's folder may be read-only; ours to undo. */
	(void)fchmod(fd, 0700);
	while ((e = readdir(d))) {
		int ret;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (!unlinkat(fd, e->d_name, 0))
			continue;
		/* For a directory POSIX wants EPERM, and Linux says EISDIR. */
		if (errno != EISDIR && errno != EPERM)
			return kb_err_sys(err, "cannot remove '%s/%s'", path,
					  e->d_name);
		ret = kb_dir_remove(fd, e->d_name, err);
		if (ret < 0)
			return ret;
	}
	if (unlinkat(dirfd, path, AT_REMOVEDIR) < 0)
		return kb_err_sys(err, "cannot remove '%s'", path);
	return 0;
}
