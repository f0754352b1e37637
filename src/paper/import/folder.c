#include "import/folder.h"

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
#include "import/pkb.h"
#include "import/sources.h"

/* A folder's level folder, and no deeper. */
#define DEPTH_MAX 1

/* A walk through a folder. Nothing from outside `fd` gets in. */
struct walk {
	struct kb_sources *out;
	struct kb_buf *buf;		/* for one file after the other */
	int fd;
	const char *path;
	struct kb_err *err;
};

static int cannot_open(const char *path, struct kb_err *err)
{
	if (errno == ENOENT)
		return kb_err(err, KB_ERR_MISSING, "cannot open '%s': %s",
			      path, strerror(ENOENT));
	return kb_err_sys(err, "cannot open '%s'", path);
}

/* The file behind `fd` by the name that the kernel has for it. */
static char *real_path(int fd)
{
	kb_auto(mem) char *link = kb_xasprintf("/proc/self/fd/%d", fd);

	return realpath(link, NULL);
}

static bool is_beneath(int fd, int root)
{
	kb_auto(mem) char *path = real_path(fd);
	kb_auto(mem) char *above = real_path(root);
	size_t len = above ? strlen(above) : 0;

	return path && above && !strncmp(path, above, len) &&
	       path[len] == '/';
}

/* A link that stays in the folder. To open what it leads to could be to act,
 * so that is only named until it is known where it is. */
static int open_link(const struct walk *w, int dirfd, const char *name,
		     const char *path)
{
	kb_auto(fd) int target = openat(dirfd, name, O_PATH | O_CLOEXEC);
	kb_auto(mem) char *again = NULL;
	int fd;

	if (target < 0)
		return cannot_open(path, w->err);
	if (!is_beneath(target, w->fd))
		return kb_err(w->err, KB_ERR_INPUT,
			      "'%s' is a symbolic link out of '%s'; 'cp -rL' "
			      "copies what it leads to", path, w->path);
	again = kb_xasprintf("/proc/self/fd/%d", target);
	fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? cannot_open(path, w->err) : fd;
}

static int open_entry(const struct walk *w, int dirfd, const char *name,
		      const char *path)
{
	int fd = openat(dirfd, name,
			/* Without O_NONBLOCK a FIFO that lies among the
			 * candidates would keep us waiting for a writer. */
			O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

	if (fd >= 0)
		return fd;
	return errno == ELOOP ? open_link(w, dirfd, name, path)
			      : cannot_open(path, w->err);
}

/* Reads the file behind `fd`, whose name says what it is. */
static int add_file(const struct walk *w, int fd, const char *path)
{
	struct kb_err *err = w->err;
	struct kb_source_file item = { .name = NULL };
	struct stat st;
	int ret;

	/* The descriptor that is read is asked, and not the name, which could
	 * be another file by now. */
	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return kb_err(err, KB_ERR_INPUT, "'%s' is not a regular file",
			      path);
	kb_buf_clear(w->buf);
	ret = kb_file_read_fd(w->buf, fd, path, KB_SOURCE_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	if (!kb_pkb_recognise(&item, path, w->buf->data))
		ret = kb_source_name_parse(&item, path, w->out->are_candidates,
					   err);
	if (ret < 0)
		return ret;

	item.origin = kb_xstrdup(path);
	item.size_bytes = w->buf->len;
	item.data = kb_xmalloc(w->buf->len + 1);
	memcpy(item.data, w->buf->data, w->buf->len + 1);
	return kb_sources_add(w->out, &item, err);
}

static bool is_source_name(const char *name)
{
	return kb_runtime_of_file(name, NULL) != KB_RUNTIME_COUNT;
}

static bool is_whole_name(const char *name)
{
	struct kb_source_file item = { .name = NULL };
	const bool is_one = kb_source_name_parse(&item, name, false, NULL) == 0;

	free(item.name);
	return is_one;
}

/* No name, nor the beginning of one or a word of it: a script that lies beside
 * them, not a candidate that would be missing without a word. */
static bool is_script_name(const char *name)
{
	return strncmp(name, "level", strlen("level")) &&
	       !strstr(name, "problem") && !strstr(name, "sample") &&
	       !strchr("0123456789", name[0]) && !is_whole_name(name);
}

static bool is_level_name(const char *name)
{
	return !strncmp(name, "level", strlen("level")) &&
	       strspn(name + strlen("level"), "0123456789") ==
		       strlen(name + strlen("level"));
}

static bool is_folder(int dirfd, const char *name)
{
	struct stat st;

	return fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       S_ISDIR(st.st_mode);
}

/* "level_1_problem_19_sample_0_kernel.py.txt": a browser or a mail program named
 * it. Prompts and logs of a run have no "kernel" in their names. */
static bool ends_otherwise(const char *name)
{
	return !strncasecmp(name, "level_", 6) && strcasestr(name, "_kernel.");
}

/* Is this entry none of ours? What could have been meant as one is noted. */
static bool pass_over(const struct walk *w, int dirfd, const char *name,
		      const char *folder, int depth)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", folder, name);

	if (is_source_name(name)) {
		if (!is_script_name(name))
			return false;
		kb_sources_pass_over_file(w->out, path);
		return true;
	}
	if (depth < DEPTH_MAX && is_level_name(name))
		return false;
	if (!is_folder(dirfd, name) && ends_otherwise(name))
		kb_sources_pass_over_ending(w->out, path);
	else if (!is_folder(dirfd, name))
		kb_sources_see_other(w->out, path);
	else if (depth < DEPTH_MAX)
		kb_sources_pass_over_folder(w->out, path);
	return true;
}

static int add_folder(const struct walk *w, int dirfd, const char *path,
		      int depth);

/* Not a disk that fails, or a limit of ours. */
static bool is_of_the_file(const struct kb_err *why)
{
	return why->kind != KB_ERR_SYS || why->sys_errno == EACCES ||
	       why->sys_errno == EPERM || why->sys_errno == ELOOP;
}

/* A candidate that cannot be taken fails alone, and not the folder. */
static int do_without(const struct walk *w, const char *path,
		      const struct kb_err *why)
{
	struct kb_source_file item = { .name = NULL };

	if (!w->out->are_candidates || !is_of_the_file(why))
		return kb_err_take(w->err, why);
	if (kb_source_name_parse(&item, path, true, NULL) < 0) {
		kb_sources_pass_over(w->out, why->msg);
		return 0;
	}
	item.origin = kb_xstrdup(path);
	return kb_sources_add_empty(w->out, &item, why->msg, w->err);
}

static int add_source(const struct walk *w, int dirfd, const char *name,
		      const char *path)
{
	struct kb_err why = KB_ERR_INIT;
	struct walk own = *w;
	kb_auto(fd) int fd = -1;
	int ret;

	own.err = &why;
	fd = open_entry(&own, dirfd, name, path);
	ret = fd < 0 ? fd : add_file(&own, fd, path);
	return ret < 0 ? do_without(w, path, &why) : 0;
}

static int add_entry(const struct walk *w, int dirfd, const char *name,
		     const char *folder, int depth)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", folder, name);
	kb_auto(fd) int fd = -1;
	struct stat st;

	if (is_source_name(name))
		return add_source(w, dirfd, name, path);
	fd = open_entry(w, dirfd, name, path);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return kb_err_sys(w->err, "cannot open '%s'", path);
	if (!S_ISDIR(st.st_mode))
		return 0;
	return add_folder(w, fd, path, depth + 1);
}

static int add_folder(const struct walk *w, int dirfd, const char *path,
		      int depth)
{
	kb_auto(names) char **names = NULL;
	int ret = kb_dir_names(&names, dirfd, path, w->err);

	for (char **name = names; ret >= 0 && *name; name++)
		if (**name != '.' && !pass_over(w, dirfd, *name, path, depth))
			ret = add_entry(w, dirfd, *name, path, depth);
	return ret < 0 ? ret : 0;
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
	kb_auto(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	struct walk w = {
		.out = out, .buf = &buf, .fd = fd, .path = plain, .err = err,
	};
	struct stat st;

	if (fd < 0)
		return cannot_open(plain, err);
	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", plain);
	if (S_ISDIR(st.st_mode))
		return add_folder(&w, fd, plain, 0);
	return add_file(&w, fd, plain);
}
