#include "confine/left.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "confine/confine.h"
#include "confine/scratch.h"
#include "store/kept.h"

#define DEPTH_MAX 32

/* --- out of a directory ------------------------------------------------ */

/* Whatever it is, opening it has no effect and does not wait. */
static int open_file(int dirfd, const char *name)
{
	return openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC |
		      O_NONBLOCK | O_NOCTTY);
}

int kb_left_file(struct kb_buf *out, const struct kb_scratch_dir *dir,
		 const char *name, size_t bytes_max, struct kb_err *err)
{
	kb_auto(fd) int work = kb_scratch_open_work(dir);
	kb_auto(fd) int fd = work < 0 ? -1 : open_file(work, name);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size <= 0 || (uint64_t)st.st_size > bytes_max)
		return 0;
	return kb_err_or_1(kb_file_read_fd(out, fd, name, bytes_max, err));
}

struct walk {
	struct kb_kept *kept;
	const char *const *except;
	size_t bytes_max;
	size_t offsets_capacity;
	size_t *offsets;		/* of entries in kept->bytes: it moves
					   while it grows */
	struct kb_err *err;
};

static int walk_dir(struct walk *w, int fd, const char *path, int depth);

static bool is_excepted(const struct walk *w, const char *name, int depth)
{
	for (size_t i = 0; !depth && w->except[i]; i++)
		if (!strcmp(w->except[i], name))
			return true;
	return false;
}

static struct kb_kept_entry *add_entry(struct walk *w, const char *path,
				       const struct stat *st)
{
	struct kb_kept *k = w->kept;
	struct kb_kept_entry *e;

	w->offsets = kb_grow(w->offsets, k->count, &w->offsets_capacity,
			     sizeof(*w->offsets));
	w->offsets[k->count] = k->bytes.len;
	e = kb_kept_add(k, path);
	e->is_dir = S_ISDIR(st->st_mode);
	/* Times before 1970 are as good as none. */
	if (st->st_mtim.tv_sec > 0) {
		e->changed_s = st->st_mtim.tv_sec;
		e->changed_ns = st->st_mtim.tv_nsec;
	}
	return e;
}

static int take_file(struct walk *w, int fd, const char *path,
		     const struct stat *st)
{
	struct kb_kept *k = w->kept;
	const size_t before = k->bytes.len;
	struct kb_kept_entry *e;
	int ret;

	if (st->st_size < 0 ||
	    (uint64_t)st->st_size > w->bytes_max - before)
		return 0;
	e = add_entry(w, path, st);
	ret = kb_file_read_fd(&k->bytes, fd, path, (size_t)st->st_size,
			      w->err);
	e->len = k->bytes.len - before;
	return ret < 0 ? ret : 1;
}

/* Returns 0 if there is too much. */
static int take_entry(struct walk *w, int dirfd, const char *name,
		      const char *path, int depth)
{
	kb_auto(fd) int fd = open_file(dirfd, name);
	struct stat st;

	/* A link, a socket; or a folder that was closed. */
	if (fd < 0 || fstat(fd, &st) < 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return 1;
	if (w->kept->count == KB_KEPT_ENTRIES_MAX || !kb_kept_name_ok(path))
		return 0;
	if (S_ISREG(st.st_mode))
		return take_file(w, fd, path, &st);
	if (depth == DEPTH_MAX)
		return 0;
	add_entry(w, path, &st);
	return walk_dir(w, fd, path, depth + 1);
}

static int walk_dir(struct walk *w, int fd, const char *path, int depth)
{
	const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	kb_auto(dir) DIR *d = own < 0 ? NULL : fdopendir(own);
	struct dirent *e;
	int ret = 1;

	if (!d) {
		ret = kb_err_sys(w->err, "cannot read '%s'", path);
		if (own >= 0)
			close(own);
		return ret;
	}
	while (ret > 0 && (errno = 0, e = readdir(d))) {
		kb_auto(mem) char *below = *path ?
			kb_xasprintf("%s/%s", path, e->d_name) :
			kb_xstrdup(e->d_name);

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    is_excepted(w, e->d_name, depth))
			continue;
		ret = take_entry(w, dirfd(d), e->d_name, below, depth);
	}
	return ret;
}

int kb_left_take(struct kb_kept *k, const struct kb_scratch_dir *dir,
		 const char *const except[], size_t bytes_max,
		 struct kb_err *err)
{
	struct walk w = { .kept = k, .except = except,
			  .bytes_max = bytes_max, .err = err };
	kb_auto(fd) int fd = kb_scratch_open_work(dir);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot open '%s'", dir->work);
	ret = walk_dir(&w, fd, "", 0);
	for (size_t i = 0; i < k->count; i++)
		k->entries[i].data = k->bytes.data + w.offsets[i];
	free(w.offsets);
	return ret;
}

/* --- into a directory -------------------------------------------------- */

static int put_file(const struct kb_kept_entry *e, int dirfd,
		    struct kb_err *err)
{
	const char *path = e->name;
	kb_auto(fd) int fd = openat(dirfd, path, O_WRONLY | O_CREAT | O_EXCL |
				    O_CLOEXEC, 0700);

	if (fd < 0)
		return kb_err_sys(err, "cannot create '%s'", path);
	return kb_file_write_all(fd, e->data, e->len, path, err);
}

static int put_entry(const struct kb_kept_entry *e, int dirfd, bool other_user,
		     struct kb_err *err)
{
	const char *path = e->name;

	if (!e->is_dir && put_file(e, dirfd, err) < 0)
		return -KB_ERR_SYS;
	if (e->is_dir && mkdirat(dirfd, path, 0700) < 0)
		return kb_err_sys(err, "cannot make directory '%s'", path);
	if (other_user && fchownat(dirfd, path, KB_WORKER_UID, KB_WORKER_GID,
				   AT_SYMLINK_NOFOLLOW) < 0)
		return kb_err_sys(err, "cannot change the owner of '%s' to "
				  "user %d", path, KB_WORKER_UID);
	return 0;
}

/* After all that is in a folder: putting it there changed the folder. */
static void set_time(const struct kb_kept_entry *e, int dirfd)
{
	const struct timespec t = { .tv_sec = e->changed_s,
				    .tv_nsec = e->changed_ns };
	const struct timespec times[2] = { t, t };

	(void)utimensat(dirfd, e->name, times, AT_SYMLINK_NOFOLLOW);
}

int kb_left_put(const struct kb_kept *k, int work_fd, bool other_user,
		struct kb_err *err)
{
	for (size_t i = 0; i < k->count; i++)
		if (put_entry(&k->entries[i], work_fd, other_user, err) < 0)
			return -KB_ERR_SYS;
	/* A folder comes before what is in it, so backwards. Times matter to
	 * ninja, by which torch builds extensions: it makes again what is older
	 * than its source. */
	for (size_t i = k->count; i-- > 0;)
		set_time(&k->entries[i], work_fd);
	return 0;
}
