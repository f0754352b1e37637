#include "store/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"

#define DIR_FLAGS (O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/*
 * Open the directory that holds the last component of `*name`, and leave
 * that component in `*name`. Returns a descriptor, or -1 with errno.
 */
static int open_parent(int dirfd, const char **name, bool make)
{
	kb_auto(mem) char *copy = kb_xstrdup(*name);
	/* O_PATH, because the right to go through a directory is enough: it
	 * need not be readable. */
	kb_auto(fd) int at = openat(dirfd, ".", O_PATH | DIR_FLAGS);
	char *part = copy, *slash;
	int fd;

	while (at >= 0 && (slash = strchr(part, '/'))) {
		*slash = '\0';
		if (make && mkdirat(at, part, 0777) < 0 && errno != EEXIST)
			return -1;
		fd = openat(at, part, O_PATH | DIR_FLAGS);
		if (fd < 0)
			return -1;
		close(at);
		at = fd;
		part = slash + 1;
	}

	*name += part - copy;
	fd = at;
	at = -1;
	return fd;
}

int kb_beneath_open_dir(int dirfd, const char *name, struct kb_err *err)
{
	const char *base = name;
	kb_auto(fd) int parent = open_parent(dirfd, &base, false);
	int fd = -1;

	if (parent >= 0)
		fd = openat(parent, base, O_RDONLY | DIR_FLAGS);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a directory",
			      name);
	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", name);
	return fd;
}

static int cannot_open(const char *name, struct kb_err *err)
{
	/* Not a directory, or a link: what is meant is not there either. */
	if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
		return kb_err(err, KB_ERR_MISSING, "'%s' is not there", name);
	return kb_err_sys(err, "cannot open '%s'", name);
}

/* Bundles come from strangers: who copies a file of theirs with its mode must
 * not lend others his rights by it. */
static int check_file(const struct stat *st, const char *name,
		      struct kb_err *err)
{
	if (!S_ISREG(st->st_mode))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a regular file",
			      name);
	if (st->st_mode & (S_ISUID | S_ISGID | S_ISVTX))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is set-user-id, set-group-id or sticky",
			      name);
	return 0;
}

int kb_beneath_open(int dirfd, const char *name, uint64_t *size_bytes,
		    struct kb_err *err)
{
	const char *base = name;
	kb_auto(fd) int parent = open_parent(dirfd, &base, false);
	kb_auto(fd) int fd = -1;
	struct stat st;
	int ret;

	/* Looked at before it is opened: to open a device can be to act. */
	if (parent < 0 || fstatat(parent, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return cannot_open(name, err);
	ret = check_file(&st, name, err);
	if (ret < 0)
		return ret;

	/* Looked at again, in case it has been exchanged. */
	fd = openat(parent, base,
		    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return cannot_open(name, err);
	ret = check_file(&st, name, err);
	if (ret < 0)
		return ret;

	*size_bytes = (uint64_t)st.st_size;
	ret = fd;
	fd = -1;
	return ret;
}

static int create_in(int parent, const char *base, const char *name,
		     mode_t mode, struct kb_err *err)
{
	int fd = -1;

	if (parent >= 0)
		fd = openat(parent, base, O_WRONLY | O_CREAT | O_EXCL |
			    O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0)
		return kb_err_sys(err, "cannot create '%s'", name);
	return fd;
}

int kb_beneath_create(int dirfd, const char *name, struct kb_err *err)
{
	const char *base = name;
	kb_auto(fd) int parent = open_parent(dirfd, &base, true);

	return create_in(parent, base, name, 0600, err);
}

static bool is_in(const struct kb_beneath_last *last, const char *name,
		  size_t dir_len)
{
	return last->dir && strlen(last->dir) == dir_len &&
	       !memcmp(last->dir, name, dir_len);
}

int kb_beneath_create_next(struct kb_beneath_last *last, int dirfd,
			   const char *name, struct kb_err *err)
{
	const char *slash = strrchr(name, '/'), *base = name;
	const size_t dir_len = slash ? (size_t)(slash - name) : 0;

	if (is_in(last, name, dir_len))
		return create_in(last->fd, slash ? slash + 1 : name, name, 0666, err);
	kb_beneath_last_release(last);
	last->fd = open_parent(dirfd, &base, true);
	if (last->fd >= 0)
		last->dir = kb_xstrndup(name, dir_len);
	return create_in(last->fd, base, name, 0666, err);
}

void kb_beneath_last_release(struct kb_beneath_last *last)
{
	if (last->fd >= 0)
		close(last->fd);
	free(last->dir);
	*last = (struct kb_beneath_last)KB_BENEATH_LAST_INIT;
}
