#include "confine/scratch.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/lock.h"
#include "confine/confine.h"

#define ROOT_PREFIX "kb-scratch-"
#define ROOT_RANDOM 6		/* characters behind that, of mkdtemp(3) */
#define COPY_BYTES_MAX (16 << 20)
#define STALE_AFTER_S 60	/* covers the moment between mkdir and lock */

static const char *temp_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && dir[0] == '/' ? dir : "/tmp";
}

/* In a directory that everybody may write to, such a name can be anything: what
 * is not a directory of ours stays. */
static int is_stale(int parent, const char *name)
{
	kb_auto(fd) int fd = openat(parent, name, O_RDONLY | O_DIRECTORY |
				    O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) && st.st_uid == geteuid() &&
	       st.st_mtime + STALE_AFTER_S < time(NULL) &&
	       !flock(fd, LOCK_EX | LOCK_NB);
}

/* Best effort: what cannot be swept is somebody else's or still in use. */
static void sweep_scratch(void)
{
	DIR *d = opendir(temp_dir());
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)))
		if (!strncmp(e->d_name, ROOT_PREFIX, strlen(ROOT_PREFIX)) &&
		    is_stale(dirfd(d), e->d_name))
			(void)kb_dir_remove(dirfd(d), e->d_name, NULL);
	closedir(d);
}

int kb_scratch_open(struct kb_scratch *s, struct kb_err *err)
{
	struct statvfs fs;

	*s = (struct kb_scratch)KB_SCRATCH_INIT;
	sweep_scratch();

	s->root = kb_xasprintf("%s/" ROOT_PREFIX "XXXXXX", temp_dir());
	if (!mkdtemp(s->root)) {
		kb_err_sys(err, "cannot make directory '%s'", s->root);
		free(s->root);
		s->root = NULL;
		return -KB_ERR_SYS;
	}
	s->lock_fd = open(s->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->lock_fd < 0 || fchmod(s->lock_fd, 0711) < 0) {
		kb_err_sys(err, "cannot open '%s'", s->root);
		kb_scratch_release(s);
		return -KB_ERR_SYS;
	}
	s->is_noexec = !fstatvfs(s->lock_fd, &fs) && fs.f_flag & ST_NOEXEC;
	/* Without a lock the next run takes it for an abandoned one. */
	if (kb_lock(s->lock_fd, s->root, err) < 0) {
		kb_scratch_release(s);
		return kb_err_wrap(err, "TMPDIR '%s'", temp_dir());
	}
	return 0;
}

void kb_scratch_release(struct kb_scratch *s)
{
	if (s->root)
		(void)kb_dir_remove(AT_FDCWD, s->root, NULL);
	if (s->lock_fd >= 0)
		close(s->lock_fd);
	free(s->root);
	*s = (struct kb_scratch)KB_SCRATCH_INIT;
}

int kb_scratch_make(struct kb_scratch *s, struct kb_scratch_dir *d,
		    bool other_user, struct kb_err *err)
{
	unsigned n = s->next++;

	d->work = kb_xasprintf("%s/%u", s->root, n);
	d->code = kb_xasprintf("%s/%u-code", s->root, n);
	if (mkdir(d->code, 0755) < 0 || chmod(d->code, 0755) < 0)
		return kb_err_sys(err, "cannot make directory '%s'", d->code);
	if (mkdir(d->work, 0700) < 0)
		return kb_err_sys(err, "cannot make directory '%s'", d->work);
	if (other_user && chown(d->work, KB_WORKER_UID, KB_WORKER_GID) < 0)
		return kb_err_sys(err, "cannot change the owner of '%s' to "
				  "user %d", d->work, KB_WORKER_UID);
	return 0;
}

/* Make the folders of `path`, below `code`. */
static int make_folders(const struct kb_scratch_dir *d, char *path,
			struct kb_err *err)
{
	for (char *p = strchr(path + strlen(d->code) + 1, '/'); p;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		/* Whatever the umask. */
		if ((mkdir(path, 0755) < 0 && errno != EEXIST) ||
		    chmod(path, 0755) < 0)
			return kb_err_sys(err, "cannot make directory '%s'",
					  path);
		*p = '/';
	}
	return 0;
}

int kb_scratch_put(const struct kb_scratch_dir *d, const char *name,
		   const void *data, size_t len, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", d->code, name);
	kb_auto(fd) int fd = -1;
	int ret = make_folders(d, path, err);

	if (ret < 0)
		return ret;
	/* Whatever the umask: others have to read it. */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (fd < 0 || fchmod(fd, 0444) < 0)
		return kb_err_sys(err, "cannot create '%s'", path);
	return kb_file_write_all(fd, data, len, path, err);
}

int kb_scratch_copy(const struct kb_scratch_dir *d, const char *from,
		    const char *name, struct kb_err *err)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", from, name);
	kb_auto(buf) struct kb_buf bytes = KB_BUF_INIT;
	int ret = kb_file_read(&bytes, AT_FDCWD, path, COPY_BYTES_MAX, err);

	return ret < 0 ? ret
		       : kb_scratch_put(d, name, bytes.data, bytes.len, err);
}

int kb_scratch_link(const struct kb_scratch_dir *d, const char *name,
		    const char *path, struct kb_err *err)
{
	kb_auto(mem) char *to = kb_xasprintf("%s/%s", d->code, name);
	int ret = make_folders(d, to, err);

	if (ret < 0)
		return ret;
	return link(path, to) < 0 ? kb_err_sys(err, "cannot link '%s'", to) : 0;
}

int kb_scratch_open_work(const struct kb_scratch_dir *d)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

	return d->work_fd > 0 ? openat(d->work_fd, ".", flags)
			      : open(d->work, flags);
}

/* Behind the path of a pair's directory that begins at `p`, and the slash behind
 * that; or `p`. */
static const char *skip_path(const char *p, const char *end, const char *start)
{
	const char *at = p + strlen(start);

	if ((size_t)(end - p) < strlen(start) + ROOT_RANDOM ||
	    memcmp(p, start, strlen(start)) != 0)
		return p;
	at += ROOT_RANDOM;
	if (at < end && *at == '/')
		at++;
	while (at < end && isdigit((unsigned char)*at))
		at++;
	if (end - at >= 5 && !memcmp(at, "-code", 5))
		at += 5;
	return at < end && *at == '/' ? at + 1 : at;
}

void kb_scratch_cut_paths(struct kb_buf *out, const char *text, size_t len)
{
	kb_auto(mem) char *start = kb_xasprintf("%s/" ROOT_PREFIX, temp_dir());
	const char *const end = text + len;
	const char *kept = text;

	for (const char *p = text; p < end;) {
		const char *behind = skip_path(p, end, start);

		if (behind == p) {
			p++;
			continue;
		}
		kb_buf_add(out, kept, (size_t)(p - kept));
		p = kept = behind;
	}
	kb_buf_add(out, kept, (size_t)(end - kept));
}

void kb_scratch_remove(struct kb_scratch_dir *d)
{
	/* The rest goes with the root. */
	if (d->work)
		(void)kb_dir_remove(AT_FDCWD, d->work, NULL);
	if (d->code)
		(void)kb_dir_remove(AT_FDCWD, d->code, NULL);
	if (d->work_fd > 0)
		close(d->work_fd);
	free(d->work);
	free(d->code);
	*d = (struct kb_scratch_dir){ .work = NULL };
}
