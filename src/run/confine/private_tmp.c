#include "confine/private_tmp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"

static const char tmp[] = "/tmp/";
#define TMP_LEN (sizeof(tmp) - 1)

/* --- what is kept ------------------------------------------------------ */

struct names {
	char **items;
	size_t count, capacity;
};

/* The first part of `path` below /tmp, if it is there. */
static void add_name(struct names *n, const char *path)
{
	size_t len;

	if (strncmp(path, tmp, TMP_LEN))
		return;
	path += TMP_LEN;
	len = strcspn(path, "/");
	if (!len || (len == 1 && path[0] == '.') ||
	    (len == 2 && !strncmp(path, "..", 2)))
		return;
	for (size_t i = 0; i < n->count; i++)
		if (strlen(n->items[i]) == len &&
		    !strncmp(n->items[i], path, len))
			return;
	n->items = kb_grow(n->items, n->count, &n->capacity,
			   sizeof(*n->items));
	n->items[n->count++] = kb_xstrndup(path, len);
}

static void add_path(struct names *n, const char *path)
{
	kb_auto(mem) char *real = realpath(path, NULL);

	add_name(n, path);
	if (real)
		add_name(n, real);
}

char **kb_private_tmp_names(const char *const paths[], size_t count)
{
	struct names n = { .items = NULL };

	for (size_t i = 0; i < count; i++) {
		kb_auto(mem) char *list = kb_xstrdup(paths[i] ? paths[i] : "");
		char *save = NULL;

		for (char *path = strtok_r(list, ":", &save); path;
		     path = strtok_r(NULL, ":", &save))
			add_path(&n, path);
	}
	n.items = kb_grow(n.items, n.count, &n.capacity, sizeof(*n.items));
	n.items[n.count] = NULL;
	return n.items;
}

void kb_private_tmp_free(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}

/* --- entering ---------------------------------------------------------- */

static int bind_path(const char *from, const char *to, unsigned long flags)
{
	return mount(from, to, NULL, MS_BIND | flags, NULL) < 0 ? errno : 0;
}

/* What `fd` is, at `path`, where a directory is made for it. */
static int bind_fd(int fd, const char *path)
{
	char from[32];

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (mkdir(path, 0755) < 0)
		return errno;
	return bind_path(from, path, 0);
}

/* An empty directory over the one of all, and in it the worker's own two. */
static int hide_others(const struct kb_private_tmp *t, const char *scratch)
{
	/* Both lie below the root that is about to be covered: from then on
	 * only descriptors lead there. */
	kb_auto(fd) int work = open(scratch, O_PATH | O_DIRECTORY | O_CLOEXEC);
	kb_auto(fd) int code = open(t->code, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int ret;

	if (work < 0 || code < 0)
		return errno;
	if (mount("tmpfs", t->root, "tmpfs", MS_NOSUID | MS_NODEV,
		  "size=64k,mode=755") < 0)
		return errno;
	ret = bind_fd(work, scratch);
	if (!ret)
		ret = bind_fd(code, t->code);
	if (!ret && mount(NULL, t->root, NULL,
			  MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID |
			  MS_NODEV, NULL) < 0)
		ret = errno;
	if (ret)
		(void)umount2(t->root, MNT_DETACH);
	return ret;
}

static int keep_link(const char *from, const char *to)
{
	char target[PATH_MAX];
	ssize_t len = readlink(from, target, sizeof(target) - 1);

	if (len < 0)
		return errno;
	target[len] = '\0';
	return symlink(target, to) < 0 && errno != EEXIST ? errno : 0;
}

static int make_place(const char *path, bool is_dir)
{
	int fd;

	if (is_dir)
		return mkdir(path, 0755) < 0 && errno != EEXIST ? errno : 0;
	fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0444);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* An entry of /tmp, in the scratch directory under the same name. */
static int keep_path(const char *name, const char *scratch)
{
	char from[PATH_MAX], to[PATH_MAX];
	struct stat st;
	int ret;

	if (snprintf(from, sizeof(from), "%s%s", tmp, name) >= PATH_MAX ||
	    snprintf(to, sizeof(to), "%s/%s", scratch, name) >= PATH_MAX)
		return ENAMETOOLONG;
	if (lstat(from, &st) < 0)
		return errno == ENOENT ? 0 : errno;
	if (S_ISLNK(st.st_mode))
		return keep_link(from, to);
	ret = make_place(to, S_ISDIR(st.st_mode));
	return ret ? ret : bind_path(from, to, MS_REC);
}

int kb_private_tmp_enter(const struct kb_private_tmp *t, const char *scratch)
{
	int ret = hide_others(t, scratch);

	for (size_t i = 0; t->kept[i] && !ret; i++)
		ret = keep_path(t->kept[i], scratch);
	return ret ? ret : bind_path(scratch, "/tmp", MS_REC);
}

int kb_private_tmp_hide(const char *const paths[], bool all)
{
	int ret = 0;

	for (size_t i = 0; paths[i] && !ret; i++)
		if (all || !access(paths[i], F_OK))
			ret = bind_path("/dev/null", paths[i], 0);
	return ret;
}
