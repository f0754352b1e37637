#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

#define LINKS_MAX 40		/* as path_resolution(7) has it */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Standard output or standard error, or -1. */
static int own_descriptor(const struct stat *st)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		struct stat own;

		if (fstat(fd, &own) == 0 && is_same(&own, st))
			return fd;
	}
	return -1;
}

/* Where links end, whether or not there is a file. NULL if they do not end.
 * The caller frees. */
static char *end_of_links(const char *path)
{
	kb_auto(mem) char *at = kb_xstrdup(path);

	for (int i = 0; i < LINKS_MAX; i++) {
		char text[PATH_MAX];
		const ssize_t len = readlink(at, text, sizeof(text) - 1);
		const char *slash = strrchr(at, '/');
		const int dir = slash ? (int)(slash + 1 - at) : 0;
		char *next;

		if (len < 0)
			return kb_steal(at);
		text[len] = '\0';
		next = kb_xasprintf("%.*s%s", *text == '/' ? 0 : dir, at, text);
		free(at);
		at = next;
	}
	errno = ELOOP;
	return NULL;
}

/* The regular file that is to be created or replaced, or NULL if `path` leads
 * to something else. The caller frees. */
static int find_target(char **target, const char *path, struct kb_err *err)
{
	struct stat st, at_end;
	const bool is_there = stat(path, &st) == 0;
	kb_auto(mem) char *end = NULL;

	*target = NULL;
	if (!is_there && errno != ENOENT)
		return kb_err_sys(err, "cannot write '%s'", path);
	if (is_there && (!S_ISREG(st.st_mode) || own_descriptor(&st) >= 0))
		return 0;
	end = end_of_links(path);
	if (!end)
		return kb_err_sys(err, "cannot write '%s'", path);
	/* A link below /proc/self/fd leads nowhere by its text, if the file has
	 * been removed. */
	if (!is_there || (stat(end, &at_end) == 0 && is_same(&at_end, &st)))
		*target = kb_steal(end);
	return 0;
}

static int open_in_place(struct kb_new_file *f, const char *path,
			 struct kb_err *err)
{
	struct stat st;
	const int own = stat(path, &st) == 0 ? own_descriptor(&st) : -1;

	*f = (struct kb_new_file){ .path = kb_xstrdup(path) };
	f->fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, 0) :
			   open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
	return f->fd < 0 ? kb_err_sys(err, "cannot write '%s'", path) : 0;
}

int kb_output_open(struct kb_new_file *f, const char *path, struct kb_err *err)
{
	kb_auto(mem) char *target = NULL;
	int ret;

	*f = (struct kb_new_file)KB_NEW_FILE_INIT;
	ret = find_target(&target, path, err);
	if (ret < 0)
		return ret;
	return target ? kb_new_file_open(f, AT_FDCWD, target, 0666, err)
		      : open_in_place(f, path, err);
}

int kb_output_write(const char *path, const void *data, size_t len,
		    struct kb_err *err)
{
	kb_auto(new_file) struct kb_new_file f = KB_NEW_FILE_INIT;
	int ret = kb_output_open(&f, path, err);

	if (ret == 0)
		ret = kb_file_write_all(f.fd, data, len, path, err);
	return ret < 0 ? ret : kb_new_file_commit(&f, err);
}

/* A file appears by rename(2), which asks its directory. */
int kb_output_check(const char *path, struct kb_err *err)
{
	kb_auto(mem) char *target = NULL;
	const char *slash;
	int ret = find_target(&target, path, err);

	if (ret < 0)
		return ret;
	slash = target ? strrchr(target, '/') : NULL;
	/* With its slash: a file at the root is below "/". */
	if (slash)
		target[slash + 1 - target] = '\0';
	if (access(!target ? path : slash ? target : ".", W_OK) < 0)
		return kb_err_sys(err, "cannot write '%s'", path);
	return 0;
}

bool kb_output_is_stdout(const char *path)
{
	struct stat st, out;

	return stat(path, &st) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
	       is_same(&st, &out);
}
